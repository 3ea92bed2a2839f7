"""ClickHouse, the truth: client, stores, migrations. Knows no other adapter."""

from memplane.adapters.clickhouse.audit_log import ClickHouseAuditLog
from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.control_store import ClickHouseControlStore
from memplane.adapters.clickhouse.event_log import ClickHouseEventLog
from memplane.adapters.clickhouse.lease_store import ClickHouseLeaseStore
from memplane.adapters.clickhouse.memory_store import ClickHouseMemoryStore
from memplane.adapters.clickhouse.migrate import MigrationReport, migrate
from memplane.adapters.clickhouse.operations import ClickHouseOperationStore
from memplane.adapters.clickhouse.recall_log import ClickHouseRecallLog
from memplane.adapters.clickhouse.scope_search import ClickHouseScopeSearch

__all__ = [
    "ClickHouseAuditLog",
    "ClickHouseClient",
    "ClickHouseControlStore",
    "ClickHouseEventLog",
    "ClickHouseLeaseStore",
    "ClickHouseMemoryStore",
    "ClickHouseOperationStore",
    "ClickHouseRecallLog",
    "ClickHouseScopeSearch",
    "MigrationReport",
    "migrate",
]
