"""Exact reading inside one scope, in ClickHouse.

The database filters, joins vectors, measures cosines and counts terms; ``domain.ranking`` makes an order of it. A query
that also scores and ranks takes longer to plan than all the rest takes, for scopes of ordinary size.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import numpy as np

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.filter_sql import RenderedFilter, render
from memplane.adapters.clickhouse.memory_reads import BY_IDS, together, uses_of
from memplane.adapters.clickhouse.memory_rows import memory_of
from memplane.adapters.clickhouse.scope_columns import Cosines, WholeRows, rows_of
from memplane.domain.clock import to_millis
from memplane.domain.ids import MemoryId, Scope
from memplane.domain.memory import MemoryAccess
from memplane.domain.results import StoredMemory
from memplane.domain.scope_rows import TermStatistics
from memplane.ports.retrieval import ScopeQuery, ScopeReading, Visible

_WHOLE_ROWS: Final = 1_000
"""Rows up to which a scope is read whole."""
_REMEMBERED_SCOPES: Final = 50_000
_EARLIEST_MS: Final = -2_208_988_800_000
_LATEST_MS: Final = 10_413_791_999_000
"""The ends of DateTime64(3): 1900-01-01 and 2299-12-31. ``from_time`` is within the window, ``to_time`` is not."""


class ClickHouseScopeSearch:
    """Implements ``ports.retrieval.ScopeSearch``. Each call reads one scope; a read-only database user will do.

    How many rows a scope had is remembered: where they are few, one read brings them whole, and the memories that a
    ranking chooses need no second one.
    """

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client
        self._sizes: OrderedDict[Scope, int] = OrderedDict()

    async def read(self, *, visible: Visible, query: ScopeQuery, timeout_s: float) -> ScopeReading:
        """See the port."""
        if self._sizes.get(visible.scope, _WHOLE_ROWS + 1) <= _WHOLE_ROWS:
            reading = await self._read_whole(visible, query, timeout_s)
        else:
            reading = await self._read_packed(visible, query, timeout_s)
        if not visible.is_narrowed:
            self._sizes[visible.scope] = len(reading.rows)
            self._sizes.move_to_end(visible.scope)
            if len(self._sizes) > _REMEMBERED_SCOPES:
                self._sizes.popitem(last=False)
        return reading

    async def read_near(
        self,
        *,
        visible: Visible,
        query: ScopeQuery,
        memory_ids: Sequence[MemoryId],
        fresh_since: datetime,
        timeout_s: float,
    ) -> ScopeReading:
        """See the port."""
        parameters = {
            **_parameters(visible),
            "terms": list(query.terms),
            "memory_ids": list(dict.fromkeys(memory_ids)),
            "fresh_ms": to_millis(fresh_since),
        }
        answer, cosines = await together(
            self._client.query("search_near", parameters=parameters, where=_where(visible), timeout_s=timeout_s),
            self._cosines(visible, query, timeout_s),
        )
        packed = answer.dicts()[0]
        total = packed["total_rows"]
        statistics = TermStatistics(
            rows=total,
            mean_length=packed["total_length"] / total if total else 0.0,
            # Without rows there is nothing to add up, and the sum has no elements.
            row_frequencies=np.array(packed["row_frequencies"] or [0.0] * len(query.terms), np.float64),
        )
        return ScopeReading(rows=rows_of(packed, terms=len(query.terms), cosines=cosines, statistics=statistics))

    async def _read_packed(self, visible: Visible, query: ScopeQuery, timeout_s: float) -> ScopeReading:
        parameters = {**_parameters(visible), "terms": list(query.terms)}
        answer, cosines = await together(
            self._client.query("search_scope", parameters=parameters, where=_where(visible), timeout_s=timeout_s),
            self._cosines(visible, query, timeout_s),
        )
        return ScopeReading(rows=rows_of(answer.dicts()[0], terms=len(query.terms), cosines=cosines))

    async def _read_whole(self, visible: Visible, query: ScopeQuery, timeout_s: float) -> ScopeReading:
        parameters = {**_parameters(visible), "terms": list(query.terms)}
        (answer, uses), cosines = await together(
            together(
                self._client.query("search_full", parameters=parameters, where=_where(visible), timeout_s=timeout_s),
                self._client.query("memory_uses", parameters=_scope_parameters(visible), timeout_s=timeout_s),
            ),
            self._cosines(visible, query, timeout_s),
        )
        whole = WholeRows(answer, uses)
        return ScopeReading(
            rows=rows_of(whole.packed(), terms=len(query.terms), cosines=cosines), memories=whole.memories
        )

    async def _cosines(self, visible: Visible, query: ScopeQuery, timeout_s: float) -> Cosines | None:
        """The cosine of each text of the scope, or ``None`` when the dense arm is off."""
        if query.vector is None or query.generation is None:
            return None
        parameters = {
            **_scope_parameters(visible),
            # As hex: exact and short.
            "vector": np.asarray(query.vector, "<f4").tobytes().hex(),
            "dim": len(query.vector),
            "generation": query.generation,
        }
        answer = await self._client.query("memory_cosines", parameters=parameters, timeout_s=timeout_s)
        text_keys, cosines = answer.rows[0]
        return Cosines(text_keys, cosines)

    async def hydrate(
        self, *, visible: Visible, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[StoredMemory]:
        """See the port. An id given twice is answered once, in its first place."""
        wanted = list(dict.fromkeys(memory_ids))
        if not wanted:
            return []
        scope, parameters = visible.scope, {**_parameters(visible), "memory_ids": wanted}
        rows, uses = await together(
            self._client.query(
                "search_hydrate", parameters=parameters, where=_where(visible), settings=BY_IDS, timeout_s=timeout_s
            ),
            uses_of(
                self._client,
                tenant_id=scope.tenant_id,
                scope_tag=scope.tag,
                memory_ids=wanted,
                timeout_s=timeout_s,
            ),
        )
        memories = {memory.memory_id: memory for memory in map(memory_of, rows.dicts())}
        return [
            StoredMemory(memory=memories[memory_id], access=uses.get(memory_id, MemoryAccess()))
            for memory_id in wanted
            if memory_id in memories
        ]

    async def recent(self, *, visible: Visible, limit: int, timeout_s: float) -> list[MemoryId]:
        """See the port."""
        parameters = {**_parameters(visible), "limit": limit}
        answer = await self._client.query(
            "search_recent", parameters=parameters, where=_where(visible), timeout_s=timeout_s
        )
        return [MemoryId(memory_id) for (memory_id,) in answer.rows]


def _parameters(visible: Visible) -> dict[str, Any]:
    """The parameters of ``sql/fragments/visible.sql``."""
    return {
        **_scope_parameters(visible),
        "statuses": ["active", "archived"] if visible.include_archived else ["active"],
        "now_ms": to_millis(visible.now),
        "viewer": visible.viewer,
        "sees_private": visible.sees_private,
        "kinds": list(visible.kinds),
        "categories": list(visible.categories),
        "from_ms": _EARLIEST_MS if visible.from_time is None else to_millis(visible.from_time),
        "to_ms": _LATEST_MS if visible.to_time is None else to_millis(visible.to_time),
    }


def _scope_parameters(visible: Visible) -> dict[str, Any]:
    scope = visible.scope
    return {"tenant_id": scope.tenant_id, "scope_tag": scope.tag, "user_id": scope.user_id}


def _where(visible: Visible) -> RenderedFilter | None:
    return None if visible.filter is None else render(visible.filter)
