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

from memplane.domain.ids import AgentId, GenerationId, MemoryId, Scope, SessionId, TenantId, UserId
from memplane.domain.memory import Kind, Memory, Status, Visibility
from memplane.domain.text import tokenize
from memplane.ports.memory_store import MemoryStore
from memplane.ports.retrieval import Candidate, ScopeQuery, ScopeSearch, Visible
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

VOCABULARY = (*AWKWARD, "成都", "火锅", "不吃辣", "订单", "ord-20250611-003", "8890", "lisbon", "coffee", "move", "the", "'")


def reference_scores(memories: Sequence[Memory], terms: Sequence[str]) -> dict[MemoryId, tuple[float, float]]:
    """Own and neighbour BM25 of each row, straight from the formula."""

    def near(memory: Memory) -> list[Memory]:
        if memory.session_id is None:
            return [memory]
        session = sorted(
            (other for other in memories if other.session_id == memory.session_id),
            key=lambda other: (other.event_time, other.version),
        )
        place = session.index(memory)
        return session[max(0, place - 2) : place + 3]

    def score(document: Sequence[str], mean_length: float) -> float:
        total = 0.0
        for term in {term for term in terms if term}:
            holding = sum(term in memory.terms for memory in memories)
            idf = math.log(1 + (len(memories) - holding + 0.5) / (holding + 0.5))
            count = document.count(term)
            if count:
                total += idf * count * 2.2 / (count + 1.2 * (1 - 0.75 + 0.75 * len(document) / mean_length))
        return total

    joined = {memory.memory_id: [term for one in near(memory) for term in one.terms] for memory in memories}
    own_mean = sum(len(memory.terms) for memory in memories) / max(1, len(memories))
    near_mean = sum(len(document) for document in joined.values()) / max(1, len(memories))
    return {
        memory.memory_id: (score(list(memory.terms), own_mean), score(joined[memory.memory_id], near_mean))
        for memory in memories
    }


def random_memories(scope: Scope, seed: int, count: int) -> list[Memory]:
    """Rows with random terms, some of them awkward, some without any; sessions of several rows, in any order of time."""
    rnd = random.Random(seed)
    sessions = [None, None, "s1", "会话 2", *rnd.sample(AWKWARD, 3)]
    return [
        make_memory(
            scope,
            terms=tuple(rnd.choices(VOCABULARY, weights=range(1, len(VOCABULARY) + 1), k=rnd.choice([0, 1, 3, 8, 20]))),
            session_id=rnd.choice(sessions),
            # Few moments, so that versions have to decide the order.
            event_time=NOW - timedelta(minutes=rnd.randrange(6)),
        )
        for _ in range(count)
    ]


def seen_by(scope: Scope, **changes: Any) -> Visible:
    return Visible(scope=scope, now=NOW, **changes)


def asking(*terms: str, vector: bool = False, limit: int = 100) -> ScopeQuery:
    return ScopeQuery(
        terms=terms,
        vector=QUERY_VECTOR if vector else None,
        generation=GENERATION if vector else None,
        limit_per_arm=limit,
    )


def ids(found: Sequence[Candidate]) -> set[MemoryId]:
    assert len({candidate.memory_id for candidate in found}) == len(found)
    return {candidate.memory_id for candidate in found}


class ScopeSearchContract:
    """Override ``memory_store`` and ``scope_search`` (over the same data), and ``record_use`` where uses can be recorded."""

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
    async def test_scores_are_those_of_the_formula(
        self, memory_store: MemoryStore, scope_search: ScopeSearch, seed: int
    ) -> None:
        scope = fresh_scope(AWKWARD[seed])
        rnd = random.Random(seed)
        memories = random_memories(scope, seed, rnd.choice([1, 2, 7, 60]))
        hidden = [replace(memory, status=Status.SUPERSEDED) for memory in random_memories(scope, seed + 100, 10)]
        foreign = random_memories(fresh_scope(), seed + 200, 10)
        await memory_store.commit(versions=[*memories, *hidden, *foreign])
        # Repeated terms count once, unknown ones nothing.
        terms = [*rnd.choices(VOCABULARY, k=rnd.choice([1, 3, 9])), "no such term", ""]
        query = asking(*terms, *terms)
        found = await scope_search.search(visible=seen_by(scope), query=query, timeout_s=TIMEOUT_S)
        expected = {
            memory_id: scores for memory_id, scores in reference_scores(memories, terms).items() if any(scores)
        }
        assert ids(found) == set(expected)
        by_id = {memory.memory_id: memory for memory in memories}
        for candidate in found:
            own, near = expected[candidate.memory_id]
            assert candidate.keyword == pytest.approx(own, abs=TOLERANCE)
            assert candidate.neighbour_keyword == pytest.approx(near, abs=TOLERANCE)
            assert candidate.similarity is None
            memory = by_id[candidate.memory_id]
            assert (candidate.version, candidate.session_id) == (memory.version, memory.session_id)
            assert candidate.event_time == memory.event_time

    @pytest.mark.parametrize("seed", range(4))
    async def test_given_rows_score_as_they_do_in_a_search(
        self, memory_store: MemoryStore, scope_search: ScopeSearch, seed: int
    ) -> None:
        scope = fresh_scope()
        memories = random_memories(scope, seed, 40)
        await memory_store.commit(versions=memories)
        await memory_store.put_vectors(
            vectors=[vector_of(memory, unit_vector(place)) for place, memory in enumerate(memories[::2])]
        )
        query = asking(*random.Random(seed).choices(VOCABULARY, k=5), vector=True)
        searched = await scope_search.search(visible=seen_by(scope), query=query, timeout_s=TIMEOUT_S)
        asked = [memory.memory_id for memory in memories[:25]] + [other_id(scope, "unknown")]
        scored = await scope_search.score(
            visible=seen_by(scope), query=query, memory_ids=[*asked, asked[0]], timeout_s=TIMEOUT_S
        )
        assert ids(scored) == set(asked[:-1])
        by_id = {candidate.memory_id: candidate for candidate in scored}
        for candidate in searched:
            if candidate.memory_id in by_id:
                other = by_id[candidate.memory_id]
                assert other.keyword == pytest.approx(candidate.keyword, abs=TOLERANCE)
                assert other.neighbour_keyword == pytest.approx(candidate.neighbour_keyword, abs=TOLERANCE)
                assert (other.similarity is None) == (candidate.similarity is None)
                if other.similarity is not None:
                    assert other.similarity == pytest.approx(candidate.similarity, abs=TOLERANCE)
                assert replace(other, similarity=None, keyword=0, neighbour_keyword=0) == replace(
                    candidate, similarity=None, keyword=0, neighbour_keyword=0
                )

    async def test_scoring_without_terms_or_without_a_vector(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        memory = make_memory(scope, terms=("火锅",))
        await memory_store.commit(versions=[memory])
        await memory_store.put_vectors(vectors=[vector_of(memory, QUERY_VECTOR)])

        async def score(query: ScopeQuery, *memory_ids: MemoryId) -> list[Candidate]:
            return await scope_search.score(
                visible=seen_by(scope), query=query, memory_ids=memory_ids, timeout_s=TIMEOUT_S
            )

        (dense_only,) = await score(asking(vector=True), memory.memory_id)
        assert dense_only.similarity == pytest.approx(1.0, abs=TOLERANCE)
        assert (dense_only.keyword, dense_only.neighbour_keyword) == (0.0, 0.0)
        (keyword_only,) = await score(asking("火锅"), memory.memory_id)
        assert keyword_only.similarity is None
        assert keyword_only.keyword == pytest.approx(math.log(4 / 3), abs=TOLERANCE)
        (neither,) = await score(asking(), memory.memory_id)
        assert (neither.similarity, neither.keyword) == (None, 0.0)
        assert await score(asking("火锅", vector=True)) == []

    async def test_similarity_is_the_cosine(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        memories = [make_memory(scope) for _ in range(20)]
        await memory_store.commit(versions=memories)
        vectors = [vector_of(memory, unit_vector(place)) for place, memory in enumerate(memories)]
        for _ in range(2):
            await memory_store.put_vectors(vectors=vectors)
        found = await scope_search.search(visible=seen_by(scope), query=asking(vector=True), timeout_s=TIMEOUT_S)
        assert ids(found) == {memory.memory_id for memory in memories}
        by_id = {vector.memory_id: vector.vector for vector in vectors}
        for candidate in found:
            expected = float(np.dot(by_id[candidate.memory_id].astype(np.float64), QUERY_VECTOR))
            assert candidate.similarity == pytest.approx(expected, abs=TOLERANCE)
            assert (candidate.keyword, candidate.neighbour_keyword) == (0.0, 0.0)

    async def test_similarity_stays_within_its_ends(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        same, opposite = make_memory(scope), make_memory(scope)
        await memory_store.commit(versions=[same, opposite])
        await memory_store.put_vectors(vectors=[vector_of(same, QUERY_VECTOR), vector_of(opposite, -QUERY_VECTOR)])
        found = await scope_search.search(visible=seen_by(scope), query=asking(vector=True), timeout_s=TIMEOUT_S)
        cosines = {candidate.memory_id: candidate.similarity for candidate in found}
        assert cosines[same.memory_id] == pytest.approx(1.0, abs=TOLERANCE)
        assert cosines[opposite.memory_id] == pytest.approx(-1.0, abs=TOLERANCE)
        assert all(-1.0 <= (cosine or 0.0) <= 1.0 for cosine in cosines.values())

    async def test_only_a_vector_of_the_current_text_and_this_generation_counts(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        with_vector, changed, other_space, wrong_size, empty, without, fact = (
            make_memory(scope, terms=("火锅",), kind=kind)
            for kind in (*[Kind.EPISODIC] * 6, Kind.FACT)
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
        dense = await scope_search.search(visible=seen_by(scope), query=asking(vector=True), timeout_s=TIMEOUT_S)
        assert ids(dense) == {with_vector.memory_id}
        # Rows without a vector, and facts, are still found by their words.
        both = await scope_search.search(visible=seen_by(scope), query=asking("火锅", vector=True), timeout_s=TIMEOUT_S)
        assert len(ids(both)) == 7
        assert [found.memory_id for found in both if found.similarity is not None] == [with_vector.memory_id]

    async def test_each_arm_has_its_own_best(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        memories = [
            make_memory(
                scope,
                terms=("coffee",) * (place % 5) + ("filler",) * 6,
                session_id=SessionId(f"s{place // 6}"),
                event_time=NOW - timedelta(minutes=place),
            )
            for place in range(40)
        ]
        await memory_store.commit(versions=memories)
        vectors = {memory.memory_id: unit_vector(place) for place, memory in enumerate(memories)}
        await memory_store.put_vectors(vectors=[vector_of(memory, vectors[memory.memory_id]) for memory in memories])
        limit = 3
        query = asking("coffee", vector=True, limit=limit)
        found = await scope_search.search(visible=seen_by(scope), query=query, timeout_s=TIMEOUT_S)
        assert limit <= len(ids(found)) <= 3 * limit
        scores = reference_scores(memories, ["coffee"])
        arms: list[tuple[Callable[[Candidate], float], list[float]]] = [
            (lambda row: row.similarity or 0.0, [float(np.dot(vector, QUERY_VECTOR)) for vector in vectors.values()]),
            (lambda row: row.keyword, [own for own, _ in scores.values()]),
            (lambda row: row.neighbour_keyword, [near for _, near in scores.values()]),
        ]
        for value, everything in arms:
            best = sorted((value(candidate) for candidate in found), reverse=True)[:limit]
            assert best == pytest.approx(sorted(everything, reverse=True)[:limit], abs=TOLERANCE)

    async def test_a_neighbour_may_be_the_only_reason(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scope = fresh_scope()
        session = [
            make_memory(scope, terms=terms, session_id=SessionId("s"), event_time=NOW - timedelta(minutes=place))
            for place, terms in enumerate([("成都",), ("酒店",), ("火锅",), ("天气",)])
        ]
        alone = make_memory(scope, terms=("酒店",), event_time=NOW)
        elsewhere = make_memory(scope, terms=("酒店",), session_id=SessionId("t"), event_time=NOW)
        await memory_store.commit(versions=[*session, alone, elsewhere])
        found = await scope_search.search(visible=seen_by(scope), query=asking("成都"), timeout_s=TIMEOUT_S)
        # Two places away is near, three is not.
        assert ids(found) == {memory.memory_id for memory in session[:3]}
        assert [row.memory_id for row in found if row.keyword > 0] == [session[0].memory_id]

    async def test_words_are_found_as_they_were_cut(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope("用户一")
        texts = ["用户周五去成都出差", "订单ORD-20250611-003已付款", "The user's account ends in 8890", "it's a \"quote\" \\"]
        memories = [make_memory(scope, content=text, terms=tuple(tokenize(text))) for text in texts]
        await memory_store.commit(versions=memories)
        for question, place in [("成都", 0), ("ORD-20250611-003", 1), ("尾号 8890", 2), ("quotes", 3)]:
            query = asking(*tokenize(question))
            found = await scope_search.search(visible=seen_by(scope), query=query, timeout_s=TIMEOUT_S)
            assert ids(found) == {memories[place].memory_id}

    async def test_no_arm_finds_nothing(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        await memory_store.commit(versions=[make_memory(scope)])
        for query in (asking(), asking(""), asking("nowhere"), asking("nowhere", vector=True)):
            assert await scope_search.search(visible=seen_by(scope), query=query, timeout_s=TIMEOUT_S) == []

    async def test_an_unknown_scope_is_empty(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        visible, query = seen_by(fresh_scope()), asking("coffee", vector=True)
        unknown = [other_id(visible.scope, "unknown")]
        assert await scope_search.search(visible=visible, query=query, timeout_s=TIMEOUT_S) == []
        assert await scope_search.score(visible=visible, query=query, memory_ids=unknown, timeout_s=TIMEOUT_S) == []
        assert await scope_search.hydrate(visible=visible, memory_ids=unknown, timeout_s=TIMEOUT_S) == []
        assert await scope_search.hydrate(visible=visible, memory_ids=[], timeout_s=TIMEOUT_S) == []
        assert await scope_search.recent(visible=visible, limit=5, timeout_s=TIMEOUT_S) == []

    async def everywhere(
        self, scope_search: ScopeSearch, visible: Visible, memories: Sequence[Memory], *terms: str
    ) -> set[MemoryId]:
        """What a reader gets of ``memories``, which must be the same by every way."""
        query = asking(*(terms or ("火锅",)), vector=True)
        asked = [memory.memory_id for memory in memories]
        found = ids(await scope_search.search(visible=visible, query=query, timeout_s=TIMEOUT_S))
        scored = await scope_search.score(visible=visible, query=query, memory_ids=asked, timeout_s=TIMEOUT_S)
        hydrated = await scope_search.hydrate(visible=visible, memory_ids=asked, timeout_s=TIMEOUT_S)
        newest = await scope_search.recent(visible=visible, limit=100, timeout_s=TIMEOUT_S)
        assert ids(scored) == found
        assert {stored.memory.memory_id for stored in hydrated} == found
        assert ids(newest) == found
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
        old = await scope_search.search(visible=seen_by(scope), query=asking("能吃辣"), timeout_s=TIMEOUT_S)
        assert old == []
        (new,) = await scope_search.search(visible=seen_by(scope), query=asking("不吃辣"), timeout_s=TIMEOUT_S)
        assert (new.memory_id, new.version) == (memory.memory_id, changed.version)
        (stored,) = await scope_search.hydrate(
            visible=seen_by(scope), memory_ids=[memory.memory_id], timeout_s=TIMEOUT_S
        )
        assert stored.memory == changed

    async def test_private_rows_are_for_their_agent(self, memory_store: MemoryStore, scope_search: ScopeSearch) -> None:
        scope = fresh_scope()
        agents = [AgentId("a"), *map(AgentId, AWKWARD), None]
        private = {
            agent: make_memory(scope, terms=("火锅",), agent_id=agent, visibility=Visibility.PRIVATE) for agent in agents
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
        ancient = make_memory(
            scope, terms=("火锅",), category="自定义", event_time=datetime(1903, 1, 1, tzinfo=UTC)
        )
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
        (found,) = await scope_search.search(visible=seen_by(mine.scope), query=query, timeout_s=TIMEOUT_S)
        assert (found.version, found.similarity) == (mine.version, None)
        # One row in the scope: foreign rows are in no statistic.
        assert found.keyword == pytest.approx(math.log(4 / 3), abs=TOLERANCE)
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
        (found,) = await scope_search.search(visible=visible, query=asking(text), timeout_s=TIMEOUT_S)
        assert (found.memory_id, found.session_id) == (text, text)
        assert found.keyword == pytest.approx(math.log(2), abs=TOLERANCE)
        scored = await scope_search.score(
            visible=visible, query=asking(text), memory_ids=[awkward.memory_id], timeout_s=TIMEOUT_S
        )
        assert [candidate.memory_id for candidate in scored] == [text]
        hydrated = await scope_search.hydrate(
            visible=visible, memory_ids=[awkward.memory_id], timeout_s=TIMEOUT_S
        )
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
        assert [candidate.memory_id for candidate in found] == [memory.memory_id for memory in expected]
        assert {(candidate.similarity, candidate.keyword) for candidate in found} == {(None, 0.0)}

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
