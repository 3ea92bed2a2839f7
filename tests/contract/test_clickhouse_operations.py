"""The operations contract, on the real engine."""

from __future__ import annotations

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.operations import ClickHouseOperationStore
from memplane.ports.operations import OperationStore
from tests.contract.operations_contract import OperationStoreContract


class TestClickHouseOperationStore(OperationStoreContract):
    @pytest.fixture
    async def operations(self, clickhouse_client: ClickHouseClient) -> OperationStore:
        return ClickHouseOperationStore(clickhouse_client)
