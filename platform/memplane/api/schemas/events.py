"""``POST /v1/events``."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from memplane.api.schemas.fields import Content, EventTime, Identifier, Metadata, RequestModel, Time, fail
from memplane.domain.commands import Turn
from memplane.domain.ids import EventId

WaitFor = Literal["none", "committed", "indexed"]
TurnRole = Literal["user", "assistant", "system", "tool", "event"]


class TurnIn(RequestModel):
    """One turn, or one business event (role ``event``)."""

    role: TurnRole
    content: Content
    at: EventTime | None = Field(default=None, description="When it was said; default: on arrival.")
    event_id: Identifier | None = Field(default=None, description="Your own id: makes repeats of this turn safe.")
    metadata: Metadata = Field(default={})

    def to_turn(self) -> Turn:
        """The turn for the Writer."""
        return Turn(
            role=self.role,
            content=self.content,
            at=self.at,
            event_id=None if self.event_id is None else EventId(self.event_id),
            metadata=self.metadata,
        )


class EventsIn(RequestModel):
    """Turns of one session, in order."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user_id": "user-1",
                    "session_id": "session-1",
                    "agent_id": "assistant",
                    "messages": [
                        {"role": "user", "content": "记住:以后都用邮件发周报。", "at": "2025-06-12T09:30:00+08:00"},
                        {"role": "assistant", "content": "好的,以后周报都用邮件发送。"},
                    ],
                    "wait": "committed",
                }
            ]
        }
    )

    user_id: Identifier
    session_id: Identifier
    agent_id: Identifier | None = None
    messages: list[TurnIn] = Field(min_length=1)
    wait: WaitFor = Field(
        default="committed",
        description="`none`: journaled; `committed`: readable at once; `indexed`: also in the index.",
    )


class EventsQuery(RequestModel):
    """A listing, newest first. Repeat ``role`` for several."""

    user_id: Identifier
    session_id: Identifier | None = None
    agent_id: Identifier | None = Field(default=None, description="List as this agent sees them.")
    role: list[TurnRole] = Field(default=[])
    from_: Time | None = Field(default=None, alias="from", description="`at` from here on.")
    to: Time | None = Field(default=None, description="`at` before this.")
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = None

    @model_validator(mode="after")
    def _times_in_order(self) -> Self:
        if self.from_ is not None and self.to is not None and self.to <= self.from_:
            raise fail("out_of_range", "'to' must be later than 'from'")
        return self
