"""The audit chains in a dictionary."""

from __future__ import annotations

from collections.abc import Sequence

from memplane.domain.audit_chain import AuditRow, ChainHead
from memplane.domain.ids import TenantId


class InMemoryAuditLog:
    """The port :class:`AuditLog`. Two different rows with one ``seq`` are both kept: a fork is there to be found."""

    def __init__(self) -> None:
        self._chains: dict[tuple[TenantId, int], dict[tuple[int, str], AuditRow]] = {}

    async def append(self, *, rows: Sequence[AuditRow]) -> None:
        """Stores rows; the same row again changes nothing."""
        for row in rows:
            self._chains.setdefault((row.tenant_id, row.shard), {})[(row.seq, row.hash)] = row

    async def head(self, *, tenant_id: TenantId, shard: int) -> ChainHead:
        """The row with the greatest ``seq``, or the genesis head."""
        chain = self._chains.get((tenant_id, shard))
        if not chain:
            return ChainHead()
        seq, row_hash = max(chain)
        return ChainHead(seq=seq, hash=row_hash)

    async def rows(self, *, tenant_id: TenantId, shard: int, after_seq: int, limit: int) -> list[AuditRow]:
        """At most ``limit`` rows with a greater ``seq``."""
        chain = self._chains.get((tenant_id, shard), {})
        return [row for (seq, _), row in sorted(chain.items()) if seq > after_seq][:limit]
