"""The contract of listing events, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryEventLog
from memplane.ports.event_log import EventLog
from tests.contract.event_page_contract import EventPageContract
from tests.support.wall_clock import WallClock


class TestInMemoryEventPage(EventPageContract):
    @pytest.fixture
    async def event_log(self) -> EventLog:
        return InMemoryEventLog(WallClock())
