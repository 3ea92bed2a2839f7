"""Facts: values in, queries in."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from memplane.api.schemas.events import WaitFor
from memplane.api.schemas.fields import (
    FactTime,
    FactValue,
    Identifier,
    Importance,
    Metadata,
    RequestModel,
    Time,
)
from memplane.api.schemas.memories import Category


class FactIn(RequestModel):
    """The name of a fact and its value. ``order``, ``ORD-1``, ``status`` is the fact `order/ORD-1/status`."""

    entity_type: Identifier
    entity: Identifier
    attribute: Identifier
    value: FactValue


class FactMemoryIn(RequestModel):
    """A fact instead of a statement. It is valid from ``event_time`` on."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user_id": "user-1",
                    "fact": {"entity_type": "order", "entity": "ORD-1", "attribute": "status", "value": "paid"},
                }
            ]
        }
    )

    user_id: Identifier
    fact: FactIn
    kind: Literal["fact"] | None = None
    category: Category | None = Field(default=None, description="Default: `state`.")
    importance: Importance | None = None
    event_time: FactTime | None = Field(default=None, description="Since when it is true; default: now.")
    expires_at: Time | None = None
    agent_id: Identifier | None = None
    session_id: Identifier | None = None
    visibility: Literal["shared"] = Field(default="shared", description="A key names one value for all agents.")
    pinned: bool = False
    metadata: Metadata = Field(default={})
    wait: WaitFor = "committed"


class FactPutIn(RequestModel):
    """A new value of a fact. The value that is valid from latest is current, whatever came last."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"value": "paid", "valid_from": "2025-06-12T09:30:00+08:00"}, {"value": 45}]}
    )

    value: FactValue
    valid_from: FactTime | None = Field(
        default=None, description="Since when it is true; default: now; at most 5 minutes ahead."
    )
    expires_at: Time | None = None
    agent_id: Identifier | None = None
    metadata: Metadata = Field(default={})
    wait: WaitFor = "committed"


class FactQuery(RequestModel):
    """Of which times. Both default to now."""

    as_of: Time | None = Field(default=None, description="What was true then.")
    known_at: Time | None = Field(default=None, description="As far as it was recorded by then.")


class FactsQuery(FactQuery):
    """A listing of a user's facts."""

    entity_type: Identifier | None = None
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = None
