"""The scope search contract, on the real engine."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.memory_store import ClickHouseMemoryStore
from memplane.adapters.clickhouse.scope_search import ClickHouseScopeSearch
from memplane.domain.errors import DeadlineExceededError
from memplane.domain.memory import Memory
from memplane.ports.memory_store import MemoryStore
from memplane.ports.retrieval import ScopeSearch
from tests.contract.scope_search_contract import TIMEOUT_S, RecordUse, ScopeSearchContract, asking, seen_by
from tests.support.memory_samples import NOW, fresh_scope, make_memory


class TestClickHouseScopeSearch(ScopeSearchContract):
    @pytest.fixture
    async def memory_store(self, clickhouse_client: ClickHouseClient) -> MemoryStore:
        return ClickHouseMemoryStore(clickhouse_client)

    @pytest.fixture
    async def scope_search(self, clickhouse_client: ClickHouseClient) -> ScopeSearch:
        return ClickHouseScopeSearch(clickhouse_client)

    @pytest.fixture
    def record_use(self, clickhouse_client: ClickHouseClient) -> RecordUse:
        async def record(memory: Memory, recalled: int, last_at: datetime) -> None:
            scope = memory.scope
            optional_time = "Nullable(DateTime64(3, 'UTC'))"
            await clickhouse_client.insert(
                "memory_access",
                columns=[
                    "tenant_id", "user_id", "scope_tag", "memory_id", "recalled", "touched", "last_recalled_at",
                    "last_touched_at",
                ],
                column_types=[
                    "LowCardinality(String)", "String", "String", "String", "UInt64", "UInt64", optional_time,
                    optional_time,
                ],
                rows=[
                    (
                        scope.tenant_id, scope.user_id, scope.tag, memory.memory_id, recalled, 1,
                        last_at - timedelta(minutes=1), last_at,
                    )
                ],
            )  # fmt: skip

        return record

    async def test_a_deadline_that_passes_is_told(self, scope_search: ScopeSearch) -> None:
        visible = seen_by(fresh_scope())
        unknown = [make_memory(visible.scope).memory_id]
        with pytest.raises(DeadlineExceededError):
            await scope_search.read(visible=visible, query=asking("coffee", vector=True), timeout_s=1e-5)
        with pytest.raises(DeadlineExceededError):
            await scope_search.hydrate(visible=visible, memory_ids=unknown, timeout_s=1e-5)
        with pytest.raises(DeadlineExceededError):
            await scope_search.recent(visible=visible, limit=1, timeout_s=1e-5)

    async def test_many_readers_and_a_writer_share_one_client(
        self, memory_store: MemoryStore, scope_search: ScopeSearch
    ) -> None:
        scopes = [fresh_scope(f"u{place}") for place in range(6)]
        memories = [make_memory(scope, terms=("coffee",)) for scope in scopes]
        await memory_store.commit(versions=memories)
        searches = [
            scope_search.read(visible=seen_by(scope), query=asking("coffee", vector=True), timeout_s=TIMEOUT_S)
            for scope in scopes * 4
        ]
        found, _ = await asyncio.gather(
            asyncio.gather(*searches), memory_store.commit(versions=[make_memory(fresh_scope(), event_time=NOW)])
        )
        assert [reading.rows.memory_ids[0] for reading in found] == [memory.memory_id for memory in memories] * 4
