"""What every ``ports.retrieval.ScopeSearch`` does."""

from __future__ import annotations

import math
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from memplane.domain.filter_eval import matches
from memplane.domain.filters import parse_filter
from memplane.domain.ids import AgentId, GenerationId, MemoryId, Scope, SessionId, TenantId, UserId
from memplane.domain.memory import Kind, Memory, Status, Visibility
from memplane.domain.ranking import WINDOW_REACH
from memplane.domain.results import StoredMemory
from memplane.domain.scope_rows import ScopeRows
from memplane.domain.text import tokenize
from memplane.ports.memory_store import MemoryStore
from memplane.ports.retrieval import ScopeQuery, ScopeSearch, Visible
from tests.support.memory_samples import (
    AWKWARD,
    DIM,
    GENERATION,
    NOW,
    fresh_scope,
    make_memory,
    next_version,
    other_id,
    unit_vector,
    vector_of,
)

TIMEOUT_S = 20.0
TOLERANCE = 1e-6
QUERY_VECTOR = unit_vector(999)
RecordUse = Callable[[Memory, int, datetime], Awaitable[None]]

VOCABULARY = (
    *AWKWARD,
    "成都",
    "火锅",
    "不吃辣",
    "订单",
    "ord-20250611-003",
    "8890",
    "lisbon",
    "coffee",
    "move",
    "the",
    "'",
)


def random_memories(scope: Scope, seed: int, count: int) -> list[Memory]:
    """Rows with random terms, some awkward, some rows without any; sessions of several rows, in any order of time."""
    rnd = random.Random(seed)
    sessions = [None, None, "s1", "会话 2", *rnd.sample(AWKWARD, 3)]
    return [
        make_memory(
            scope,
            terms=tuple(rnd.choices(VOCABULARY, weights=range(1, len(VOCABULARY) + 1), k=rnd.choice([0, 1, 3, 8, 20]))),
            session_id=rnd.choice(sessions),
            # Few moments, so that versions have to decide the order.
            event_time=NOW - timedelta(minutes=rnd.randrange(6)),
            speaker=rnd.choice(["", "user", "小王", *AWKWARD[:3]]),
            is_question=rnd.random() < 0.3,
            has_time=rnd.random() < 0.3,
            kind=rnd.choice([Kind.EPISODIC, Kind.SEMANTIC, Kind.FACT]),
        )
        for _ in range(count)
    ]


def seen_by(scope: Scope, **changes: Any) -> Visible:
    return Visible(scope=scope, now=NOW, **changes)


def asking(*terms: str, vector: bool = False) -> ScopeQuery:
    return ScopeQuery(
        terms=tuple(dict.fromkeys(terms)),
        vector=QUERY_VECTOR if vector else None,
        generation=GENERATION if vector else None,
    )


async def read_rows(scope_search: ScopeSearch, *, visible: Visible, query: ScopeQuery, timeout_s: float) -> ScopeRows:
    """Reads twice: a store that has learned how large a scope is may read it in another way, and must give the same."""
    first = (await scope_search.read(visible=visible, query=query, timeout_s=timeout_s)).rows
    again = await scope_search.read(visible=visible, query=query, timeout_s=timeout_s)
    assert_equal_rows(first, again.rows)
    if again.memories is not None:
        asked = [*again.rows.memory_ids, *again.rows.memory_ids[:1], other_id(visible.scope, "unknown")]
        hydrated = await scope_search.hydrate(visible=visible, memory_ids=asked, timeout_s=timeout_s)
        assert again.memories(asked) == hydrated
    return first


async def read_near_rows(
    scope_search: ScopeSearch,
    *,
    visible: Visible,
    query: ScopeQuery,
    memory_ids: Sequence[MemoryId],
    timeout_s: float,
    fresh_since: datetime = NOW + timedelta(days=1),
) -> ScopeRows:
    reading = await scope_search.read_near(
        visible=visible, query=query, memory_ids=memory_ids, fresh_since=fresh_since, timeout_s=timeout_s
    )
    return reading.rows


def assert_equal_rows(one: ScopeRows, other: ScopeRows) -> None:
    """The same rows; sessions may stand in another order."""

    def by_id(rows: ScopeRows) -> dict[MemoryId, tuple[Any, ...]]:
        cosines = [None] * len(rows) if rows.similarities is None else np.nan_to_num(rows.similarities, nan=-9.0)
        columns = (
            rows.places.tolist(), rows.lengths.tolist(), rows.counts.tolist(), list(cosines), rows.speakers,
            rows.is_question.tolist(), rows.has_time.tolist(), rows.is_fact.tolist(),
        )  # fmt: skip
        return dict(zip(rows.memory_ids, zip(*columns, strict=True), strict=True))

    assert by_id(one) == by_id(other)
    assert one.statistics.rows == other.statistics.rows
    assert one.statistics.mean_length == pytest.approx(other.statistics.mean_length)
    assert one.statistics.row_frequencies.tolist() == other.statistics.row_frequencies.tolist()


def ids(rows: ScopeRows) -> set[MemoryId]:
    assert len(set(rows.memory_ids)) == len(rows)
    return set(rows.memory_ids)


def in_order(memories: Sequence[Memory]) -> list[list[Memory]]:
    """The sessions of ``memories``, each in order; a row without a session is one of its own."""
    sessions: dict[str, list[Memory]] = {}
    for memory in sorted(memories, key=lambda memory: (memory.event_time, memory.version)):
        key = f"s{memory.session_id}" if memory.session_id else f"m{memory.memory_id}"
        sessions.setdefault(key, []).append(memory)
    return list(sessions.values())


def assert_same_order(rows: ScopeRows, memories: Sequence[Memory]) -> None:
    """Sessions stand together, in any order; within one, rows stand by time and version, and places count on."""
    runs: dict[int, list[tuple[int, MemoryId]]] = {}
    for session, place, memory_id in zip(rows.sessions.tolist(), rows.places.tolist(), rows.memory_ids, strict=True):
        runs.setdefault(session, []).append((place, memory_id))
    assert list(rows.sessions) == [session for session, run in runs.items() for _ in run]
    found = {tuple(memory_id for _, memory_id in run) for run in runs.values()}
    assert found == {tuple(memory.memory_id for memory in session) for session in in_order(memories)}
    for run in runs.values():
        first = run[0][0]
        assert [place - first for place, _ in run] == list(range(len(run)))


class ScopeSearchContract:
    """Override ``memory_store`` and ``scope_search`` (over the same data); ``record_use`` if uses can be recorded."""

    @pytest.fixture
    async def memory_store(self) -> MemoryStore:
        raise NotImplementedError

    @pytest.fixture
    async def scope_search(self, memory_store: MemoryStore) -> ScopeSearch:
        raise NotImplementedError

    @pytest.fixture
    def record_use(self) -> RecordUse:
        """Records that a memory was recalled so many times, the last time then. May add to what is recorded."""
        pytest.skip("no way to record uses")

    @pytest.mark.parametrize("seed", range(8))
    async def test_rows_carry_what_a_ranking_needs(
        self, memory_store: MemoryStore, scope_search: ScopeSearch, seed: int
    ) -> None:
        scope = fresh_scope(AWKWARD[seed])
        rnd = random.Random(seed)
        memories = random_memories(scope, seed, rnd.choice([1, 2, 7, 60]))
        hidden = [replace(memory, status=Status.SUPERSEDED) for memory in random_memories(scope, seed + 100, 10)]
        foreign = random_memories(fresh_scope(), seed + 200, 10)
        await memory_store.commit(versions=[*memories, *hidden, *foreign])
        query = asking(*rnd.choices(VOCABULARY, k=rnd.choice([1, 3, 9])), "no such term")
        rows = await read_rows(scope_search, visible=seen_by(scope), query=query, timeout_s=TIMEOUT_S)
        assert_same_order(rows, memories)
        by_id = {memory.memory_id: memory for memory in memories}
        for place, memory_id in enumerate(rows.memory_ids):
            memory = by_id[memory_id]
            assert rows.counts[place].tolist() == [memory.terms.count(term) for term in query.terms]
            assert rows.lengths[place] == max(1, len(memory.terms))
            assert rows.speakers[place] == memory.speaker
            assert (rows.is_question[place], rows.has_time[place]) == (memory.is_question, memory.has_time)
            assert rows.is_fact[place] == (memory.kind is Kind.FACT)
        assert rows.similarities is None
        assert rows.statistics.rows == len(memories)
        assert rows.statistics.mean_length == pytest.approx(np.mean([len(memory.terms) for memory in memories]))
        held = [sum(term in memory.terms for memory in memories) for term in query.terms]
        assert rows.statistics.row_frequencies.tolist() == held

    @pytest.mark.parametrize("seed", range(4))
    async def test_given_rows_and_their_neighbours_are_as_among_all(
        self, memory_store: MemoryStore, scope_search: ScopeSearch, seed: int
    ) -> None:
        scope = fresh_scope()
        memories = random_memories(scope, seed, 60)
        await memory_store.commit(versions=memories)
        await memory_store.put_vectors(
            vectors=[vector_of(memory, unit_vector(place)) for place, memory in enumerate(memories[::2])]
        )
        query = asking(*random.Random(seed).choices(VOCABULARY, k=5), vector=True)
        everything = await read_rows(scope_search, visible=seen_by(scope), query=query, timeout_s=TIMEOUT_S)
        asked = [memory.memory_id for memory in memories[:5]] + [other_id(scope, "unknown")]
        near = await read_near_rows(
            scope_search, visible=seen_by(scope), query=query, memory_ids=[*asked, asked[0]], timeout_s=TIMEOUT_S
        )
        expected = {
            other.memory_id
            for session in in_order(memories)
            for place, memory in enumerate(session)
            if memory.memory_id in asked
            for other in session[max(0, place - WINDOW_REACH) : place + WINDOW_REACH + 1]
        }
        assert ids(near) == expected
        assert near.statistics.rows == everything.statistics.rows
        assert near.statistics.mean_length == pytest.approx(everything.statistics.mean_length)
        assert near.statistics.row_frequencies.tolist() == everything.statistics.row_frequencies.tolist()
        assert near.similarities is not None
        assert everything.similarities is not None
        whole = {memory_id: place for place, memory_id in enumerate(everything.memory_ids)}
        gaps = {}
        for place, memory_id in enumerate(near.memory_ids):
            other = whole[memory_id]
            assert near.counts[place].tolist() == everything.counts[other].tolist()
            assert near.lengths[place] == everything.lengths[other]
            assert near.similarities[place] == pytest.approx(everything.similarities[other], abs=TOLERANCE, nan_ok=True)
            session = int(everything.sessions[other])
            gaps.setdefault(session, set()).add(int(near.places[place]) - int(everything.places[other]))
        # Places may count from any number, but from one number in a session.
        assert all(len(offsets) == 1 for offsets in gaps.values())

    async def test_fresh_rows_come_without_being_asked_for(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        old = make_memory(scope, terms=("火锅",), updated_at=NOW - timedelta(minutes=5))
        fresh = make_memory(scope, terms=("火锅",), updated_at=NOW - timedelta(seconds=5))
        edge = make_memory(scope, terms=("火锅",), updated_at=NOW - timedelta(seconds=60))
        await memory_store.commit(versions=[old, fresh, edge])
        near = await read_near_rows(
            scope_search,
            visible=seen_by(scope),
            query=asking("火锅", vector=True),
            memory_ids=[],
            fresh_since=NOW - timedelta(seconds=60),
            timeout_s=TIMEOUT_S,
        )
        assert ids(near) == {fresh.memory_id, edge.memory_id}
        assert near.statistics.rows == 3

    async def test_similarity_is_the_cosine(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        memories = [make_memory(scope) for _ in range(20)]
        await memory_store.commit(versions=memories)
        vectors = [vector_of(memory, unit_vector(place)) for place, memory in enumerate(memories)]
        for _ in range(2):
            await memory_store.put_vectors(vectors=vectors)
        found = await self.similarities(scope_search, seen_by(scope))
        assert set(found) == {memory.memory_id for memory in memories}
        for vector in vectors:
            expected = float(np.dot(vector.vector.astype(np.float64), QUERY_VECTOR))
            assert found[vector.memory_id] == pytest.approx(expected, abs=TOLERANCE)

    async def test_similarity_stays_within_its_ends(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        same, opposite = make_memory(scope), make_memory(scope)
        await memory_store.commit(versions=[same, opposite])
        await memory_store.put_vectors(vectors=[vector_of(same, QUERY_VECTOR), vector_of(opposite, -QUERY_VECTOR)])
        cosines = await self.similarities(scope_search, seen_by(scope))
        assert cosines[same.memory_id] == pytest.approx(1.0, abs=TOLERANCE)
        assert cosines[opposite.memory_id] == pytest.approx(-1.0, abs=TOLERANCE)
        assert all(-1.0 <= cosine <= 1.0 for cosine in cosines.values())

    async def test_only_a_vector_of_the_current_text_and_this_generation_counts(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        with_vector, changed, other_space, wrong_size, empty, without, fact = (
            make_memory(scope, terms=("火锅",), kind=kind) for kind in (*[Kind.EPISODIC] * 6, Kind.FACT)
        )
        await memory_store.commit(versions=[with_vector, changed, other_space, wrong_size, empty, without, fact])
        await memory_store.put_vectors(
            vectors=[
                vector_of(with_vector, unit_vector(1)),
                vector_of(changed, unit_vector(2)),
                vector_of(other_space, unit_vector(3), generation=GenerationId("other.v1")),
                vector_of(wrong_size, unit_vector(4, DIM * 2)),
                vector_of(empty, np.array([], np.float32)),
                vector_of(fact, unit_vector(5)),
            ]
        )
        await memory_store.commit(versions=[next_version(changed, summary_hash="new text")])
        cosines = await self.similarities(scope_search, seen_by(scope))
        # Rows without a vector, and facts, are rows all the same: their words may find them.
        assert len(cosines) == 7
        assert [memory_id for memory_id, cosine in cosines.items() if not math.isnan(cosine)] == [with_vector.memory_id]

    async def similarities(self, scope_search: ScopeSearch, visible: Visible) -> dict[MemoryId, float]:
        rows = await read_rows(scope_search, visible=visible, query=asking(vector=True), timeout_s=TIMEOUT_S)
        assert rows.similarities is not None
        return dict(zip(rows.memory_ids, rows.similarities.tolist(), strict=True))

    async def with_words(self, scope_search: ScopeSearch, visible: Visible, *terms: str) -> set[MemoryId]:
        rows = await read_rows(scope_search, visible=visible, query=asking(*terms), timeout_s=TIMEOUT_S)
        return {memory_id for memory_id, counts in zip(rows.memory_ids, rows.counts, strict=True) if counts.any()}

    async def test_words_are_found_as_they_were_cut(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope("用户一")
        texts = [
            "用户周五去成都出差",
            "订单ORD-20250611-003已付款",
            "The user's account ends in 8890",
            'it\'s a "quote" \\',
        ]
        memories = [make_memory(scope, content=text, terms=tuple(tokenize(text))) for text in texts]
        await memory_store.commit(versions=memories)
        for question, place in [("成都", 0), ("ORD-20250611-003", 1), ("尾号 8890", 2), ("quotes", 3)]:
            found = await self.with_words(scope_search, seen_by(scope), *tokenize(question))
            assert found == {memories[place].memory_id}

    async def test_no_arm_still_shows_the_rows(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        memory = make_memory(scope)
        await memory_store.commit(versions=[memory])
        rows = await read_rows(scope_search, visible=seen_by(scope), query=asking(), timeout_s=TIMEOUT_S)
        assert rows.memory_ids == (memory.memory_id,)
        assert rows.counts.shape == (1, 0)

    async def test_an_unknown_scope_is_empty(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        visible, query = seen_by(fresh_scope()), asking("coffee", vector=True)
        unknown = [other_id(visible.scope, "unknown")]
        rows = await read_rows(scope_search, visible=visible, query=query, timeout_s=TIMEOUT_S)
        near = await read_near_rows(scope_search, visible=visible, query=query, memory_ids=unknown, timeout_s=TIMEOUT_S)
        for empty in (rows, near):
            assert len(empty) == 0
            assert empty.counts.shape == (0, 1)
            assert empty.statistics.rows == 0
            assert empty.statistics.row_frequencies.tolist() == [0.0]
        assert await scope_search.hydrate(visible=visible, memory_ids=unknown, timeout_s=TIMEOUT_S) == []
        assert await scope_search.hydrate(visible=visible, memory_ids=[], timeout_s=TIMEOUT_S) == []
        assert await scope_search.recent(visible=visible, limit=5, timeout_s=TIMEOUT_S) == []

    async def everywhere(
        self, scope_search: ScopeSearch, visible: Visible, memories: Sequence[Memory], *terms: str
    ) -> set[MemoryId]:
        """What a reader gets of ``memories``, which must be the same by every way."""
        query = asking(*(terms or ("火锅",)), vector=True)
        asked = [memory.memory_id for memory in memories]
        found = ids(await read_rows(scope_search, visible=visible, query=query, timeout_s=TIMEOUT_S))
        near = await read_near_rows(scope_search, visible=visible, query=query, memory_ids=asked, timeout_s=TIMEOUT_S)
        hydrated = await scope_search.hydrate(visible=visible, memory_ids=asked, timeout_s=TIMEOUT_S)
        newest = await scope_search.recent(visible=visible, limit=100, timeout_s=TIMEOUT_S)
        assert ids(near) == found
        assert {stored.memory.memory_id for stored in hydrated} == found
        assert set(newest) == found
        return found

    async def test_only_active_and_current_rows_come_out(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        by_status = {status: make_memory(scope, terms=("火锅",), status=status) for status in Status}
        just_over = {"expires_at": NOW, "terms": ("火锅",)}
        expired = make_memory(scope, **just_over)
        ended = make_memory(scope, terms=("火锅",), valid_to=NOW)
        lasting = make_memory(
            scope, terms=("火锅",), expires_at=NOW + timedelta(milliseconds=1), valid_to=NOW + timedelta(days=1)
        )
        deleted = make_memory(scope, terms=("火锅",))
        everything = [*by_status.values(), expired, ended, lasting, deleted]
        await memory_store.commit(versions=everything)
        await memory_store.put_vectors(vectors=[vector_of(memory, unit_vector(1)) for memory in everything])
        await memory_store.commit(versions=[next_version(deleted, status=Status.FORGOTTEN)])
        plain = {by_status[Status.ACTIVE].memory_id, lasting.memory_id}
        assert await self.everywhere(scope_search, seen_by(scope), everything) == plain
        with_archived = seen_by(scope, include_archived=True)
        assert await self.everywhere(scope_search, with_archived, everything) == {
            *plain,
            by_status[Status.ARCHIVED].memory_id,
        }
        later = replace(seen_by(scope), now=NOW + timedelta(milliseconds=1))
        assert await self.everywhere(scope_search, later, everything) == {by_status[Status.ACTIVE].memory_id}

    async def test_an_overwritten_wording_is_not_found(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        memory = make_memory(scope, terms=("能吃辣",))
        await memory_store.commit(versions=[memory])
        changed = next_version(memory, terms=("不吃辣",))
        await memory_store.commit(versions=[changed])
        assert await self.with_words(scope_search, seen_by(scope), "能吃辣") == set()
        assert await self.with_words(scope_search, seen_by(scope), "不吃辣") == {memory.memory_id}
        (stored,) = await scope_search.hydrate(
            visible=seen_by(scope), memory_ids=[memory.memory_id], timeout_s=TIMEOUT_S
        )
        assert stored.memory == changed

    async def test_private_rows_are_for_their_agent(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        agents = [AgentId("a"), *map(AgentId, AWKWARD), None]
        private = {
            agent: make_memory(scope, terms=("火锅",), agent_id=agent, visibility=Visibility.PRIVATE)
            for agent in agents
        }
        shared = make_memory(scope, terms=("火锅",), agent_id=AgentId("b"))
        everything = [*private.values(), shared]
        await memory_store.commit(versions=everything)
        for agent in agents:
            expected = {shared.memory_id} if agent is None else {shared.memory_id, private[agent].memory_id}
            seen = seen_by(scope, viewer=agent)
            assert await self.everywhere(scope_search, seen, everything) == expected
        everyone = {memory.memory_id for memory in everything}
        assert await self.everywhere(scope_search, seen_by(scope, sees_private=True), everything) == everyone

    async def test_kinds_categories_and_times_narrow(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        early = make_memory(
            scope, terms=("火锅",), kind=Kind.SEMANTIC, category="preference", event_time=NOW - timedelta(days=3)
        )
        middle = make_memory(scope, terms=("火锅",), category=AWKWARD[0], event_time=NOW - timedelta(days=2))
        ancient = make_memory(scope, terms=("火锅",), category="自定义", event_time=datetime(1903, 1, 1, tzinfo=UTC))
        late = make_memory(scope, terms=("火锅",), kind=Kind.FACT, category="state", event_time=NOW + timedelta(days=1))
        everything = [early, middle, late, ancient]
        await memory_store.commit(versions=everything)

        async def found(**changes: Any) -> set[MemoryId]:
            return await self.everywhere(scope_search, seen_by(scope, **changes), everything)

        assert await found() == {memory.memory_id for memory in everything}
        assert await found(kinds=("semantic", "fact")) == {early.memory_id, late.memory_id}
        assert await found(categories=(AWKWARD[0], "自定义")) == {middle.memory_id, ancient.memory_id}
        assert await found(categories=AWKWARD[1:]) == set()
        assert await found(kinds=("episodic",), categories=("自定义",)) == {ancient.memory_id}
        assert await found(from_time=early.event_time) == {early.memory_id, middle.memory_id, late.memory_id}
        assert await found(to_time=middle.event_time) == {ancient.memory_id, early.memory_id}
        assert await found(from_time=early.event_time, to_time=middle.event_time) == {early.memory_id}

    @pytest.mark.parametrize(
        "asked",
        [
            {"metadata.lang": {"eq": "zh"}},
            {"not": {"metadata.lang": {"eq": "zh"}}},
            {"or": [{"importance": {"gte": 0.9}}, {"metadata.tags": {"contains": "x' OR 1 = 1 --"}}]},
            {"metadata.missing": {"exists": True}},
        ],
    )
    async def test_a_callers_filter_narrows_every_read(
        self, memory_store: MemoryStore, scope_search: ScopeSearch, asked: dict[str, Any]
    ) -> None:
        scope = fresh_scope()
        memories = [
            make_memory(scope, terms=("火锅",), metadata={"lang": "zh"}),
            make_memory(scope, terms=("火锅",), metadata={"lang": "en", "tags": ["x' OR 1 = 1 --"]}),
            make_memory(scope, terms=("火锅",), importance=0.95),
        ]
        await memory_store.commit(versions=memories)
        tree = parse_filter(asked)
        expected = {memory.memory_id for memory in memories if matches(tree, StoredMemory(memory=memory))}
        assert await self.everywhere(scope_search, seen_by(scope, filter=tree), memories) == expected
        # What a narrowed read saw says nothing about the next one.
        everything = {memory.memory_id for memory in memories}
        assert await self.everywhere(scope_search, seen_by(scope), memories) == everything

    async def test_other_scopes_never_come_out(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        mine = make_memory(fresh_scope(), terms=("火锅",))
        other_tenant = replace(mine.scope, tenant_id=TenantId("t-foreign"))
        other_tag = replace(mine.scope, tag=fresh_scope().tag)
        foreign = [
            # The same memory id under another tenant and under another tag; another user behind the same tag.
            next_version(mine, scope=other_tenant, content="theirs"),
            next_version(mine, scope=other_tag, content="theirs"),
            make_memory(replace(mine.scope, user_id=UserId("user-2")), terms=("火锅",), content="theirs"),
        ]
        await memory_store.commit(versions=[mine, *foreign])
        await memory_store.put_vectors(vectors=[vector_of(memory, unit_vector(1)) for memory in foreign])
        assert await self.everywhere(scope_search, seen_by(mine.scope), [mine, *foreign]) == {mine.memory_id}
        query = asking("火锅", vector=True)
        found = await read_rows(scope_search, visible=seen_by(mine.scope), query=query, timeout_s=TIMEOUT_S)
        assert found.memory_ids == (mine.memory_id,)
        assert found.similarities is not None
        assert math.isnan(found.similarities[0])
        # One row in the scope: foreign rows are in no statistic.
        assert (found.statistics.rows, found.statistics.row_frequencies.tolist()) == (1, [1.0])
        for stranger in ("nobody", *AWKWARD):
            visible = seen_by(replace(mine.scope, user_id=UserId(stranger)), sees_private=True, include_archived=True)
            assert await self.everywhere(scope_search, visible, [mine, *foreign]) == set()

    @pytest.mark.parametrize("text", AWKWARD)
    async def test_whatever_callers_write_is_only_text(
        self, memory_store: MemoryStore, scope_search: ScopeSearch, text: str
    ) -> None:
        scope = fresh_scope(text)
        awkward = make_memory(
            scope, memory_id=MemoryId(text), terms=(text,), session_id=SessionId(text), category=text, content=text
        )
        plain = make_memory(scope, terms=("plain",))
        await memory_store.commit(versions=[awkward, plain])
        visible = seen_by(scope)
        assert await self.with_words(scope_search, visible, text) == {MemoryId(text)}
        near = await read_near_rows(
            scope_search, visible=visible, query=asking(text), memory_ids=[awkward.memory_id], timeout_s=TIMEOUT_S
        )
        assert near.memory_ids == (text,)
        hydrated = await scope_search.hydrate(visible=visible, memory_ids=[awkward.memory_id], timeout_s=TIMEOUT_S)
        assert [stored.memory for stored in hydrated] == [awkward]

    async def test_hydration_keeps_the_order_given(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        memories = [make_memory(scope, content=f"第{place}条") for place in range(6)]
        await memory_store.commit(versions=memories)
        asked = [memories[place] for place in (3, 0, 5, 1)]
        memory_ids = [memory.memory_id for memory in asked]
        memory_ids.insert(2, other_id(scope, "unknown"))
        found = await scope_search.hydrate(
            visible=seen_by(scope), memory_ids=[*memory_ids, memory_ids[0]], timeout_s=TIMEOUT_S
        )
        assert [stored.memory for stored in found] == asked

    async def test_recent_rows_come_newest_first(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        memories = [make_memory(scope, event_time=NOW - timedelta(minutes=(place * 7) % 10)) for place in range(10)]
        await memory_store.commit(versions=memories)
        found = await scope_search.recent(visible=seen_by(scope), limit=4, timeout_s=TIMEOUT_S)
        expected = sorted(memories, key=lambda memory: memory.event_time, reverse=True)[:4]
        assert found == [memory.memory_id for memory in expected]

    async def test_uses_come_with_the_memory(
        self, memory_store: MemoryStore, scope_search: ScopeSearch, record_use: RecordUse
    ) -> None:
        scope = fresh_scope()
        used, unused = make_memory(scope), make_memory(scope)
        await memory_store.commit(versions=[used, unused])
        await record_use(used, 2, NOW - timedelta(hours=2))
        await record_use(used, 3, NOW - timedelta(hours=1))
        await record_use(replace(used, scope=fresh_scope()), 7, NOW)
        first, second = await scope_search.hydrate(
            visible=seen_by(scope), memory_ids=[used.memory_id, unused.memory_id], timeout_s=TIMEOUT_S
        )
        assert (first.access.access_count, first.access.last_accessed_at) == (5, NOW - timedelta(hours=1))
        assert (second.access.access_count, second.access.last_accessed_at) == (0, None)
        stored = await memory_store.get(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=used.memory_id)
        assert stored == first
