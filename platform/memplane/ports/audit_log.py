"""The audit chains' store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memplane.domain.audit_chain import AuditRow, ChainHead
from memplane.domain.ids import TenantId


class AuditLog(Protocol):
    """Raises, every method: StoreUnavailableError, StoreRejectedError."""

    async def append(self, *, rows: Sequence[AuditRow]) -> None:
        """Stores linked rows in one insert; a repeat of the same rows collapses. Empty input does nothing."""

    async def head(self, *, tenant_id: TenantId, shard: int) -> ChainHead:
        """The last row of a chain, or the genesis head."""

    async def rows(self, *, tenant_id: TenantId, shard: int, after_seq: int, limit: int) -> list[AuditRow]:
        """Rows of a chain in order of ``seq``."""
