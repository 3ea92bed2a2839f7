"""The lease store contract, on the real engine."""

from __future__ import annotations

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.lease_store import ClickHouseLeaseStore
from memplane.ports.leases import LeaseStore
from tests.contract.lease_store_contract import LeaseStoreContract


class TestClickHouseLeaseStore(LeaseStoreContract):
    @pytest.fixture
    async def lease_store(self, clickhouse_client: ClickHouseClient) -> LeaseStore:
        return ClickHouseLeaseStore(clickhouse_client)
