"""What every ``ports.vector_index.VectorIndex`` does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from memplane.domain.errors import (
    CorruptDataError,
    DeadlineExceededError,
    StoreRejectedError,
    StoreUnavailableError,
    UnavailableError,
)
from memplane.domain.ids import AgentId, MemoryId, Scope, TenantId, UserId, scope_of
from memplane.domain.text import tokenize
from memplane.ports.vector_index import IndexEntry, IndexRow, VectorIndex

DIM = 8
TIMEOUT_S = 30.0
COLLECTION = "memories_contract"
WHEN = datetime(2025, 6, 12, 8, 30, 15, 250_000, tzinfo=UTC)
VERSION = 1_790_000_000_000 << 16

# Ids that callers may choose, and some that the API refuses but that an index must survive all the same.
AWKWARD_USERS = [
    'x" or user_id != "',
    'a" or scope != "',
    "back\\slash",
    "trailing\\",
    '\\" or 1 == 1',
    "o'hara",
    "' or '1' == '1",
    "line\nbreak",
    "carriage\rreturn",
    "tab\tstop",
    "\x00\x01\x7f",
    "\u2028\u2029\x85",
    "用户一",
    "🦊🧠",
    "e\u0301",
    "\u00e9",
    "%",
    "_%",
    "{uid}",
    " leading and trailing ",
    "𝔘" * 128,
]


def scope(user: str = "u1", tenant: str = "acme") -> Scope:
    return scope_of(tenant_id=TenantId(tenant), user_id=UserId(user), tenant_secret=b"secret")


def unit(*numbers: float) -> NDArray[np.float32]:
    vector = np.zeros(DIM, dtype=np.float32)
    vector[: len(numbers)] = numbers
    return vector / np.float32(np.linalg.norm(vector))


def row(
    name: str,
    *,
    of: Scope | None = None,
    vector: NDArray[np.float32] | None = None,
    text: str = "",
    kind: str = "semantic",
    version: int = VERSION,
    terms: tuple[str, ...] | None = None,
) -> IndexRow:
    if vector is None and kind != "fact":
        vector = unit(1.0)
    return IndexRow(
        scope=of or scope(),
        memory_id=MemoryId(name),
        version=version,
        kind=kind,
        category="preference",
        agent_id=AgentId("agent-1"),
        event_time=WHEN,
        terms=tuple(tokenize(text)) if terms is None else terms,
        vector=vector,
    )


async def dense(index: VectorIndex, vector: NDArray[np.float32], of: Scope | None = None, limit: int = 10) -> list[str]:
    hits = await index.search_dense(
        collection=COLLECTION, scope=of or scope(), vector=vector, limit=limit, timeout_s=TIMEOUT_S
    )
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [hit.memory_id for hit in hits]


async def keyword(index: VectorIndex, query: str, of: Scope | None = None, limit: int = 10) -> list[str]:
    hits = await index.search_keyword(
        collection=COLLECTION, scope=of or scope(), terms=tokenize(query), limit=limit, timeout_s=TIMEOUT_S
    )
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.score > 0 for hit in hits)
    return [hit.memory_id for hit in hits]


async def all_entries(index: VectorIndex, page: int = 100) -> list[IndexEntry]:
    found: list[IndexEntry] = []
    while True:
        after = found[-1].memory_id if found else None
        rows = await index.entries(collection=COLLECTION, after=after, limit=page)
        assert len(rows) <= page
        found += rows
        if len(rows) < page:
            return found


class VectorIndexContract:
    """Override ``index`` with one that has no collections of the names used here."""

    @pytest.fixture
    async def index(self) -> VectorIndex:
        raise NotImplementedError

    @pytest.fixture
    async def ready(self, index: VectorIndex) -> AsyncIterator[VectorIndex]:
        await index.ensure_collection(collection=COLLECTION, dim=DIM)
        yield index
        await index.drop_collection(collection=COLLECTION)

    async def test_ping_answers(self, index: VectorIndex) -> None:
        await index.ping(timeout_s=TIMEOUT_S)

    async def test_ensuring_twice_keeps_the_rows(self, ready: VectorIndex) -> None:
        await ready.upsert(collection=COLLECTION, rows=[row("m1")])
        await ready.ensure_collection(collection=COLLECTION, dim=DIM)
        assert [entry.memory_id for entry in await all_entries(ready)] == ["m1"]

    async def test_another_dimension_is_corrupt_data(self, ready: VectorIndex) -> None:
        with pytest.raises(CorruptDataError):
            await ready.ensure_collection(collection=COLLECTION, dim=DIM + 1)
        assert await all_entries(ready) == []

    async def test_dropping_removes_all_and_may_be_repeated(self, ready: VectorIndex) -> None:
        await ready.upsert(collection=COLLECTION, rows=[row("m1")])
        await ready.drop_collection(collection=COLLECTION)
        await ready.drop_collection(collection=COLLECTION)
        await ready.ensure_collection(collection=COLLECTION, dim=DIM)
        assert await all_entries(ready) == []

    async def test_a_collection_may_come_back_with_another_dimension(self, ready: VectorIndex) -> None:
        await ready.drop_collection(collection=COLLECTION)
        await ready.ensure_collection(collection=COLLECTION, dim=2)
        await ready.upsert(collection=COLLECTION, rows=[row("m1", vector=np.array([0.6, 0.8], dtype=np.float32))])
        assert await dense(ready, np.array([1.0, 0.0], dtype=np.float32)) == ["m1"]

    async def test_collections_are_apart(self, ready: VectorIndex) -> None:
        other = COLLECTION + "_2"
        await ready.ensure_collection(collection=other, dim=DIM)
        try:
            await ready.upsert(collection=other, rows=[row("m1", text="green tea")])
            assert await all_entries(ready) == []
            assert await dense(ready, unit(1.0)) == []
            assert await keyword(ready, "tea") == []
        finally:
            await ready.drop_collection(collection=other)

    async def test_an_unknown_collection_is_unavailable(self, index: VectorIndex) -> None:
        name = "memories_never_made"
        with pytest.raises(StoreUnavailableError):
            await index.upsert(collection=name, rows=[row("m1")])
        with pytest.raises(StoreUnavailableError):
            await index.delete(collection=name, scope=scope(), memory_ids=[MemoryId("m1")])
        with pytest.raises(StoreUnavailableError):
            await index.search_dense(collection=name, scope=scope(), vector=unit(1), limit=1, timeout_s=TIMEOUT_S)
        with pytest.raises(StoreUnavailableError):
            await index.search_keyword(collection=name, scope=scope(), terms=["tea"], limit=1, timeout_s=TIMEOUT_S)
        with pytest.raises(StoreUnavailableError):
            await index.entries(collection=name, after=None, limit=1)

    async def test_empty_input_does_nothing(self, ready: VectorIndex) -> None:
        await ready.upsert(collection=COLLECTION, rows=[])
        await ready.delete(collection=COLLECTION, scope=scope(), memory_ids=[])
        assert await all_entries(ready) == []

    async def test_an_empty_collection_has_no_hits(self, ready: VectorIndex) -> None:
        assert await dense(ready, unit(1.0)) == []
        assert await keyword(ready, "tea 茶") == []

    async def test_dense_search_orders_by_cosine(self, ready: VectorIndex) -> None:
        await ready.upsert(
            collection=COLLECTION,
            rows=[
                row("opposite", vector=unit(-1.0)),
                row("near", vector=unit(1.0, 0.2)),
                row("far", vector=unit(0.1, 1.0)),
                row("same", vector=unit(1.0)),
            ],
        )
        assert await dense(ready, unit(1.0)) == ["same", "near", "far", "opposite"]
        assert await dense(ready, unit(1.0), limit=2) == ["same", "near"]
        assert await dense(ready, unit(1.0), limit=0) == []

    async def test_hits_carry_the_version_unchanged(self, ready: VectorIndex) -> None:
        # 2^48 ms and a full counter: the greatest version that a clock can draw still fits.
        greatest = (1 << 63) - 1
        await ready.upsert(collection=COLLECTION, rows=[row("m1", text="tea", version=greatest)])
        (hit,) = await ready.search_dense(
            collection=COLLECTION, scope=scope(), vector=unit(1), limit=1, timeout_s=TIMEOUT_S
        )
        (found,) = await ready.search_keyword(
            collection=COLLECTION, scope=scope(), terms=["tea"], limit=1, timeout_s=TIMEOUT_S
        )
        assert (hit.version, found.version) == (greatest, greatest)
        assert await all_entries(ready) == [IndexEntry(memory_id=MemoryId("m1"), version=greatest)]

    async def test_upsert_replaces_terms_vector_and_version(self, ready: VectorIndex) -> None:
        await ready.upsert(
            collection=COLLECTION,
            rows=[row("m1", text="green tea", vector=unit(1.0)), row("m2", vector=unit(0.9, 0.5))],
        )
        await ready.upsert(
            collection=COLLECTION, rows=[row("m1", text="black coffee", vector=unit(0.0, 1.0), version=VERSION + 1)]
        )
        assert await keyword(ready, "tea") == []
        assert await keyword(ready, "coffee") == ["m1"]
        assert await dense(ready, unit(1.0)) == ["m2", "m1"]
        assert [(entry.memory_id, entry.version) for entry in await all_entries(ready)] == [
            ("m1", VERSION + 1),
            ("m2", VERSION),
        ]

    async def test_of_two_rows_of_one_memory_in_a_call_the_last_stays(self, ready: VectorIndex) -> None:
        await ready.upsert(
            collection=COLLECTION, rows=[row("m1", text="tea"), row("m1", text="coffee", version=VERSION + 1)]
        )
        assert await all_entries(ready) == [IndexEntry(memory_id=MemoryId("m1"), version=VERSION + 1)]
        assert await keyword(ready, "tea") == []

    async def test_a_repeated_upsert_changes_nothing(self, ready: VectorIndex) -> None:
        for _ in range(3):
            await ready.upsert(collection=COLLECTION, rows=[row("m1", text="tea")])
        assert len(await all_entries(ready)) == 1
        assert await dense(ready, unit(1.0)) == ["m1"]

    async def test_more_rows_than_one_batch(self, ready: VectorIndex) -> None:
        rows = [row(f"m{number:04d}", text=f"tea t{number}", version=VERSION + number) for number in range(700)]
        await ready.upsert(collection=COLLECTION, rows=rows)
        found = await all_entries(ready, page=300)
        assert [(entry.memory_id, entry.version) for entry in found] == [
            (item.memory_id, item.version) for item in rows
        ]
        assert await keyword(ready, "t699") == ["m0699"]
        await ready.delete(collection=COLLECTION, scope=scope(), memory_ids=[item.memory_id for item in rows[:-1]])
        assert [entry.memory_id for entry in await all_entries(ready)] == ["m0699"]

    async def test_keyword_search_finds_rows_that_share_terms(self, ready: VectorIndex) -> None:
        await ready.upsert(
            collection=COLLECTION,
            rows=[
                row("en", text="The user prefers green tea in the morning"),
                row("zh", text="用户喜欢喝绿茶，不喜欢咖啡"),
                row("none", text="Meetings are on Mondays"),
            ],
        )
        assert await keyword(ready, "green tea?") == ["en"]
        assert await keyword(ready, "绿茶") == ["zh"]
        assert await keyword(ready, "咖啡") == ["zh"]
        assert await keyword(ready, "unheard-of") == []

    async def test_more_shared_terms_rank_higher(self, ready: VectorIndex) -> None:
        await ready.upsert(
            collection=COLLECTION,
            rows=[row("one", text="green lamp"), row("two", text="green tea"), row("other", text="blue lamp")],
        )
        assert (await keyword(ready, "green tea"))[0] == "two"
        assert await keyword(ready, "green tea", limit=1) == ["two"]

    async def test_ids_and_numbers_match_whole(self, ready: VectorIndex) -> None:
        await ready.upsert(
            collection=COLLECTION,
            rows=[
                row("a", terms=("ord-20250611-003",)),
                row("b", terms=("ord-20250611-004",)),
                row("c", terms=("ord", "20250611")),
                row("d", terms=("v1.2.3", "8890")),
            ],
        )

        async def ids(term: str) -> list[str]:
            hits = await ready.search_keyword(
                collection=COLLECTION, scope=scope(), terms=[term], limit=10, timeout_s=TIMEOUT_S
            )
            return [hit.memory_id for hit in hits]

        assert await ids("ord-20250611-003") == ["a"]
        assert await ids("ord") == ["c"]
        assert await ids("20250611") == ["c"]
        assert await ids("003") == []
        assert await ids("v1.2.3") == ["d"]
        assert await ids("8890") == ["d"]
        assert await ids("2") == []

    @pytest.mark.parametrize(
        "term", ["🍵", "c++", "o'hara", "ß", "i̇", "한국", "x7xa", "~", "a_b", '"', "\\", "中", "*"]
    )
    async def test_any_token_finds_its_row_and_no_other(self, ready: VectorIndex, term: str) -> None:
        others = ("x", "tea", "茶", "c", "o", "hara", "한", "a", "b", "中文")
        await ready.upsert(collection=COLLECTION, rows=[row("own", terms=(term,)), row("other", terms=others)])
        hits = await ready.search_keyword(
            collection=COLLECTION, scope=scope(), terms=[term], limit=10, timeout_s=TIMEOUT_S
        )
        assert [hit.memory_id for hit in hits] == ["own"]

    async def test_no_terms_give_none(self, ready: VectorIndex) -> None:
        await ready.upsert(collection=COLLECTION, rows=[row("m1", terms=()), row("m2", terms=("tea",))])
        hits = await ready.search_keyword(collection=COLLECTION, scope=scope(), terms=[], limit=5, timeout_s=TIMEOUT_S)
        assert hits == []
        assert await keyword(ready, "tea") == ["m2"]
        assert await dense(ready, unit(1.0), limit=5) == ["m1", "m2"]

    async def test_a_text_of_any_length_is_taken(self, ready: VectorIndex) -> None:
        terms = tuple(f"订单{number}" for number in range(20_000))
        await ready.upsert(collection=COLLECTION, rows=[row("m1", terms=terms), row("m2", terms=("word",) * 50_000)])
        hits = await ready.search_keyword(
            collection=COLLECTION, scope=scope(), terms=terms[:1], limit=5, timeout_s=TIMEOUT_S
        )
        assert [hit.memory_id for hit in hits] == ["m1"]
        assert await keyword(ready, "word") == ["m2"]

    async def test_facts_are_found_by_keyword_and_never_by_vector(self, ready: VectorIndex) -> None:
        await ready.upsert(
            collection=COLLECTION,
            rows=[
                row("fact", kind="fact", text="order ORD-1 paid"),
                row("fact2", kind="fact", text="payment", vector=unit(1.0)),
                row("memory", vector=unit(0.0, 1.0)),
            ],
        )
        assert await keyword(ready, "ORD-1") == ["fact"]
        for query in (unit(1.0), unit(0.0, 1.0), unit(1.0, 1.0, 1.0)):
            assert await dense(ready, query) == ["memory"]
        assert len(await all_entries(ready)) == 3

    async def test_only_facts_may_go_without_a_vector(self, ready: VectorIndex) -> None:
        bare = IndexRow(
            scope=scope(), memory_id=MemoryId("m1"), version=1, kind="episodic", category="event", agent_id=None,
            event_time=WHEN, terms=("tea",), vector=None,
        )  # fmt: skip
        with pytest.raises(StoreRejectedError):
            await ready.upsert(collection=COLLECTION, rows=[bare])
        assert await all_entries(ready) == []

    async def test_a_vector_of_another_dimension_is_refused(self, ready: VectorIndex) -> None:
        wrong = np.ones(DIM + 1, dtype=np.float32)
        with pytest.raises(StoreRejectedError):
            await ready.upsert(collection=COLLECTION, rows=[row("m1", vector=wrong)])
        with pytest.raises(StoreRejectedError):
            await ready.search_dense(collection=COLLECTION, scope=scope(), vector=wrong, limit=1, timeout_s=TIMEOUT_S)

    async def test_rows_without_an_agent_and_from_before_1970(self, ready: VectorIndex) -> None:
        old = IndexRow(
            scope=scope(), memory_id=MemoryId("m1"), version=1, kind="episodic", category="旅行", agent_id=None,
            event_time=datetime(1900, 1, 1, tzinfo=UTC) - timedelta(milliseconds=1), terms=("tea",), vector=unit(1.0),
        )  # fmt: skip
        await ready.upsert(collection=COLLECTION, rows=[old])
        assert await dense(ready, unit(1.0)) == ["m1"]

    async def test_scopes_never_meet(self, ready: VectorIndex) -> None:
        scopes = [scope("u1"), scope("u2"), scope("u1", "other"), scope("u"), scope("u11"), scope("U1")]
        await ready.upsert(
            collection=COLLECTION,
            rows=[row(f"m{number}", of=item, text="green tea") for number, item in enumerate(scopes)],
        )
        for number, item in enumerate(scopes):
            assert await dense(ready, unit(1.0), of=item) == [f"m{number}"]
            assert await keyword(ready, "tea", of=item) == [f"m{number}"]
        assert await dense(ready, unit(1.0), of=scope("nobody")) == []
        assert await keyword(ready, "tea", of=scope("nobody")) == []

    async def test_awkward_ids_find_exactly_their_own_rows(self, ready: VectorIndex) -> None:
        rows = [row(f"m{number:02d}", of=scope(user), text="tea") for number, user in enumerate(AWKWARD_USERS)]
        await ready.upsert(collection=COLLECTION, rows=rows)
        for item in rows:
            assert await dense(ready, unit(1.0), of=item.scope) == [item.memory_id], item.scope.user_id
            assert await keyword(ready, "tea", of=item.scope) == [item.memory_id], item.scope.user_id
        for number, item in enumerate(rows):
            await ready.delete(collection=COLLECTION, scope=item.scope, memory_ids=[each.memory_id for each in rows])
            left = [entry.memory_id for entry in await all_entries(ready)]
            assert left == [each.memory_id for each in rows[number + 1 :]], item.scope.user_id

    async def test_delete_removes_from_both_arms(self, ready: VectorIndex) -> None:
        await ready.upsert(collection=COLLECTION, rows=[row("m1", text="tea"), row("m2", text="tea")])
        await ready.delete(collection=COLLECTION, scope=scope(), memory_ids=[MemoryId("m1"), MemoryId("unknown")])
        assert await dense(ready, unit(1.0)) == ["m2"]
        assert await keyword(ready, "tea") == ["m2"]
        assert [entry.memory_id for entry in await all_entries(ready)] == ["m2"]

    async def test_delete_of_another_scopes_row_does_nothing(self, ready: VectorIndex) -> None:
        await ready.upsert(collection=COLLECTION, rows=[row("m1", text="tea")])
        await ready.delete(collection=COLLECTION, scope=scope("u2"), memory_ids=[MemoryId("m1")])
        assert await dense(ready, unit(1.0)) == ["m1"]

    async def test_delete_takes_any_memory_id(self, ready: VectorIndex) -> None:
        names = ['a" or memory_id != "', "a'b", "a\\", "]", "记忆"]
        await ready.upsert(collection=COLLECTION, rows=[row(name) for name in [*names, "other"]])
        await ready.delete(collection=COLLECTION, scope=scope(), memory_ids=[MemoryId(name) for name in names])
        assert [entry.memory_id for entry in await all_entries(ready)] == ["other"]

    async def test_a_deleted_row_may_come_back(self, ready: VectorIndex) -> None:
        await ready.upsert(collection=COLLECTION, rows=[row("m1", text="tea")])
        await ready.delete(collection=COLLECTION, scope=scope(), memory_ids=[MemoryId("m1")])
        await ready.upsert(collection=COLLECTION, rows=[row("m1", text="coffee", version=VERSION + 2)])
        assert await all_entries(ready) == [IndexEntry(memory_id=MemoryId("m1"), version=VERSION + 2)]
        assert await keyword(ready, "coffee") == ["m1"]

    async def test_entries_are_paged_in_order_of_ids(self, ready: VectorIndex) -> None:
        names = [f"m{(number * 37) % 101:03d}" for number in range(101)]
        for start in range(0, len(names), 25):
            await ready.upsert(
                collection=COLLECTION,
                rows=[row(name, of=scope(f"u{name[-1]}")) for name in names[start : start + 25]],
            )
        first = await ready.entries(collection=COLLECTION, after=None, limit=10)
        assert [entry.memory_id for entry in first] == sorted(names)[:10]
        assert [entry.memory_id for entry in await all_entries(ready, page=10)] == sorted(names)
        assert await ready.entries(collection=COLLECTION, after=MemoryId(max(names)), limit=10) == []
        assert await ready.entries(collection=COLLECTION, after=None, limit=0) == []

    async def test_no_time_left_is_an_error_and_not_an_empty_answer(self, ready: VectorIndex) -> None:
        with pytest.raises(DeadlineExceededError):
            await ready.search_dense(collection=COLLECTION, scope=scope(), vector=unit(1), limit=1, timeout_s=0.0)
        with pytest.raises(DeadlineExceededError):
            await ready.search_keyword(collection=COLLECTION, scope=scope(), terms=["a"], limit=1, timeout_s=0.0)
        with pytest.raises(UnavailableError):
            await ready.ping(timeout_s=0.0)
