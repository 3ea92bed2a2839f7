"""The audit log contract, on the real engine."""

from __future__ import annotations

import pytest

from memplane.adapters.clickhouse.audit_log import ClickHouseAuditLog
from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.ports.audit_log import AuditLog
from tests.contract.audit_log_contract import AuditLogContract


class TestClickHouseAuditLog(AuditLogContract):
    @pytest.fixture
    async def audit_log(self, clickhouse_client: ClickHouseClient) -> AuditLog:
        return ClickHouseAuditLog(clickhouse_client)
