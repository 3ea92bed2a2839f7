"""The contract of facts, on the real engine."""

from __future__ import annotations

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.memory_store import ClickHouseMemoryStore
from memplane.ports.memory_store import MemoryStore
from tests.contract.facts_contract import FactsContract


class TestClickHouseFacts(FactsContract):
    @pytest.fixture
    async def memory_store(self, clickhouse_client: ClickHouseClient) -> MemoryStore:
        return ClickHouseMemoryStore(clickhouse_client)
