"""Writes as operations: what a repeat of a keyed request is answered with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memplane.domain.ids import OperationId, Scope, ScopeTag, TenantId


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One write and its answer. ``body_hash`` is empty for writes without a key; ``receipt`` is JSON.

    The row with the greatest ``version`` wins. Kept for 24 hours.
    """

    scope: Scope
    operation_id: OperationId
    route: str
    idempotency_key: str
    body_hash: str
    status: str
    receipt: str
    created_at: datetime
    version: int


class OperationStore(Protocol):
    """Raises, every method: StoreUnavailableError, StoreRejectedError."""

    async def put(self, *, operations: Sequence[Operation]) -> None:
        """Stores operations in one fsynced insert. Empty input does nothing."""

    async def find(self, *, keys: Sequence[tuple[TenantId, ScopeTag, OperationId]]) -> dict[OperationId, Operation]:
        """Those that exist. Unknown ones are absent."""
