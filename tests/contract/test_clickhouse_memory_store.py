"""The memory store contract, on the real engine, and what only ClickHouse has: a view that may fail."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.memory_store import ClickHouseMemoryStore
from memplane.adapters.clickhouse.migrate import migrate
from memplane.domain.memory import Status
from memplane.ports.memory_store import MemoryStore
from tests.contract.memory_store_contract import ALL_SHARDS, MemoryStoreContract, ref
from tests.support.clickhouse_server import ClickHouseServer
from tests.support.memory_samples import NOW, fresh_scope, make_memory, next_version


class TestClickHouseMemoryStore(MemoryStoreContract):
    @pytest.fixture
    async def memory_store(self, clickhouse_client: ClickHouseClient) -> MemoryStore:
        return ClickHouseMemoryStore(clickhouse_client)


@pytest.fixture(scope="module")
def database() -> str:
    return f"test_{secrets.token_hex(6)}"


@pytest.fixture(scope="module")
async def own_client(clickhouse_server: ClickHouseServer, database: str) -> AsyncIterator[ClickHouseClient]:
    client = await clickhouse_server.client(database)
    await migrate(client, database=database)
    yield client
    await client.close()


class TestRepair:
    @pytest.fixture
    def memory_store(self, own_client: ClickHouseClient) -> ClickHouseMemoryStore:
        return ClickHouseMemoryStore(own_client)

    async def test_a_missing_current_row_is_put_back(
        self, memory_store: ClickHouseMemoryStore, own_client: ClickHouseClient, database: str
    ) -> None:
        scope = fresh_scope("o'hara")
        kept, lost = make_memory(scope), make_memory(scope, content="丢失 'x' \\", metadata={"a": None})
        newest = next_version(lost, status=Status.ARCHIVED)
        await memory_store.commit(versions=[kept, lost, newest])
        await own_client.command(
            f"ALTER TABLE {database}.memories DELETE WHERE memory_id = '{lost.memory_id}' SETTINGS mutations_sync = 2"
        )
        assert await memory_store.current(refs=[ref(lost)]) == []
        since = NOW - timedelta(minutes=1)
        others = [shard for shard in ALL_SHARDS if shard != scope.shard]
        assert await memory_store.repair_current(shards=[], recorded_since=since) == 0
        assert await memory_store.repair_current(shards=others, recorded_since=since) == 0
        assert await memory_store.repair_current(shards=ALL_SHARDS, recorded_since=NOW + timedelta(seconds=1)) == 0
        assert await memory_store.repair_current(shards=ALL_SHARDS, recorded_since=since) == 1
        assert await memory_store.current(refs=[ref(lost)]) == [newest]
        assert await memory_store.current(refs=[ref(kept)]) == [kept]
        assert await memory_store.repair_current(shards=ALL_SHARDS, recorded_since=since) == 0

    async def test_a_stale_current_row_is_replaced(
        self, memory_store: ClickHouseMemoryStore, own_client: ClickHouseClient, database: str
    ) -> None:
        memory = make_memory(fresh_scope())
        newer = next_version(memory, content="newer")
        await memory_store.commit(versions=[memory])
        await memory_store.commit(versions=[newer])
        await own_client.command(
            f"ALTER TABLE {database}.memories DELETE WHERE version = {newer.version} SETTINGS mutations_sync = 2"
        )
        # The older row may have been merged away with the newer one: either way the newest comes back.
        assert await memory_store.current(refs=[ref(memory)]) in ([memory], [])
        assert await memory_store.repair_current(shards=[memory.scope.shard], recorded_since=NOW) == 1
        assert await memory_store.current(refs=[ref(memory)]) == [newer]

    async def test_a_late_version_of_lesser_rank_is_not_missing(self, memory_store: ClickHouseMemoryStore) -> None:
        memory = make_memory(fresh_scope(), rank=200 << 64)
        await memory_store.commit(versions=[memory])
        await memory_store.commit(versions=[next_version(memory, rank=100 << 64, recorded_at=NOW + timedelta(days=1))])
        assert (
            await memory_store.repair_current(shards=[memory.scope.shard], recorded_since=NOW + timedelta(hours=1)) == 0
        )

    async def test_more_missing_rows_than_one_batch(
        self, memory_store: ClickHouseMemoryStore, own_client: ClickHouseClient, database: str
    ) -> None:
        scope = fresh_scope()
        memories = [make_memory(scope) for _ in range(2_300)]
        await memory_store.commit(versions=memories)
        await own_client.command(
            f"ALTER TABLE {database}.memories DELETE WHERE scope_tag = '{scope.tag}' SETTINGS mutations_sync = 2"
        )
        assert await memory_store.repair_current(shards=[scope.shard], recorded_since=NOW) == 2_300
        assert len(await memory_store.current(refs=[ref(memory) for memory in memories])) == 2_300
