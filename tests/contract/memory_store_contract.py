"""What every ``ports.memory_store.MemoryStore`` does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from memplane.domain.clock import to_millis
from memplane.domain.ids import (
    SHARD_COUNT,
    AgentId,
    EventId,
    GenerationId,
    MemoryId,
    Scope,
    SessionId,
    TenantId,
    UserId,
)
from memplane.domain.memory import Kind, Memory, Op, Status, Visibility
from memplane.ports.memory_store import MemoryQuery, MemoryRef, MemoryStore
from tests.support.memory_samples import (
    AWKWARD,
    GENERATION,
    NOW,
    fresh_scope,
    make_memory,
    next_version,
    other_id,
    unit_vector,
    vector_of,
)

ALL_SHARDS = tuple(range(SHARD_COUNT))


def ref(memory: Memory) -> MemoryRef:
    return MemoryRef(tenant_id=memory.scope.tenant_id, scope_tag=memory.scope.tag, memory_id=memory.memory_id)


async def listed(store: MemoryStore, scope: Scope, **changes: Any) -> list[MemoryId]:
    page = await store.list(query=MemoryQuery(scope=scope, **changes))
    assert page.next_cursor is None
    return [item.memory.memory_id for item in page.items]


class MemoryStoreContract:
    """Override ``memory_store``."""

    @pytest.fixture
    async def memory_store(self) -> MemoryStore:
        raise NotImplementedError

    @pytest.mark.parametrize(
        "text", ["The user moved to Lisbon.", "用户上周搬到了里斯本，订单 ORD-20250611-003 已付款。", "", *AWKWARD]
    )
    async def test_a_memory_comes_back_as_it_went_in(self, memory_store: MemoryStore, text: str) -> None:
        memory = make_memory(
            fresh_scope(text or "u"),
            version=2**63 + 7,
            rank=(1_772_600_000_000 << 64) | (2**63 + 7),
            kind=Kind.FACT,
            category=text or "state",
            status=Status.PENDING_REVIEW,
            status_at=NOW + timedelta(milliseconds=1),
            status_reason=text,
            content=text,
            summary=text,
            summary_hash=text,
            terms=(text, "twice", "twice", "不吃辣"),
            content_hash=text,
            importance=0.1 + 0.2,
            event_time=datetime(1903, 2, 1, 3, 4, 5, 678_000, tzinfo=UTC),
            valid_from=datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC),
            recorded_at=NOW,
            updated_at=NOW + timedelta(milliseconds=3),
            fact_key=text,
            fact_value={"b": [1, 2.5, None, True, text], "a": text},
            pinned=True,
            agent_id=AgentId(text),
            visibility=Visibility.PRIVATE,
            session_id=SessionId(text),
            source_event_ids=(EventId(text), EventId("evt-2")),
            derived_from=(MemoryId(text),),
            valid_to=datetime(2100, 1, 1, tzinfo=UTC),
            expires_at=datetime(2035, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC),
            superseded_by=MemoryId(text),
            metadata={"列表": [1, 2.5, {"b": None}], "text": text, "none": None},
            op=Op.REVIEW,
            changed_by=text,
            audit_chain=text,
            audit_seq=2**63 + 1,
        )
        await memory_store.commit(versions=[memory])
        assert await memory_store.current(refs=[ref(memory)]) == [memory]
        assert await memory_store.history(scope=memory.scope, memory_id=memory.memory_id) == [memory]

    async def test_what_is_none_stays_none(self, memory_store: MemoryStore) -> None:
        memory = make_memory(fresh_scope(), terms=())
        await memory_store.commit(versions=[memory])
        (found,) = await memory_store.current(refs=[ref(memory)])
        assert found == memory
        assert (found.status_reason, found.fact_key, found.fact_value, found.agent_id, found.session_id) == (None,) * 5
        assert (found.valid_to, found.expires_at, found.superseded_by, found.terms) == (None, None, None, ())

    @pytest.mark.parametrize(
        "value", [None, 0, False, "", "null", "已付款", 45, -1.5, [], {}, [None], {"a": {"b": [1]}}]
    )
    async def test_fact_values_keep_their_type(self, memory_store: MemoryStore, value: Any) -> None:
        memory = make_memory(fresh_scope(), kind=Kind.FACT, fact_key="order/ORD-1/status", fact_value=value)
        await memory_store.commit(versions=[memory])
        (found,) = await memory_store.current(refs=[ref(memory)])
        assert found.fact_value == value
        assert type(found.fact_value) is type(value)

    async def test_nothing_in_gives_nothing_out(self, memory_store: MemoryStore) -> None:
        await memory_store.commit(versions=[])
        await memory_store.put_vectors(vectors=[])
        assert await memory_store.current(refs=[]) == []
        assert await memory_store.vectors(generation=GENERATION, memories=[]) == {}
        assert await memory_store.indexable(shards=[], updated_since=None, after=None, limit=10) == []
        assert await listed(memory_store, fresh_scope()) == []

    async def test_unknown_memories_are_absent(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        unknown = other_id(scope, "unknown")
        reference = MemoryRef(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=unknown)
        assert await memory_store.current(refs=[reference]) == []
        assert await memory_store.get(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=unknown) is None
        assert await memory_store.history(scope=scope, memory_id=unknown) == []

    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
    async def test_the_greatest_rank_is_current_whatever_came_last(
        self, memory_store: MemoryStore, order: tuple[int, ...]
    ) -> None:
        first = make_memory(fresh_scope())
        # The newest version is a late arrival: an older truth.
        ranks = [100 << 64 | 1, 300 << 64 | 2, 200 << 64 | 3]
        versions = [replace(first, version=place, rank=rank) for place, rank in enumerate(ranks, 1)]
        for place in order:
            await memory_store.commit(versions=[versions[place]])
        assert await memory_store.current(refs=[ref(first)]) == [versions[1]]
        assert await memory_store.history(scope=first.scope, memory_id=first.memory_id) == versions

    async def test_versions_of_one_memory_in_one_commit(self, memory_store: MemoryStore) -> None:
        first = make_memory(fresh_scope(), content="one")
        second = next_version(first, content="two")
        await memory_store.commit(versions=[second, first])
        assert await memory_store.current(refs=[ref(first)]) == [second]
        assert await memory_store.history(scope=first.scope, memory_id=first.memory_id) == [first, second]

    async def test_repeated_commits_collapse(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        memories = [make_memory(scope), make_memory(scope)]
        for _ in range(3):
            await memory_store.commit(versions=memories)
        assert len(await memory_store.current(refs=[ref(memory) for memory in memories])) == 2
        assert await memory_store.history(scope=scope, memory_id=memories[0].memory_id) == [memories[0]]
        assert len(await listed(memory_store, scope)) == 2

    async def test_current_answers_across_scopes_and_repeats(self, memory_store: MemoryStore) -> None:
        memories = [make_memory(fresh_scope(user)) for user in ("甲", "乙", "o'hara")]
        await memory_store.commit(versions=memories)
        asked = [ref(memory) for memory in memories[:2]] * 2
        found = await memory_store.current(refs=asked)
        assert {memory.memory_id for memory in found} == {memory.memory_id for memory in memories[:2]}
        assert len(found) == 2

    async def test_the_same_memory_id_elsewhere_is_another_memory(self, memory_store: MemoryStore) -> None:
        mine = make_memory(fresh_scope(), content="mine")
        other_tenant = replace(mine, scope=replace(mine.scope, tenant_id=TenantId("t-foreign")), content="theirs")
        other_tag = replace(mine, scope=replace(mine.scope, tag=fresh_scope().tag), content="theirs")
        foreign = [next_version(other_tenant), next_version(other_tag)]
        await memory_store.commit(versions=[mine, *foreign])
        await memory_store.put_vectors(vectors=[vector_of(memory, unit_vector(1)) for memory in foreign])
        assert await memory_store.current(refs=[ref(mine)]) == [mine]
        stored = await memory_store.get(
            tenant_id=mine.scope.tenant_id, scope_tag=mine.scope.tag, memory_id=mine.memory_id
        )
        assert stored is not None
        assert stored.memory == mine
        assert await memory_store.history(scope=mine.scope, memory_id=mine.memory_id) == [mine]
        assert await listed(memory_store, mine.scope) == [mine.memory_id]
        assert await memory_store.vectors(generation=GENERATION, memories=[mine]) == {}

    @pytest.mark.parametrize("user", ["user-2", *AWKWARD])
    async def test_another_user_with_the_same_tag_sees_nothing(self, memory_store: MemoryStore, user: str) -> None:
        mine = make_memory(fresh_scope())
        await memory_store.commit(versions=[mine])
        await memory_store.put_vectors(vectors=[vector_of(mine, unit_vector(1))])
        stranger = replace(mine.scope, user_id=UserId(user))
        assert await listed(memory_store, stranger, statuses=(), sees_private=True) == []
        assert await memory_store.history(scope=stranger, memory_id=mine.memory_id) == []
        assert await memory_store.vectors(generation=GENERATION, memories=[replace(mine, scope=stranger)]) == {}

    @pytest.mark.parametrize("memory_id", AWKWARD)
    async def test_memory_ids_are_only_ids(self, memory_store: MemoryStore, memory_id: str) -> None:
        scope = fresh_scope()
        plain, awkward = make_memory(scope), make_memory(scope, memory_id=MemoryId(memory_id))
        await memory_store.commit(versions=[plain])
        assert await memory_store.current(refs=[ref(awkward)]) == []
        assert await memory_store.history(scope=scope, memory_id=awkward.memory_id) == []
        await memory_store.commit(versions=[awkward])
        await memory_store.put_vectors(vectors=[vector_of(awkward, unit_vector(1))])
        assert await memory_store.current(refs=[ref(awkward)]) == [awkward]
        assert await memory_store.history(scope=scope, memory_id=awkward.memory_id) == [awkward]
        assert list(await memory_store.vectors(generation=GENERATION, memories=[plain, awkward])) == [memory_id]

    async def test_get_answers_whatever_the_status(self, memory_store: MemoryStore) -> None:
        memory = make_memory(fresh_scope(), status=Status.FORGOTTEN)
        await memory_store.commit(versions=[memory])
        stored = await memory_store.get(
            tenant_id=memory.scope.tenant_id, scope_tag=memory.scope.tag, memory_id=memory.memory_id
        )
        assert stored is not None
        assert stored.memory == memory
        assert (stored.access.access_count, stored.access.last_accessed_at) == (0, None)

    async def test_a_listing_shows_the_statuses_asked_for(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        by_status = {status: make_memory(scope, status=status) for status in Status}
        await memory_store.commit(versions=list(by_status.values()))
        assert await listed(memory_store, scope) == [by_status[Status.ACTIVE].memory_id]
        assert set(await listed(memory_store, scope, statuses=("archived", "expired"))) == {
            by_status[Status.ARCHIVED].memory_id,
            by_status[Status.EXPIRED].memory_id,
        }
        all_but_forgotten = {memory.memory_id for status, memory in by_status.items() if status != Status.FORGOTTEN}
        assert set(await listed(memory_store, scope, statuses=())) == all_but_forgotten

    async def test_a_listing_shows_current_versions_only(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        memory = make_memory(scope)
        await memory_store.commit(versions=[memory])
        await memory_store.commit(versions=[next_version(memory, status=Status.FORGOTTEN)])
        assert await listed(memory_store, scope) == []
        assert await listed(memory_store, scope, statuses=()) == []

    async def test_a_listing_narrows_by_kind_category_and_time(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        early = make_memory(scope, kind=Kind.SEMANTIC, category="preference", event_time=NOW - timedelta(days=3))
        middle = make_memory(scope, category="自定义", event_time=NOW - timedelta(days=2))
        late = make_memory(scope, kind=Kind.SEMANTIC, category="state", event_time=NOW)
        await memory_store.commit(versions=[middle, late, early])
        newest_first = [late.memory_id, middle.memory_id, early.memory_id]
        assert await listed(memory_store, scope) == newest_first
        assert await listed(memory_store, scope, kinds=("semantic",)) == [late.memory_id, early.memory_id]
        assert await listed(memory_store, scope, kinds=("semantic", "episodic")) == newest_first
        assert await listed(memory_store, scope, categories=("自定义", "state")) == newest_first[:2]
        assert await listed(memory_store, scope, categories=("') OR 1=1 --",)) == []
        # The start of a window is inside, its end is not.
        window = {"from_time": early.event_time, "to_time": late.event_time}
        assert await listed(memory_store, scope, **window) == newest_first[1:]

    async def test_a_listing_hides_other_agents_private_memories(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        shared = make_memory(scope, agent_id=AgentId("a"))
        of_a = make_memory(scope, agent_id=AgentId("a"), visibility=Visibility.PRIVATE)
        of_nobody = make_memory(scope, visibility=Visibility.PRIVATE)
        await memory_store.commit(versions=[shared, of_a, of_nobody])
        assert await listed(memory_store, scope) == [shared.memory_id]
        assert await listed(memory_store, scope, viewer=AgentId("b")) == [shared.memory_id]
        assert set(await listed(memory_store, scope, viewer=AgentId("a"))) == {shared.memory_id, of_a.memory_id}
        for awkward in AWKWARD:
            assert await listed(memory_store, scope, viewer=AgentId(awkward)) == [shared.memory_id]
        assert len(await listed(memory_store, scope, sees_private=True)) == 3

    async def test_pages_meet_without_gap_or_overlap(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        # Three to a moment, so that pages end between rows of one moment.
        memories = [make_memory(scope, event_time=NOW - timedelta(hours=place // 3)) for place in range(14)]
        await memory_store.commit(versions=memories)
        expected = sorted(memories, key=lambda memory: (memory.event_time, memory.memory_id), reverse=True)
        seen: list[Memory] = []
        after: tuple[Any, ...] = ()
        while True:
            page = await memory_store.list(query=MemoryQuery(scope=scope, limit=4, after=after))
            seen += [item.memory for item in page.items]
            if len(page.items) < 4:
                break
            after = (to_millis(seen[-1].event_time), seen[-1].memory_id)
        assert seen == expected

    async def test_indexable_goes_through_shards_in_key_order(self, memory_store: MemoryStore) -> None:
        scopes = [fresh_scope(f"user-{place}") for place in range(4)]
        memories = [
            make_memory(scope, status=status) for scope in scopes for status in (Status.ACTIVE, Status.FORGOTTEN)
        ]
        await memory_store.commit(versions=memories)
        replaced = next_version(memories[0], content="newer")
        await memory_store.commit(versions=[replaced])

        async def walk(shards: tuple[int, ...]) -> list[Memory]:
            found: list[Memory] = []
            after: MemoryRef | None = None
            while page := await memory_store.indexable(shards=shards, updated_since=None, after=after, limit=3):
                found += page
                after = ref(page[-1])
            return found

        found = await walk(ALL_SHARDS)
        keys = [(memory.scope.tenant_id, memory.scope.tag, memory.memory_id) for memory in found]
        assert keys == sorted(set(keys))
        ours = [memory for memory in found if memory.scope in scopes]
        expected = [replaced, *memories[1:]]
        assert sorted(ours, key=lambda memory: memory.version) == sorted(expected, key=lambda memory: memory.version)
        of_one = await walk((scopes[0].shard,))
        assert {memory.scope.shard for memory in of_one} == {scopes[0].shard}
        assert {memory.memory_id for memory in memories[:2]} <= {memory.memory_id for memory in of_one}

    async def test_indexable_can_start_at_a_time_of_change(self, memory_store: MemoryStore) -> None:
        scope = fresh_scope()
        since = datetime(2031, 1, 1, tzinfo=UTC)
        old = make_memory(scope, updated_at=since - timedelta(milliseconds=1))
        new = make_memory(scope, updated_at=since)
        await memory_store.commit(versions=[old, new])
        found = await memory_store.indexable(shards=[scope.shard], updated_since=since, after=None, limit=1000)
        assert [memory for memory in found if memory.scope == scope] == [new]

    async def test_vectors_come_back_bit_for_bit(self, memory_store: MemoryStore) -> None:
        memories = [make_memory(fresh_scope(user)) for user in ("u1", "用户", "u3")]
        vectors = [vector_of(memory, unit_vector(place, 384)) for place, memory in enumerate(memories[:2])]
        for _ in range(2):
            await memory_store.put_vectors(vectors=vectors)
        found = await memory_store.vectors(generation=GENERATION, memories=memories)
        assert set(found) == {memory.memory_id for memory in memories[:2]}
        for vector in vectors:
            assert found[vector.memory_id].dtype == np.float32
            assert np.array_equal(found[vector.memory_id], vector.vector)

    async def test_a_vector_belongs_to_one_text_and_one_generation(self, memory_store: MemoryStore) -> None:
        memory = make_memory(fresh_scope())
        changed = next_version(memory, summary="moved to Porto", summary_hash="porto")
        other = GenerationId("bge-m3.v1")
        await memory_store.put_vectors(vectors=[vector_of(memory, unit_vector(1))])
        assert await memory_store.vectors(generation=GENERATION, memories=[changed]) == {}
        assert await memory_store.vectors(generation=other, memories=[memory]) == {}
        await memory_store.put_vectors(
            vectors=[vector_of(changed, unit_vector(2)), vector_of(memory, unit_vector(3), generation=other)]
        )
        assert np.array_equal(
            (await memory_store.vectors(generation=GENERATION, memories=[memory]))[memory.memory_id], unit_vector(1)
        )
        assert np.array_equal(
            (await memory_store.vectors(generation=GENERATION, memories=[changed]))[memory.memory_id], unit_vector(2)
        )
        assert np.array_equal(
            (await memory_store.vectors(generation=other, memories=[memory]))[memory.memory_id], unit_vector(3)
        )
