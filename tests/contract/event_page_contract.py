"""What every ``ports.event_log.EventLog`` does when it lists events."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from memplane.domain.clock import to_millis
from memplane.domain.ids import AgentId, EventId, Scope, SessionId, TenantId, UserId
from memplane.domain.memory import Event, EventState
from memplane.ports.event_log import EventLog, EventQuery
from tests.contract.event_log_contract import fresh_scope, make_event, make_outcome
from tests.support.memory_samples import AWKWARD, NOW

MINUTE = timedelta(minutes=1)


async def listed(log: EventLog, scope: Scope, **asked: Any) -> list[str]:
    return [event.content for event, _ in await log.page(query=EventQuery(scope=scope, **asked))]


def told(scope: Scope, content: str, *, at: datetime = NOW, **changes: Any) -> Event:
    return make_event(scope, content=content, event_time=at, received_at=NOW, **changes)


class EventPageContract:
    """Override ``event_log``."""

    @pytest.fixture
    async def event_log(self) -> EventLog:
        raise NotImplementedError

    async def test_events_come_whole_with_their_latest_outcome(self, event_log: EventLog) -> None:
        scope = fresh_scope("用户 'x'")
        settled = told(scope, "记住：我对花生过敏", metadata={"k": [None, "值"]}, agent_id=AgentId("a"), seq=2**63 + 1)
        open_event = told(scope, "later", at=NOW - MINUTE)
        await event_log.append(events=[settled, open_event])
        failed = make_outcome(settled, attempt_version=1, state=EventState.FAILED, item_outcome="failed")
        final = make_outcome(settled)
        await event_log.record_outcomes(outcomes=[final])
        await event_log.record_outcomes(outcomes=[failed])
        assert await event_log.page(query=EventQuery(scope=scope)) == [(settled, final), (open_event, None)]

    async def test_a_scope_without_events_is_an_empty_page(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        await event_log.append(events=[told(scope, "mine")])
        assert await listed(event_log, fresh_scope()) == []
        assert await listed(event_log, replace(scope, user_id=UserId("same tag, another user"))) == []
        assert await listed(event_log, replace(scope, tenant_id=TenantId("another"))) == []

    async def test_a_repeated_event_is_listed_once(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        event = told(scope, "once")
        for _ in range(3):
            await event_log.append(events=[event])
        assert await listed(event_log, scope) == ["once"]

    async def test_newest_first_and_within_one_time_by_arrival(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        events = [
            told(scope, "b", seq=2**62 + 2),
            told(scope, "a", seq=2**62 + 1),
            told(scope, "oldest", at=NOW - 400 * 365 * MINUTE * 1440 // 4, seq=9),
            told(scope, "newest", at=NOW + MINUTE, seq=3),
            told(scope, "c", seq=2**62 + 3),
        ]
        await event_log.append(events=events)
        assert await listed(event_log, scope) == ["newest", "c", "b", "a", "oldest"]

    async def test_pages_meet_without_gap_or_overlap(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        events = [
            told(scope, name, at=NOW + (number // 3) * MINUTE, seq=2**62 + number // 2, event_id=EventId(name))
            for number, name in enumerate("gfedcba")
        ]
        await event_log.append(events=events)
        seen: list[Event] = []
        after: tuple[Any, ...] = ()
        while page := await event_log.page(query=EventQuery(scope=scope, limit=2, after=after)):
            seen += [event for event, _ in page]
            after = (to_millis(seen[-1].event_time), seen[-1].seq, seen[-1].event_id)
        assert seen == sorted(events, key=lambda e: (e.event_time, e.seq, e.event_id), reverse=True)

    async def test_a_listing_narrows_by_session_role_and_time(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        events = [
            told(scope, "s1 user", session_id=SessionId("s1"), at=NOW),
            told(scope, "s1 tool", session_id=SessionId("s1"), role="tool", at=NOW - MINUTE),
            told(scope, "s2 user", session_id=SessionId("s2"), at=NOW - 2 * MINUTE),
            told(scope, "no session", role="event", at=NOW - 3 * MINUTE),
        ]
        await event_log.append(events=events)
        contents = [event.content for event in events]
        assert await listed(event_log, scope) == contents
        assert await listed(event_log, scope, session_id=SessionId("s1")) == contents[:2]
        assert await listed(event_log, scope, roles=("user",)) == ["s1 user", "s2 user"]
        assert await listed(event_log, scope, roles=("tool", "event")) == ["s1 tool", "no session"]
        assert await listed(event_log, scope, from_time=NOW - MINUTE) == contents[:2]
        assert await listed(event_log, scope, to_time=NOW - MINUTE) == contents[2:]
        assert await listed(event_log, scope, from_time=NOW - MINUTE, to_time=NOW) == ["s1 tool"]

    async def test_events_of_private_memories_show_to_their_agent(self, event_log: EventLog) -> None:
        scope = fresh_scope()
        private = told(scope, "private", agent_id=AgentId("a"), directives={"visibility": "private"})
        nobodys = told(scope, "nobody's", at=NOW - MINUTE, directives={"visibility": "private"})
        shared = told(scope, "shared", at=NOW - 2 * MINUTE, agent_id=AgentId("a"), directives={"visibility": "shared"})
        await event_log.append(events=[private, nobodys, shared])
        assert await listed(event_log, scope) == ["shared"]
        assert await listed(event_log, scope, viewer=AgentId("b")) == ["shared"]
        assert await listed(event_log, scope, viewer=AgentId("a")) == ["private", "shared"]
        assert await listed(event_log, scope, sees_private=True) == ["private", "nobody's", "shared"]

    @pytest.mark.parametrize("text", AWKWARD)
    async def test_parameters_mean_only_themselves(self, event_log: EventLog, text: str) -> None:
        scope = fresh_scope()
        await event_log.append(events=[told(scope, text, session_id=SessionId("s"))])
        assert await listed(event_log, replace(scope, user_id=UserId(text))) == []
        assert await listed(event_log, scope, session_id=SessionId(text)) == []
        assert await listed(event_log, scope, roles=(text,)) == []
        assert await listed(event_log, scope, viewer=AgentId(text)) == [text]
