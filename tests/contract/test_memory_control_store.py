"""The contract of ``ControlStore``, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryControlStore
from memplane.ports.control_store import ControlStore
from tests.contract.control_store_contract import ControlStoreContract
from tests.support.wall_clock import WallClock


class TestInMemoryControlStore(ControlStoreContract):
    """The contract."""

    @pytest.fixture
    async def control_store(self) -> ControlStore:
        return InMemoryControlStore(WallClock())
