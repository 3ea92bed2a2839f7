"""Operations in a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from memplane.domain.ids import OperationId, ScopeTag, TenantId
from memplane.ports.clock import Clock
from memplane.ports.operations import Operation

KEPT_FOR: Final = timedelta(hours=24)


class InMemoryOperationStore:
    """The port :class:`OperationStore`. A day after ``created_at`` an operation is gone; without a ``clock`` none
    ages.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock
        self._rows: dict[tuple[TenantId, ScopeTag, OperationId], Operation] = {}

    async def put(self, *, operations: Sequence[Operation]) -> None:
        """Stores operations; an older version never replaces a newer one."""
        for row in operations:
            key = (row.scope.tenant_id, row.scope.tag, row.operation_id)
            stored = self._rows.get(key)
            if stored is None or row.version >= stored.version:
                self._rows[key] = row

    async def find(self, *, keys: Sequence[tuple[TenantId, ScopeTag, OperationId]]) -> dict[OperationId, Operation]:
        """The newest version of each that exists."""
        found = (self._rows[key] for key in keys if key in self._rows)
        return {row.operation_id: row for row in found if self._is_kept(row)}

    def _is_kept(self, row: Operation) -> bool:
        return self._clock is None or row.created_at > self._clock.now() - KEPT_FOR
