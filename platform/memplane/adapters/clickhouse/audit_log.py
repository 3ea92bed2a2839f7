"""The audit chains in ClickHouse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.table import NAME, TEXT, TIME, Table
from memplane.domain.audit_chain import AuditRow, ChainHead
from memplane.domain.ids import TenantId

AUDIT_LOG: Final = Table(
    name="audit_log",
    durable=True,
    columns={
        "tenant_id": NAME,
        "shard": "UInt8",
        "seq": "UInt64",
        "hash": TEXT,
        "prev_hash": TEXT,
        "at": TIME,
        "actor": TEXT,
        "action": NAME,
        "target": TEXT,
        "reason": TEXT,
        "trace_id": TEXT,
        "subject_hmac": TEXT,
        "before_hmac": TEXT,
        "after_hmac": TEXT,
        "version": "UInt64",
    },
)
"""Durable: a version may not outlive the audit row that it names."""


class ClickHouseAuditLog:
    """Implements ``ports.audit_log.AuditLog``."""

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client

    async def append(self, *, rows: Sequence[AuditRow]) -> None:
        """See the port."""
        await AUDIT_LOG.insert(self._client, [_values(row) for row in rows])

    async def head(self, *, tenant_id: TenantId, shard: int) -> ChainHead:
        """See the port."""
        found = await self._client.query("audit_head", parameters={"tenant_id": tenant_id, "shard": shard})
        if not found.rows:
            return ChainHead()
        seq, row_hash = found.rows[0]
        return ChainHead(seq=seq, hash=row_hash)

    async def rows(self, *, tenant_id: TenantId, shard: int, after_seq: int, limit: int) -> list[AuditRow]:
        """See the port. A fork shows as two rows of one ``seq``."""
        found = await self._client.query(
            "audit_rows",
            parameters={"tenant_id": tenant_id, "shard": shard, "after_seq": after_seq, "limit": limit},
        )
        return [_audit_row(row) for row in found.dicts()]


def _values(row: AuditRow) -> tuple[Any, ...]:
    return (
        row.tenant_id, row.shard, row.seq, row.hash, row.prev_hash, row.at, row.actor, row.action, row.target,
        row.reason, row.trace_id, row.subject_hmac, row.before_hmac, row.after_hmac, row.version,
    )  # fmt: skip


def _audit_row(row: Mapping[str, Any]) -> AuditRow:
    return AuditRow(**{**row, "tenant_id": TenantId(row["tenant_id"])})
