"""The contract of ``OperationStore``, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryOperationStore
from memplane.ports.operations import OperationStore
from tests.contract.operations_contract import OperationStoreContract
from tests.support.wall_clock import WallClock


class TestInMemoryOperationStore(OperationStoreContract):
    """The contract."""

    @pytest.fixture
    async def operations(self) -> OperationStore:
        return InMemoryOperationStore(WallClock())
