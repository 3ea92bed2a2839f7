"""The contract of ``MemoryStore``, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryMemoryStore
from memplane.ports.memory_store import MemoryStore
from tests.contract.memory_store_contract import MemoryStoreContract


class TestInMemoryMemoryStore(MemoryStoreContract):
    """The contract."""

    @pytest.fixture
    async def memory_store(self) -> MemoryStore:
        return InMemoryMemoryStore()
