"""The control store contract, on the real engine."""

from __future__ import annotations

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.control_store import ClickHouseControlStore
from memplane.ports.control_store import ControlStore
from tests.contract.control_store_contract import ControlStoreContract


class TestClickHouseControlStore(ControlStoreContract):
    @pytest.fixture
    async def control_store(self, clickhouse_client: ClickHouseClient) -> ControlStore:
        return ClickHouseControlStore(clickhouse_client)
