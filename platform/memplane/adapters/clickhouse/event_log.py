"""The event log in ClickHouse."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.event_rows import EVENTS, OUTCOMES, event_of, event_row, outcome_of, outcome_row
from memplane.adapters.clickhouse.time_bounds import from_ms, to_ms
from memplane.domain.clock import to_millis
from memplane.domain.ids import EventId, Scope, ScopeTag, TenantId
from memplane.domain.memory import Event, EventOutcome
from memplane.ports.event_log import EventQuery, EventRef

LOOK_BACK: Final = timedelta(days=7)
"""How far back :meth:`ClickHouseEventLog.pending` looks for shards that it has looked through once."""

_Keys = list[tuple[str, str, str]]


class ClickHouseEventLog:
    """Implements ``ports.event_log.EventLog``.

    Looking for pending events costs in proportion to the events of the last :data:`LOOK_BACK`. The first look at a
    shard goes through all of its time, one window of that length after the other: a platform that stood still for a
    month still finds what it left behind.
    """

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client
        self._looked_through: set[int] = set()

    async def append(self, *, events: Sequence[Event]) -> None:
        """See the port."""
        await EVENTS.insert(self._client, [event_row(event) for event in events])

    async def record_outcomes(self, *, outcomes: Sequence[EventOutcome]) -> None:
        """See the port."""
        await OUTCOMES.insert(self._client, [outcome_row(outcome) for outcome in outcomes])

    async def find(self, *, refs: Sequence[EventRef]) -> dict[EventRef, tuple[Event, EventOutcome | None]]:
        """See the port."""
        if not refs:
            return {}
        keys: _Keys = [(ref.tenant_id, ref.scope_tag, ref.event_id) for ref in refs]
        async with asyncio.TaskGroup() as group:
            events = group.create_task(self._client.query("events_find", parameters={"refs": keys}))
            outcomes = group.create_task(self._client.query("event_outcomes_find", parameters={"refs": keys}))
        latest = {_ref(outcome): outcome for outcome in map(outcome_of, outcomes.result().dicts())}
        found = map(event_of, events.result().dicts())
        return {_ref(event): (event, latest.get(_ref(event))) for event in found}

    async def page(self, *, query: EventQuery) -> list[tuple[Event, EventOutcome | None]]:
        """See the port. Goes through all events of the scope."""
        rows = await self._client.query("events_page", parameters=_page_parameters(query))
        events = [event_of(row) for row in rows.dicts()]
        if not events:
            return []
        keys: _Keys = [(event.scope.tenant_id, event.scope.tag, event.event_id) for event in events]
        outcomes = await self._client.query("event_outcomes_find", parameters={"refs": keys})
        latest = {_ref(outcome): outcome for outcome in map(outcome_of, outcomes.dicts())}
        return [(event, latest.get(_ref(event))) for event in events]

    async def pending(self, *, shards: Sequence[int], received_before: datetime, limit: int) -> list[Event]:
        """See the port. "Past ``next_try_at``" is by this process's clock."""
        if not shards or limit < 1:
            return []
        until_ms = to_millis(received_before)
        if self._looked_through.issuperset(shards):
            keys = await self._pending_keys(shards, until_ms - _LOOK_BACK_MS, until_ms, limit)
        else:
            keys = await self._first_look(shards, until_ms, limit)
            if len(keys) < limit:
                self._looked_through.update(shards)
        if not keys:
            return []
        rows = await self._client.query("events_find", parameters={"refs": keys})
        return sorted(map(event_of, rows.dicts()), key=lambda event: (event.received_at, event.seq))

    async def count(self, *, scope: Scope) -> int:
        """See the port."""
        rows = await self._client.query(
            "events_count",
            parameters={"tenant_id": scope.tenant_id, "scope_tag": scope.tag, "user_id": scope.user_id},
        )
        return int(rows.rows[0][0])

    async def _first_look(self, shards: Sequence[int], until_ms: int, limit: int) -> _Keys:
        keys: _Keys = []
        from_ms = await self._first_arrival_ms(0, until_ms)
        while from_ms is not None and len(keys) < limit:
            before_ms = min(from_ms + _LOOK_BACK_MS, until_ms)
            keys += await self._pending_keys(shards, from_ms, before_ms, limit - len(keys))
            from_ms = await self._first_arrival_ms(before_ms, until_ms)
        return keys

    async def _first_arrival_ms(self, from_ms: int, before_ms: int) -> int | None:
        rows = await self._client.query("events_first_arrival", parameters={"from_ms": from_ms, "before_ms": before_ms})
        first: int | None = rows.rows[0][0]
        return first

    async def _pending_keys(self, shards: Sequence[int], from_ms: int, before_ms: int, limit: int) -> _Keys:
        rows = await self._client.query(
            "events_pending",
            parameters={
                "shards": list(shards),
                "from_ms": from_ms,
                "before_ms": before_ms,
                "now_ms": to_millis(datetime.now(UTC)),
                "limit": limit,
            },
        )
        return [(tenant_id, scope_tag, event_id) for tenant_id, scope_tag, event_id in rows.rows]


_LOOK_BACK_MS: Final = int(LOOK_BACK.total_seconds() * 1000)


def _ref(item: Event | EventOutcome) -> EventRef:
    return EventRef(
        tenant_id=TenantId(item.scope.tenant_id),
        scope_tag=ScopeTag(item.scope.tag),
        event_id=EventId(item.event_id),
    )


def _page_parameters(query: EventQuery) -> dict[str, Any]:
    after_ms, after_seq, after_id = query.after or (0, 0, "")
    return {
        "tenant_id": query.scope.tenant_id,
        "scope_tag": query.scope.tag,
        "user_id": query.scope.user_id,
        "session_id": query.session_id,
        "roles": list(query.roles),
        "from_ms": from_ms(query.from_time),
        "to_ms": to_ms(query.to_time),
        "viewer": query.viewer,
        "sees_private": query.sees_private,
        "continued": bool(query.after),
        "after_ms": after_ms,
        "after_seq": after_seq,
        "after_id": after_id,
        "limit": query.limit,
    }
