"""Versions of memories in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.memory.facts import facts_page
from memplane.adapters.memory.visibility import may_see, within
from memplane.domain.clock import to_millis
from memplane.domain.ids import GenerationId, MemoryId, Scope, ScopeTag, TenantId
from memplane.domain.memory import Memory, MemoryAccess, Status
from memplane.domain.results import MemoryPage, StoredMemory
from memplane.ports.memory_store import FactQuery, MemoryQuery, MemoryRef, VectorOfRecord

_VectorKey = tuple[Scope, GenerationId, MemoryId, str]


class InMemoryMemoryStore:
    """The port :class:`MemoryStore`; :class:`InMemoryScopeSearch` reads the same rows through :meth:`rows_of`."""

    def __init__(self) -> None:
        self._versions: dict[MemoryRef, dict[int, Memory]] = {}
        self._vectors: dict[_VectorKey, NDArray[np.float32]] = {}
        self._access: dict[MemoryRef, MemoryAccess] = {}

    async def put_vectors(self, *, vectors: Sequence[VectorOfRecord]) -> None:
        """Stores vectors, one for each text of a memory in a generation."""
        for item in vectors:
            key = (item.scope, item.generation, item.memory_id, item.summary_hash)
            self._vectors[key] = np.array(item.vector, dtype=np.float32)

    async def commit(self, *, versions: Sequence[Memory]) -> None:
        """Stores versions; one with the number of a stored one replaces it."""
        for memory in versions:
            self._versions.setdefault(_ref(memory), {})[memory.version] = memory

    async def current(self, *, refs: Sequence[MemoryRef]) -> list[Memory]:
        """The version of greatest rank of each."""
        return [self._current(ref) for ref in dict.fromkeys(refs) if ref in self._versions]

    async def get(self, *, tenant_id: TenantId, scope_tag: ScopeTag, memory_id: MemoryId) -> StoredMemory | None:
        """The current version with its use counts."""
        ref = MemoryRef(tenant_id=tenant_id, scope_tag=scope_tag, memory_id=memory_id)
        return self._stored(ref) if ref in self._versions else None

    async def history(
        self, *, scope: Scope, memory_id: MemoryId, before: int | None = None, limit: int | None = None
    ) -> list[Memory]:
        """Versions by number. None for another user's memory."""
        ref = MemoryRef(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=memory_id)
        versions = sorted(self._versions.get(ref, {}).items())
        found = [
            memory for version, memory in versions if memory.scope == scope and (before is None or version < before)
        ]
        return found if limit is None else found[-limit:] if limit else []

    async def facts(self, *, query: FactQuery) -> list[Memory]:
        """One page, by ``valid_from``, then ``memory_id``, both descending."""
        of_scope = (versions for ref, versions in self._versions.items() if ref.scope_tag == query.scope.tag)
        facts = [[memory for memory in versions.values() if memory.scope == query.scope] for versions in of_scope]
        return facts_page([versions for versions in facts if versions], query)

    async def indexable(
        self, *, shards: Sequence[int], updated_since: datetime | None, after: MemoryRef | None, limit: int
    ) -> list[Memory]:
        """Current versions by (tenant_id, scope_tag, memory_id)."""
        rows = [self._current(ref) for ref in sorted(self._versions, key=_ref_key)]
        return [
            memory
            for memory in rows
            if memory.scope.shard in shards
            and (updated_since is None or memory.updated_at >= updated_since)
            and (after is None or _ref_key(_ref(memory)) > _ref_key(after))
        ][:limit]

    async def vectors(
        self, *, generation: GenerationId, memories: Sequence[Memory]
    ) -> dict[MemoryId, NDArray[np.float32]]:
        """Vectors of the texts that ``memories`` have now."""
        found = {memory.memory_id: self.vector_of(memory, generation) for memory in memories}
        return {memory_id: vector for memory_id, vector in found.items() if vector is not None}

    async def list(self, *, query: MemoryQuery) -> MemoryPage:
        """One page, by ``event_time``, then ``memory_id``, both descending."""
        rows = [row for row in self.rows_of(query.scope) if _matches(row.memory, query)]
        rows.sort(key=lambda row: _sort_key(row.memory), reverse=True)
        if query.after:
            rows = [row for row in rows if _sort_key(row.memory) < query.after]
        return MemoryPage(items=tuple(rows[: query.limit]), next_cursor=None)

    def record_use(self, *, ref: MemoryRef, access: MemoryAccess) -> None:
        """Sets the use counts of a memory, which in the real store another table adds up."""
        self._access[ref] = access

    def rows_of(self, scope: Scope) -> tuple[StoredMemory, ...]:
        """The current rows of a scope, whatever their status. An equal tag is not enough: the user must be the same."""
        rows = (self._stored(ref) for ref in self._versions if ref.scope_tag == scope.tag)
        return tuple(row for row in rows if row.memory.scope == scope)

    def vector_of(self, memory: Memory, generation: GenerationId) -> NDArray[np.float32] | None:
        """The vector of a memory's text in a generation."""
        return self._vectors.get((memory.scope, generation, memory.memory_id, memory.summary_hash))

    def _current(self, ref: MemoryRef) -> Memory:
        return max(self._versions[ref].values(), key=lambda memory: (memory.rank, memory.version))

    def _stored(self, ref: MemoryRef) -> StoredMemory:
        return StoredMemory(memory=self._current(ref), access=self._access.get(ref, MemoryAccess()))


def _ref(memory: Memory) -> MemoryRef:
    return MemoryRef(tenant_id=memory.scope.tenant_id, scope_tag=memory.scope.tag, memory_id=memory.memory_id)


def _ref_key(ref: MemoryRef) -> tuple[str, str, str]:
    return (ref.tenant_id, ref.scope_tag, ref.memory_id)


def _sort_key(memory: Memory) -> tuple[int, str]:
    return (to_millis(memory.event_time), memory.memory_id)


def _matches(memory: Memory, query: MemoryQuery) -> bool:
    has_status = memory.status in query.statuses if query.statuses else memory.status is not Status.FORGOTTEN
    return (
        has_status
        and (not query.kinds or memory.kind in query.kinds)
        and (not query.categories or memory.category in query.categories)
        and within(memory, from_time=query.from_time, to_time=query.to_time)
        and may_see(memory, viewer=query.viewer, sees_private=query.sees_private)
    )
