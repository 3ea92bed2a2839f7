"""``/v1/memories``: statements in, queries in."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from memplane.api.schemas.events import WaitFor
from memplane.api.schemas.fields import (
    Content,
    EventTime,
    Identifier,
    Importance,
    Metadata,
    NotServed,
    RequestModel,
    Time,
    fail,
)
from memplane.domain.commands import REVISABLE

Category = Literal["preference", "attribute", "event", "decision", "state", "relation", "skill", "other"]
MemoryKind = Literal["episodic", "semantic", "fact", "summary", "chunk"]
MemoryStatus = Literal["active", "superseded", "expired", "archived", "pending_review"]


class MemoryIn(RequestModel):
    """A statement worth keeping. It is never refused for its importance."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user_id": "user-1",
                    "content": "The user prefers short answers.",
                    "kind": "semantic",
                    "category": "preference",
                },
                {
                    "user_id": "user-1",
                    "content": "用户偏好简短回复,控制在200字以内。",
                    "importance": 0.9,
                    "wait": "indexed",
                },
            ]
        }
    )

    user_id: Identifier
    content: Content
    fact: None = Field(default=None, description="Instead of `content`: see the other body.")
    kind: Literal["episodic", "semantic"] | None = None
    category: Category | None = None
    importance: Importance | None = None
    event_time: EventTime | None = Field(default=None, description="When it happened; default: now.")
    expires_at: Time | None = None
    agent_id: Identifier | None = None
    session_id: Identifier | None = None
    visibility: Literal["shared", "private"] = Field(
        default="shared", description="`private`: only `agent_id` reads it, others by the user's grant."
    )
    pinned: bool = False
    metadata: Metadata = Field(default={})
    wait: WaitFor = "committed"


class MemoryPatchIn(RequestModel):
    """What is to change, and nothing else: at least one field. ``metadata`` is replaced as a whole."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"importance": 0.9, "pinned": True}]})

    content: Content | None = None
    importance: Importance | None = None
    category: Category | None = None
    pinned: bool | None = None
    metadata: Metadata | None = None
    expires_at: Time | None = Field(default=None, description="`null`: it no longer expires.")

    @field_validator("content", "importance", "category", "pinned", "metadata", mode="before")
    @classmethod
    def _not_null(cls, value: Any) -> Any:
        if value is None:
            raise fail("wrong_type", "must not be null: leave it out to keep it")
        return value

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise fail("missing", "give at least one field to change")
        return self

    def changes(self) -> dict[str, Any]:
        """What is given besides the content, by name."""
        return {name: getattr(self, name) for name in REVISABLE if name in self.model_fields_set}


class HistoryQuery(RequestModel):
    """A page of versions, newest first."""

    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = None


class MemoriesQuery(RequestModel):
    """A listing. Repeat ``kind``, ``category`` or ``status`` for several."""

    user_id: Identifier
    agent_id: Identifier | None = Field(default=None, description="List as this agent sees them.")
    kind: list[MemoryKind] = Field(default=[])
    category: list[Category] = Field(default=[])
    status: list[MemoryStatus] = Field(default=["active"])
    filter: NotServed = None
    from_: Time | None = Field(default=None, alias="from", description="`event_time` from here on.")
    to: Time | None = Field(default=None, description="`event_time` before this.")
    order: Literal["newest"] = "newest"
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = None

    @model_validator(mode="after")
    def _times_in_order(self) -> Self:
        if self.from_ is not None and self.to is not None and self.to <= self.from_:
            raise fail("out_of_range", "'to' must be later than 'from'")
        return self
