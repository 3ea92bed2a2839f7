"""The contract of listing events, on the real engine."""

from __future__ import annotations

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.event_log import ClickHouseEventLog
from memplane.ports.event_log import EventLog
from tests.contract.event_page_contract import EventPageContract


class TestClickHouseEventPage(EventPageContract):
    @pytest.fixture
    async def event_log(self, clickhouse_client: ClickHouseClient) -> EventLog:
        return ClickHouseEventLog(clickhouse_client)
