"""Events and outcomes in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memplane.domain.clock import to_millis
from memplane.domain.ids import Scope
from memplane.domain.memory import Event, EventOutcome, EventState, Visibility
from memplane.ports.clock import Clock
from memplane.ports.event_log import EventQuery, EventRef


class InMemoryEventLog:
    """The port :class:`EventLog`. ``clock`` says which failed events are due."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._events: dict[EventRef, Event] = {}
        self._outcomes: dict[EventRef, EventOutcome] = {}

    async def append(self, *, events: Sequence[Event]) -> None:
        """Stores events; of two with one id the later call's stays."""
        for event in events:
            self._events[_ref(event)] = event

    async def find(self, *, refs: Sequence[EventRef]) -> dict[EventRef, tuple[Event, EventOutcome | None]]:
        """Events with their latest outcome."""
        return {ref: (self._events[ref], self._outcomes.get(ref)) for ref in refs if ref in self._events}

    async def record_outcomes(self, *, outcomes: Sequence[EventOutcome]) -> None:
        """Stores outcomes; a smaller ``attempt_version`` never replaces a greater one."""
        for outcome in outcomes:
            ref = _ref(outcome)
            stored = self._outcomes.get(ref)
            if stored is None or outcome.attempt_version >= stored.attempt_version:
                self._outcomes[ref] = outcome

    async def pending(self, *, shards: Sequence[int], received_before: datetime, limit: int) -> list[Event]:
        """Events that nobody has dealt with, by ``received_at``, then ``seq``."""
        due = [
            event
            for ref, event in self._events.items()
            if event.scope.shard in shards and event.received_at < received_before and self._is_due(ref)
        ]
        return sorted(due, key=lambda event: (event.received_at, event.seq))[:limit]

    async def page(self, *, query: EventQuery) -> list[tuple[Event, EventOutcome | None]]:
        """One page, by ``event_time``, ``seq`` and ``event_id``, all descending."""
        found = [event for event in self._events.values() if _matches(event, query)]
        found.sort(key=_sort_key, reverse=True)
        if query.after:
            found = [event for event in found if _sort_key(event) < query.after]
        return [(event, self._outcomes.get(_ref(event))) for event in found[: query.limit]]

    async def count(self, *, scope: Scope) -> int:
        """How many events the scope holds."""
        return sum(event.scope == scope for event in self._events.values())

    def _is_due(self, ref: EventRef) -> bool:
        outcome = self._outcomes.get(ref)
        if outcome is None:
            return True
        if outcome.state is not EventState.FAILED:
            return False
        return outcome.next_try_at is not None and outcome.next_try_at <= self._clock.now()


def _ref(row: Event | EventOutcome) -> EventRef:
    return EventRef(tenant_id=row.scope.tenant_id, scope_tag=row.scope.tag, event_id=row.event_id)


def _sort_key(event: Event) -> tuple[int, int, str]:
    return to_millis(event.event_time), event.seq, event.event_id


def _matches(event: Event, query: EventQuery) -> bool:
    is_private = event.directives.get("visibility") == Visibility.PRIVATE
    return (
        event.scope == query.scope
        and (query.session_id is None or event.session_id == query.session_id)
        and (not query.roles or event.role in query.roles)
        and (query.from_time is None or event.event_time >= query.from_time)
        and (query.to_time is None or event.event_time < query.to_time)
        and (not is_private or query.sees_private or (query.viewer is not None and event.agent_id == query.viewer))
    )
