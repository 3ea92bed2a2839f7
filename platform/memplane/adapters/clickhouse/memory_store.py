"""Versions of memories and vectors of record, in ClickHouse."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.fact_reads import read_facts
from memplane.adapters.clickhouse.memory_reads import BY_IDS, together, uses_of
from memplane.adapters.clickhouse.memory_rows import CURRENT, VECTORS, VERSIONS, memory_of, memory_row, vector_row
from memplane.adapters.clickhouse.time_bounds import from_ms, to_ms
from memplane.domain.clock import to_millis
from memplane.domain.ids import GenerationId, MemoryId, Scope, ScopeTag, TenantId
from memplane.domain.memory import Memory, MemoryAccess
from memplane.domain.results import MemoryPage, StoredMemory
from memplane.ports.memory_store import FactQuery, MemoryQuery, MemoryRef, VectorOfRecord

_ALL_VERSIONS: Final = 2**63 - 1
_REPAIR_ROWS: Final = 1_000


class ClickHouseMemoryStore:
    """Implements ``ports.memory_store.MemoryStore``.

    Writers insert into ``memory_versions`` only; a materialized view keeps ``memories``, the current rows. The view is
    no transaction: :meth:`repair_current` puts right what a failure between the two leaves behind.
    """

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client

    async def put_vectors(self, *, vectors: Sequence[VectorOfRecord]) -> None:
        """See the port."""
        await VECTORS.insert(self._client, [vector_row(vector) for vector in vectors])

    async def commit(self, *, versions: Sequence[Memory]) -> None:
        """See the port. Versions of equal rank are told apart by order of insertion only: writers never make them."""
        await VERSIONS.insert(self._client, [memory_row(version) for version in versions])

    async def current(self, *, refs: Sequence[MemoryRef]) -> list[Memory]:
        """See the port."""
        if not refs:
            return []
        keys = [(ref.tenant_id, ref.scope_tag, ref.memory_id) for ref in refs]
        answer = await self._client.query("memory_current", parameters={"refs": keys}, settings=BY_IDS)
        return [memory_of(row) for row in answer.dicts()]

    async def get(self, *, tenant_id: TenantId, scope_tag: ScopeTag, memory_id: MemoryId) -> StoredMemory | None:
        """See the port."""
        rows, uses = await together(
            self._client.query(
                "memory_current", parameters={"refs": [(tenant_id, scope_tag, memory_id)]}, settings=BY_IDS
            ),
            uses_of(self._client, tenant_id=tenant_id, scope_tag=scope_tag, memory_ids=[memory_id]),
        )
        for row in rows.dicts():
            return StoredMemory(memory=memory_of(row), access=uses.get(memory_id, MemoryAccess()))
        return None

    async def history(
        self, *, scope: Scope, memory_id: MemoryId, before: int | None = None, limit: int | None = None
    ) -> list[Memory]:
        """See the port. Oldest first: in order of version."""
        bounds = {"before": before, "limit": _ALL_VERSIONS if limit is None else limit}
        answer = await self._client.query(
            "memory_history", parameters={**_key(scope), "memory_id": memory_id, **bounds}
        )
        return [memory_of(row) for row in reversed(list(answer.dicts()))]

    async def facts(self, *, query: FactQuery) -> list[Memory]:
        """See the port."""
        return await read_facts(self._client, query)

    async def indexable(
        self, *, shards: Sequence[int], updated_since: datetime | None, after: MemoryRef | None, limit: int
    ) -> list[Memory]:
        """See the port. Goes through all rows of the current table behind ``after``'s tenant."""
        if not shards:
            return []
        answer = await self._client.query(
            "memory_indexable",
            parameters={
                "shards": list(shards),
                "since_ms": from_ms(updated_since),
                "after_tenant": "" if after is None else after.tenant_id,
                "after_tag": "" if after is None else after.scope_tag,
                "after_id": "" if after is None else after.memory_id,
                "limit": limit,
            },
        )
        return [memory_of(row) for row in answer.dicts()]

    async def vectors(
        self, *, generation: GenerationId, memories: Sequence[Memory]
    ) -> dict[MemoryId, NDArray[np.float32]]:
        """See the port."""
        if not memories:
            return {}
        texts = [
            (memory.scope.tenant_id, memory.scope.tag, memory.scope.user_id, memory.memory_id, memory.summary_hash)
            for memory in memories
        ]
        answer = await self._client.query("memory_vectors_find", parameters={"generation": generation, "texts": texts})
        return {MemoryId(memory_id): np.array(vector, np.float32) for memory_id, vector in answer.rows}

    async def repair_current(self, *, shards: Sequence[int], recorded_since: datetime) -> int:
        """Puts versions recorded since then into the current table where they are missing. May be repeated at any time.

        Returns: how many rows were missing. Costs in proportion to the rows of these shards.
        """
        repaired = 0
        parameters = {"shards": list(shards), "since_ms": to_millis(recorded_since), "limit": _REPAIR_ROWS}
        while shards:
            answer = await self._client.query("memory_missing", parameters=parameters)
            await CURRENT.insert(self._client, [memory_row(memory_of(row)) for row in answer.dicts()])
            repaired += len(answer.rows)
            if len(answer.rows) < _REPAIR_ROWS:
                break
        return repaired

    async def list(self, *, query: MemoryQuery) -> MemoryPage:
        """See the port."""
        answer = await self._client.query("memory_list", parameters=_list_parameters(query))
        memories = [memory_of(row) for row in answer.dicts()]
        uses = await uses_of(
            self._client,
            tenant_id=query.scope.tenant_id,
            scope_tag=query.scope.tag,
            memory_ids=[memory.memory_id for memory in memories],
        )
        items = (StoredMemory(memory=memory, access=uses.get(memory.memory_id, MemoryAccess())) for memory in memories)
        return MemoryPage(items=tuple(items), next_cursor=None)


def _key(scope: Scope) -> dict[str, Any]:
    return {"tenant_id": scope.tenant_id, "scope_tag": scope.tag, "user_id": scope.user_id}


def _list_parameters(query: MemoryQuery) -> dict[str, Any]:
    after_ms, after_id = query.after or (0, "")
    return {
        **_key(query.scope),
        "statuses": list(query.statuses),
        "kinds": list(query.kinds),
        "categories": list(query.categories),
        "from_ms": from_ms(query.from_time),
        "to_ms": to_ms(query.to_time),
        "viewer": query.viewer,
        "sees_private": query.sees_private,
        "continued": bool(query.after),
        "after_ms": after_ms,
        "after_id": after_id,
        "limit": query.limit,
    }
