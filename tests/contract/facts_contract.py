"""What every ``ports.memory_store.MemoryStore`` does with facts, and with pages of a history."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from memplane.domain.clock import rank_of, to_millis
from memplane.domain.ids import AgentId, Scope, UserId, derive_fact_memory_id
from memplane.domain.memory import Kind, Memory, Status, Visibility
from memplane.ports.memory_store import FactQuery, MemoryStore
from tests.support.memory_samples import AWKWARD, NOW, fresh_scope, make_memory

DAY = timedelta(days=1)


def make_fact(scope: Scope, value: Any, *, key: str = "order/ORD-1/status", **changes: Any) -> Memory:
    """A version of the fact ``key``: valid and recorded from ``NOW`` on unless told otherwise."""
    memory = make_memory(scope, kind=Kind.FACT, category="state", valid_from=changes.pop("valid_from", NOW))
    rank = rank_of(version=memory.version, valid_from=memory.valid_from)
    memory_id = derive_fact_memory_id(scope, fact_key=key)
    return replace(memory, memory_id=memory_id, rank=rank, fact_key=key, fact_value=value, **changes)


async def values(store: MemoryStore, scope: Scope, **asked: Any) -> list[Any]:
    asked.setdefault("now", NOW + 365 * DAY)
    return [memory.fact_value for memory in await store.facts(query=FactQuery(scope=scope, **asked))]


class FactsContract:
    """Override ``memory_store``."""

    @pytest.fixture
    async def memory_store(self) -> MemoryStore:
        raise NotImplementedError

    @pytest.mark.parametrize(
        "value", ["paid", "已付款", "", 45, 4.5, -1, True, None, [], ["a", 1, None], {"金额": {"cny": 12}}]
    )
    async def test_a_fact_comes_back_as_it_went_in(self, memory_store: MemoryStore, value: Any) -> None:
        fact = make_fact(fresh_scope(), value)
        await memory_store.commit(versions=[fact])
        assert await memory_store.facts(query=FactQuery(scope=fact.scope, now=NOW)) == [fact]
        assert await memory_store.facts(query=FactQuery(scope=fact.scope, now=NOW, as_of=NOW)) == [fact]

    async def test_the_current_value_is_the_one_valid_from_latest(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        newer, late = make_fact(scope, "paid"), make_fact(scope, "open", valid_from=NOW - DAY)
        assert late.version > newer.version
        await memory_store.commit(versions=[newer])
        await memory_store.commit(versions=[late])
        assert await values(memory_store, scope) == ["paid"]

    @pytest.mark.parametrize("times", ["as_of", "known_at", "both"])
    async def test_before_its_time_a_fact_is_absent(self, memory_store: MemoryStore, times: str) -> None:
        fact = make_fact(fresh_scope(), "paid", recorded_at=NOW)
        await memory_store.commit(versions=[fact])
        names = ["as_of", "known_at"] if times == "both" else [times]
        moment = timedelta(milliseconds=1)
        assert await values(memory_store, fact.scope, **dict.fromkeys(names, NOW - moment)) == []
        assert await values(memory_store, fact.scope, **dict.fromkeys(names, NOW)) == ["paid"]

    async def test_two_times_tell_what_was_true_and_what_was_known(self, memory_store: MemoryStore) -> None:
        """Told on day 0: open from day 0. Told on day 2: paid from day 1 on. Told on day 4: cancelled from day 3 on."""
        scope = fresh_scope()
        told = [
            make_fact(scope, "open", valid_from=NOW, recorded_at=NOW),
            make_fact(scope, "paid", valid_from=NOW + DAY, recorded_at=NOW + 2 * DAY),
            make_fact(scope, "cancelled", valid_from=NOW + 3 * DAY, recorded_at=NOW + 4 * DAY),
        ]
        await memory_store.commit(versions=told)
        cases: list[tuple[float, float, list[str]]] = [
            (0, 0, ["open"]),
            (1, 1, ["open"]),
            (1, 2, ["paid"]),
            (0.5, 9, ["open"]),
            (2.5, 9, ["paid"]),
            (3, 3, ["paid"]),
            (3, 4, ["cancelled"]),
            (9, 9, ["cancelled"]),
            (-1, 9, []),
            (9, -1, []),
        ]
        for as_of, known_at, expected in cases:
            found = await values(memory_store, scope, as_of=NOW + as_of * DAY, known_at=NOW + known_at * DAY)
            assert found == expected, (as_of, known_at)

    async def test_a_value_of_the_past_tells_when_the_next_took_over(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        first = make_fact(scope, "open")
        second = make_fact(scope, "paid", valid_from=NOW + DAY, recorded_at=NOW + 2 * DAY)
        await memory_store.commit(versions=[first, second])

        async def end(known_at: datetime) -> datetime | None:
            query = FactQuery(scope=scope, now=NOW + 9 * DAY, as_of=NOW, known_at=known_at)
            (found,) = await memory_store.facts(query=query)
            return found.valid_to

        assert await end(NOW + DAY) is None
        assert await end(NOW + 2 * DAY) == NOW + DAY

    @pytest.mark.parametrize("first", ["smaller", "greater"])
    async def test_of_equal_times_the_greater_version_stands(self, memory_store: MemoryStore, first: str) -> None:
        scope = fresh_scope()
        smaller, greater = make_fact(scope, "a"), make_fact(scope, "b")
        ordered = [smaller, greater] if first == "smaller" else [greater, smaller]
        for fact in ordered:
            await memory_store.commit(versions=[fact])
        assert await values(memory_store, scope) == ["b"]
        assert await values(memory_store, scope, as_of=NOW) == ["b"]

    async def test_what_was_deleted_is_absent_from_then_on_until_it_is_set_again(
        self, memory_store: MemoryStore
    ) -> None:
        scope = fresh_scope()
        told = [
            make_fact(scope, "open"),
            make_fact(scope, "open", valid_from=NOW + DAY, status=Status.FORGOTTEN),
            make_fact(scope, "again", valid_from=NOW + 2 * DAY),
        ]
        expected: list[tuple[int, list[str]]] = [(0, ["open"]), (1, []), (2, ["again"])]
        for count in (2, 3):
            await memory_store.commit(versions=told[:count])
            assert await values(memory_store, scope) == ([] if count == 2 else ["again"])
            for day, found in expected[:count]:
                assert await values(memory_store, scope, as_of=NOW + day * DAY) == found

    @pytest.mark.parametrize(
        ("changes", "now_shown", "then_shown"),
        [
            ({"status": Status.SUPERSEDED}, False, True),
            ({"status": Status.ARCHIVED}, False, False),
            ({"status": Status.PENDING_REVIEW}, False, False),
            ({"expires_at": NOW + DAY}, False, True),
            ({"expires_at": NOW}, False, False),
            ({"valid_to": NOW + DAY}, False, True),
            ({"valid_to": NOW}, False, False),
        ],
    )
    async def test_status_and_ends_decide_what_shows(
        self, memory_store: MemoryStore, changes: dict[str, Any], now_shown: bool, then_shown: bool
    ) -> None:
        fact = make_fact(fresh_scope(), 1, **changes)
        await memory_store.commit(versions=[fact])
        assert await values(memory_store, fact.scope, now=NOW + DAY) == ([1] if now_shown else [])
        assert await values(memory_store, fact.scope, as_of=NOW) == ([1] if then_shown else [])

    @pytest.mark.parametrize("asked", [{}, {"as_of": NOW + DAY}])
    async def test_facts_narrow_by_entity_type_and_id(self, memory_store: MemoryStore, asked: dict[str, Any]) -> None:
        scope = fresh_scope()
        keys = ["order/ORD-1/status", "order/ORD-2/status", "orders/ORD-1/status", "订单/一/状态", "order%/x/y"]
        facts = [make_fact(scope, key, key=key) for key in keys]
        await memory_store.commit(versions=[*facts, make_memory(scope)])
        assert sorted(await values(memory_store, scope, **asked)) == sorted(keys)
        assert sorted(await values(memory_store, scope, entity_type="order", **asked)) == keys[:2]
        assert await values(memory_store, scope, entity_type="订单", **asked) == keys[3:4]
        assert await values(memory_store, scope, entity_type="order%", **asked) == keys[4:]
        assert await values(memory_store, scope, entity_type="ord", **asked) == []
        assert await values(memory_store, scope, memory_ids=(facts[1].memory_id,), **asked) == keys[1:2]

    @pytest.mark.parametrize("asked", [{}, {"as_of": NOW + DAY}])
    @pytest.mark.parametrize("text", AWKWARD)
    async def test_parameters_mean_only_themselves(
        self, memory_store: MemoryStore, text: str, asked: dict[str, Any]
    ) -> None:
        fact = make_fact(fresh_scope(), text)
        await memory_store.commit(versions=[fact])
        stranger = replace(fact.scope, user_id=UserId(text))
        assert await values(memory_store, stranger, **asked) == []
        assert await values(memory_store, fact.scope, entity_type=text, **asked) == []
        assert await values(memory_store, fact.scope, **asked) == [text]

    @pytest.mark.parametrize("asked", [{}, {"as_of": NOW + DAY}])
    async def test_private_facts_show_to_their_agent(self, memory_store: MemoryStore, asked: dict[str, Any]) -> None:
        fact = make_fact(fresh_scope(), 1, visibility=Visibility.PRIVATE, agent_id=AgentId("a"))
        await memory_store.commit(versions=[fact])
        assert await values(memory_store, fact.scope, **asked) == []
        assert await values(memory_store, fact.scope, viewer=AgentId("b"), **asked) == []
        assert await values(memory_store, fact.scope, viewer=AgentId("a"), **asked) == [1]
        assert await values(memory_store, fact.scope, sees_private=True, **asked) == [1]

    @pytest.mark.parametrize("asked", [{}, {"as_of": NOW + 9 * DAY}])
    async def test_pages_of_facts_meet_newest_first(self, memory_store: MemoryStore, asked: dict[str, Any]) -> None:
        scope = fresh_scope()
        facts = [
            make_fact(scope, number, key=f"n/{number}/v", valid_from=NOW + (number // 2) * DAY) for number in range(7)
        ]
        await memory_store.commit(versions=facts)
        seen: list[Memory] = []
        after: tuple[Any, ...] = ()
        while True:
            query = FactQuery(scope=scope, now=NOW + 9 * DAY, limit=2, after=after, **asked)
            page = await memory_store.facts(query=query)
            if not page:
                break
            seen += page
            after = (to_millis(page[-1].valid_from), page[-1].memory_id)
        ordered = sorted(facts, key=lambda fact: (fact.valid_from, fact.memory_id), reverse=True)
        assert [fact.memory_id for fact in seen] == [fact.memory_id for fact in ordered]

    async def test_a_history_comes_whole_or_in_pages_from_its_end(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        versions = [make_fact(scope, number) for number in range(5)]
        await memory_store.commit(versions=versions)
        await memory_store.commit(versions=versions[2:3])
        memory_id = versions[0].memory_id
        assert await memory_store.history(scope=scope, memory_id=memory_id) == versions
        page = await memory_store.history(scope=scope, memory_id=memory_id, limit=2)
        assert page == versions[3:]
        page = await memory_store.history(scope=scope, memory_id=memory_id, before=page[0].version, limit=2)
        assert page == versions[1:3]
        page = await memory_store.history(scope=scope, memory_id=memory_id, before=page[0].version, limit=2)
        assert page == versions[:1]
        assert await memory_store.history(scope=scope, memory_id=memory_id, before=page[0].version) == []
