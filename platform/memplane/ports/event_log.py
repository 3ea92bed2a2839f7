"""The raw events and what became of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from memplane.domain.ids import AgentId, EventId, Scope, ScopeTag, SessionId, TenantId
from memplane.domain.memory import Event, EventOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRef:
    """Names one event: the full key of its row."""

    tenant_id: TenantId
    scope_tag: ScopeTag
    event_id: EventId


@dataclass(frozen=True, slots=True, kw_only=True)
class EventQuery:
    """A listing of one scope's events, newest (``event_time``, then ``seq``) first. ``roles`` empty means: all.

    Times are of ``event_time``: from inclusive, to exclusive. An event of a private memory (``directives.visibility``)
    shows to the agent that it names, if that is ``viewer``, or with ``sees_private``.
    """

    scope: Scope
    session_id: SessionId | None = None
    roles: tuple[str, ...] = ()
    from_time: datetime | None = None
    to_time: datetime | None = None
    viewer: AgentId | None = None
    sees_private: bool = False
    limit: int = 50
    after: tuple[Any, ...] = field(default=())
    """Sort key of the last row of the page before: ``(event_time_ms, seq, event_id)``; empty for the first page."""


class EventLog(Protocol):
    """Append-only store of events. Durable on return (fsynced). Repeats collapse on the event id.

    Raises, every method: StoreUnavailableError (unknown whether it took place), StoreRejectedError (content refused,
    nothing written).
    """

    async def append(self, *, events: Sequence[Event]) -> None:
        """Stores events in one insert. Empty input does nothing."""

    async def find(self, *, refs: Sequence[EventRef]) -> dict[EventRef, tuple[Event, EventOutcome | None]]:
        """Those of ``refs`` that exist, each with its latest outcome. Unknown ones are absent."""

    async def record_outcomes(self, *, outcomes: Sequence[EventOutcome]) -> None:
        """Stores outcomes in one insert; the greatest ``attempt_version`` of an event wins."""

    async def pending(self, *, shards: Sequence[int], received_before: datetime, limit: int) -> list[Event]:
        """Events of these shards without an outcome (or ``failed`` ones past ``next_try_at``), oldest first."""

    async def page(self, *, query: EventQuery) -> list[tuple[Event, EventOutcome | None]]:
        """One page of events, each once, with its latest outcome. A scope without events has none."""

    async def count(self, *, scope: Scope) -> int:
        """How many events the scope holds."""
