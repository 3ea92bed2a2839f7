"""The contract of facts, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryMemoryStore
from memplane.ports.memory_store import MemoryStore
from tests.contract.facts_contract import FactsContract


class TestInMemoryFacts(FactsContract):
    @pytest.fixture
    async def memory_store(self) -> MemoryStore:
        return InMemoryMemoryStore()
