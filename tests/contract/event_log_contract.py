"""What every ``ports.event_log.EventLog`` does."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memplane.domain.ids import (
    AgentId,
    EventId,
    MemoryId,
    OperationId,
    Scope,
    SessionId,
    TenantId,
    UserId,
    draw_event_id,
    scope_of,
)
from memplane.domain.memory import FINAL_ATTEMPT_BIT, Event, EventOutcome, EventState
from memplane.ports.event_log import EventLog, EventRef

ALL_SHARDS = tuple(range(64))


def now() -> datetime:
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def fresh_scope(user: str = "user-1") -> Scope:
    """A scope that no other test touches."""
    tenant_id = TenantId(f"t-{secrets.token_hex(6)}")
    return scope_of(tenant_id=tenant_id, user_id=UserId(user), tenant_secret=secrets.token_bytes(16))


def make_event(scope: Scope, **changes: Any) -> Event:
    event = Event(
        scope=scope,
        event_id=draw_event_id(scope),
        seq=1,
        role="user",
        content="I moved to Lisbon last week.",
        event_time=now(),
        received_at=now(),
    )
    return replace(event, **changes)


def make_outcome(event: Event, **changes: Any) -> EventOutcome:
    outcome = EventOutcome(
        scope=event.scope,
        event_id=event.event_id,
        operation_id=OperationId("op_x"),
        attempt_version=FINAL_ATTEMPT_BIT | 1,
        state=EventState.PROCESSED,
        item_outcome="added",
        recorded_at=max(now(), event.received_at),
    )
    return replace(outcome, **changes)


def ref(event: Event) -> EventRef:
    return EventRef(tenant_id=event.scope.tenant_id, scope_tag=event.scope.tag, event_id=event.event_id)


async def pending_ids(log: EventLog, scope: Scope, *, before: datetime | None = None) -> list[EventId]:
    until = before or now() + timedelta(seconds=1)
    found = await log.pending(shards=[scope.shard], received_before=until, limit=10_000)
    return [event.event_id for event in found if event.scope == scope]


class EventLogContract:
    """Override ``event_log``."""

    @pytest.fixture
    async def event_log(self) -> EventLog:
        raise NotImplementedError

    @pytest.mark.parametrize(
        "content",
        [
            "I moved to Lisbon last week.",
            "我上周搬到了里斯本，订单 ORD-20250611-003 已付款。",
            "quotes ' \" ` \\ tab\t newline\n {x:String} %s 👩‍👩‍👧 \x00 end",
            "",
        ],
    )
    async def test_an_event_comes_back_as_it_went_in(self, event_log: EventLog, content: str) -> None:
        event = make_event(
            fresh_scope("用户 'x' \\"),
            content=content,
            seq=2**63 + 5,
            agent_id=AgentId("agent-甲"),
            session_id=SessionId("s 1"),
            event_time=datetime(1903, 2, 1, 3, 4, 5, 678_000, tzinfo=UTC),
            metadata={"a": None, "列表": [1, 2.5, {"b": True}], "text": "it's"},
            operation_id=OperationId("op_甲"),
            item_index=999,
            origin="memories",
            directives={"kind": "semantic", "importance": 0.9, "pinned": True, "fact": None},
        )
        await event_log.append(events=[event])
        assert await event_log.find(refs=[ref(event)]) == {ref(event): (event, None)}

    async def test_what_is_absent_stays_absent(self, event_log: EventLog) -> None:
        event = make_event(fresh_scope())
        await event_log.append(events=[event])
        found = (await event_log.find(refs=[ref(event)]))[ref(event)][0]
        assert (found.agent_id, found.session_id, found.metadata) == (None, None, {})

    async def test_empty_input_does_nothing(self, event_log: EventLog) -> None:
        await event_log.append(events=[])
        await event_log.record_outcomes(outcomes=[])
        assert await event_log.find(refs=[]) == {}
        assert await event_log.pending(shards=[], received_before=now(), limit=10) == []

    async def test_unknown_events_are_absent_also_those_of_another_tenant(self, event_log: EventLog) -> None:
        event = make_event(fresh_scope())
        await event_log.append(events=[event])
        foreign = replace(ref(event), tenant_id=TenantId("someone-else"))
        unknown = replace(ref(event), event_id=EventId("evt_unknown"))
        assert set(await event_log.find(refs=[foreign, unknown, ref(event)])) == {ref(event)}

    async def test_many_are_found_at_once(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        events = [make_event(scope, seq=number, content=f"第 {number} 句") for number in range(700)]
        await event_log.append(events=events)
        found = await event_log.find(refs=[ref(event) for event in events])
        assert {key: event for key, (event, _) in found.items()} == {ref(event): event for event in events}

    async def test_a_repeat_collapses(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        events = [make_event(scope, seq=number) for number in range(3)]
        await event_log.append(events=events)
        await event_log.append(events=events)
        assert await event_log.count(scope=scope) == 3
        assert len(await pending_ids(event_log, scope)) == 3
        assert len(await event_log.find(refs=[ref(event) for event in events])) == 3

    async def test_count_is_of_one_scope(self, event_log: EventLog) -> None:
        one, other = fresh_scope(), fresh_scope()
        await event_log.append(events=[make_event(one), make_event(one), make_event(other)])
        assert await event_log.count(scope=one) == 2
        assert await event_log.count(scope=replace(one, user_id=UserId("same tag, another user"))) == 0
        assert await event_log.count(scope=fresh_scope()) == 0

    async def test_an_outcome_comes_back_as_it_went_in(self, event_log: EventLog) -> None:
        event = make_event(fresh_scope())
        outcome = make_outcome(
            event,
            state=EventState.FAILED,
            item_outcome="failed",
            attempt_version=7,
            reason="模型超时 'timeout'",
            memory_ids=(MemoryId("mem_a"), MemoryId("mem_b")),
            attempts=4,
            next_try_at=now() + timedelta(minutes=5),
        )
        await event_log.append(events=[event])
        await event_log.record_outcomes(outcomes=[outcome])
        assert await event_log.find(refs=[ref(event)]) == {ref(event): (event, outcome)}

    @pytest.mark.parametrize("newest_first", [False, True])
    async def test_the_greatest_attempt_wins_whatever_came_last(self, event_log: EventLog, newest_first: bool) -> None:
        event = make_event(fresh_scope())
        final = make_outcome(event)
        due_at = now() - timedelta(hours=1)
        earlier = make_outcome(event, attempt_version=9, state=EventState.FAILED, next_try_at=due_at)
        await event_log.append(events=[event])
        for outcome in [final, earlier] if newest_first else [earlier, final]:
            await event_log.record_outcomes(outcomes=[outcome])
        assert (await event_log.find(refs=[ref(event)]))[ref(event)][1] == final
        assert await pending_ids(event_log, event.scope) == []

    @pytest.mark.parametrize("state", [EventState.KEPT, EventState.PROCESSED, EventState.REJECTED, EventState.DEAD])
    async def test_an_event_is_pending_until_its_outcome(self, event_log: EventLog, state: EventState) -> None:
        event = make_event(fresh_scope())
        await event_log.append(events=[event])
        assert await pending_ids(event_log, event.scope) == [event.event_id]
        await event_log.record_outcomes(outcomes=[make_outcome(event, state=state)])
        assert await pending_ids(event_log, event.scope) == []

    async def test_pending_events_come_whole(self, event_log: EventLog) -> None:
        event = make_event(fresh_scope(), content="记住：我对花生过敏", metadata={"k": [None]}, agent_id=AgentId("a"))
        await event_log.append(events=[event])
        found = await event_log.pending(shards=[event.scope.shard], received_before=now() + timedelta(1), limit=10_000)
        assert event in found

    async def test_pending_knows_received_before_and_shards(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        event = make_event(scope)
        await event_log.append(events=[event])
        assert await pending_ids(event_log, scope, before=event.received_at) == []
        just_after = event.received_at + timedelta(milliseconds=1)
        assert await pending_ids(event_log, scope, before=just_after) == [event.event_id]
        others = [shard for shard in ALL_SHARDS if shard != scope.shard]
        found = await event_log.pending(shards=others, received_before=now() + timedelta(1), limit=10_000)
        assert event not in found

    @pytest.mark.parametrize(
        ("attempts", "is_pending"),
        [
            ([(1, -60)], True),
            ([(1, 60)], False),
            ([(1, None)], False),
            ([(1, -60), (2, 60)], False),
            ([(2, 60), (1, -60)], False),
            ([(1, 60), (2, -60)], True),
        ],
    )
    async def test_failed_events_are_pending_past_their_next_try(
        self, event_log: EventLog, attempts: list[tuple[int, int | None]], is_pending: bool
    ) -> None:
        event = make_event(fresh_scope())
        await event_log.append(events=[event])
        for version, seconds in attempts:
            next_try_at = None if seconds is None else now() + timedelta(seconds=seconds)
            failed = make_outcome(event, state=EventState.FAILED, attempt_version=version, next_try_at=next_try_at)
            await event_log.record_outcomes(outcomes=[failed])
        assert await pending_ids(event_log, event.scope) == ([event.event_id] if is_pending else [])

    async def test_pending_is_oldest_first_and_bounded(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        start = datetime(2001, 1, 1, tzinfo=UTC)
        events = [make_event(scope, seq=number, received_at=start + timedelta(days=3 * number)) for number in range(5)]
        await event_log.append(events=[events[index] for index in (3, 0, 4, 1, 2)])
        found = await event_log.pending(shards=ALL_SHARDS, received_before=start + timedelta(days=9), limit=2)
        assert found == events[:2]
        found = await event_log.pending(shards=ALL_SHARDS, received_before=start + timedelta(days=9), limit=10)
        assert found == events[:3]
        await event_log.record_outcomes(outcomes=[make_outcome(event) for event in events])
