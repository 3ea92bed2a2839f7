"""The contract of ``VectorIndex``, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryVectorIndex
from memplane.ports.vector_index import VectorIndex
from tests.contract.vector_index_contract import VectorIndexContract


class TestInMemoryVectorIndex(VectorIndexContract):
    """The contract."""

    @pytest.fixture
    async def index(self) -> VectorIndex:
        return InMemoryVectorIndex()
