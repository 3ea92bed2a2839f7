"""The contract of ``EventLog``, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryEventLog
from memplane.ports.event_log import EventLog
from tests.contract.event_log_contract import EventLogContract
from tests.support.wall_clock import WallClock


class TestInMemoryEventLog(EventLogContract):
    """The contract."""

    @pytest.fixture
    async def event_log(self) -> EventLog:
        return InMemoryEventLog(WallClock())
