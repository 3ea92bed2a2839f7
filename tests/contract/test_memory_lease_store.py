"""The contract of ``LeaseStore``, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryLeaseStore
from memplane.ports.leases import LeaseStore
from tests.contract.lease_store_contract import LeaseStoreContract


class TestInMemoryLeaseStore(LeaseStoreContract):
    """The contract."""

    @pytest.fixture
    async def lease_store(self) -> LeaseStore:
        return InMemoryLeaseStore()
