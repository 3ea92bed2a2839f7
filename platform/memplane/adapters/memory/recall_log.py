"""The recall log in process; uses are counted where the memory store reads them."""

from __future__ import annotations

from collections.abc import Sequence

from memplane.adapters.memory.memory_store import InMemoryMemoryStore
from memplane.domain.memory import MemoryAccess
from memplane.domain.recall_record import RecallRecord
from memplane.ports.memory_store import MemoryRef


class InMemoryRecallLog:
    """The port :class:`RecallLog`. ``records`` is the log."""

    def __init__(self, memories: InMemoryMemoryStore) -> None:
        self._memories = memories
        self._uses: dict[MemoryRef, int] = {}
        self.records: list[RecallRecord] = []

    async def append(self, *, records: Sequence[RecallRecord]) -> None:
        """Logs recalls."""
        self.records.extend(records)

    async def count_uses(self, *, records: Sequence[RecallRecord]) -> None:
        """Adds uses."""
        for record in records:
            for memory_id in record.memory_ids:
                ref = MemoryRef(tenant_id=record.scope.tenant_id, scope_tag=record.scope.tag, memory_id=memory_id)
                self._uses[ref] = self._uses.get(ref, 0) + 1
                access = MemoryAccess(access_count=self._uses[ref], last_accessed_at=record.at)
                self._memories.record_use(ref=ref, access=access)
