"""The contract of ``AuditLog``, in process."""

from __future__ import annotations

import pytest

from memplane.adapters.memory import InMemoryAuditLog
from memplane.ports.audit_log import AuditLog
from tests.contract.audit_log_contract import AuditLogContract


class TestInMemoryAuditLog(AuditLogContract):
    """The contract."""

    @pytest.fixture
    async def audit_log(self) -> AuditLog:
        return InMemoryAuditLog()
