"""Exact reading inside one scope, in ClickHouse.

The database filters, joins vectors, measures cosines and counts terms; ``domain.ranking`` makes an order of it. A query
that also scores and ranks takes longer to plan than all the rest takes, for scopes of ordinary size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.memory_reads import BY_IDS, rows_and_uses, uses_of
from memplane.adapters.clickhouse.memory_rows import memory_of
from memplane.domain.clock import to_millis
from memplane.domain.ids import MemoryId
from memplane.domain.memory import MemoryAccess
from memplane.domain.results import StoredMemory
from memplane.domain.scope_rows import Floats, Integers, ScopeRows, TermStatistics
from memplane.ports.retrieval import ScopeQuery, Visible

_EARLIEST_MS: Final = -2_208_988_800_000
_LATEST_MS: Final = 10_413_791_999_000
"""The ends of DateTime64(3): 1900-01-01 and 2299-12-31. ``from_time`` is within the window, ``to_time`` is not."""


class ClickHouseScopeSearch:
    """Implements ``ports.retrieval.ScopeSearch``. Each call reads one scope; a read-only database user will do."""

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client

    async def rows(self, *, visible: Visible, query: ScopeQuery, timeout_s: float) -> ScopeRows:
        """See the port."""
        name, vector = "search_scope_keyword", {}
        if query.vector is not None:
            name, vector = "search_scope", _vector_parameters(query)
        parameters = {**_parameters(visible), **vector, "terms": list(query.terms)}
        answer = await self._client.query(name, parameters=parameters, timeout_s=timeout_s)
        packed = answer.dicts()[0]
        counts = _counts(packed, terms=len(query.terms))
        lengths = np.array(packed["lengths"], np.float64)
        statistics = TermStatistics(
            rows=len(lengths),
            mean_length=float(lengths.mean()) if len(lengths) else 0.0,
            row_frequencies=(counts > 0).sum(axis=0).astype(np.float64),
        )
        return _scope_rows(packed, counts, statistics, has_vector=query.vector is not None)

    async def rows_near(
        self, *, visible: Visible, query: ScopeQuery, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> ScopeRows:
        """See the port."""
        parameters = {
            **_parameters(visible),
            **_vector_parameters(query),
            "terms": list(query.terms),
            "memory_ids": list(dict.fromkeys(memory_ids)),
        }
        answer = await self._client.query("search_near", parameters=parameters, timeout_s=timeout_s)
        packed = answer.dicts()[0]
        total = packed["total_rows"]
        statistics = TermStatistics(
            rows=total,
            mean_length=packed["total_length"] / total if total else 0.0,
            # Without rows there is nothing to add up, and the sum has no elements.
            row_frequencies=np.array(packed["row_frequencies"] or [0.0] * len(query.terms), np.float64),
        )
        counts = _counts(packed, terms=len(query.terms))
        return _scope_rows(packed, counts, statistics, has_vector=query.vector is not None)

    async def hydrate(
        self, *, visible: Visible, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[StoredMemory]:
        """See the port. An id given twice is answered once, in its first place."""
        wanted = list(dict.fromkeys(memory_ids))
        if not wanted:
            return []
        scope, parameters = visible.scope, {**_parameters(visible), "memory_ids": wanted}
        rows, uses = await rows_and_uses(
            self._client.query("search_hydrate", parameters=parameters, settings=BY_IDS, timeout_s=timeout_s),
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
        answer = await self._client.query("search_recent", parameters=parameters, timeout_s=timeout_s)
        return [MemoryId(memory_id) for (memory_id,) in answer.rows]


def _parameters(visible: Visible) -> dict[str, Any]:
    """The parameters of ``sql/fragments/visible.sql``."""
    return {
        "tenant_id": visible.scope.tenant_id,
        "scope_tag": visible.scope.tag,
        "user_id": visible.scope.user_id,
        "statuses": ["active", "archived"] if visible.include_archived else ["active"],
        "now_ms": to_millis(visible.now),
        "viewer": visible.viewer,
        "sees_private": visible.sees_private,
        "kinds": list(visible.kinds),
        "categories": list(visible.categories),
        "from_ms": _EARLIEST_MS if visible.from_time is None else to_millis(visible.from_time),
        "to_ms": _LATEST_MS if visible.to_time is None else to_millis(visible.to_time),
    }


def _vector_parameters(query: ScopeQuery) -> dict[str, Any]:
    """The query's vector, as hex: exact and short. Without one, no generation matches and no vector is read."""
    if query.vector is None or query.generation is None:
        return {"vector": "", "dim": 0, "generation": ""}
    return {
        "vector": np.asarray(query.vector, "<f4").tobytes().hex(),
        "dim": len(query.vector),
        "generation": query.generation,
    }


def _counts(packed: Mapping[str, Any], *, terms: int) -> Floats:
    """(rows, terms) out of each row's list of the 1-based terms that it holds."""
    rows = len(packed["memory_ids"])
    owners = np.repeat(np.arange(rows), np.array(packed["hit_counts"], np.int64))
    cells = owners * terms + np.array(packed["hit_terms"], np.int64) - 1
    return np.bincount(cells, minlength=rows * terms).reshape(rows, terms).astype(np.float64)


def _scope_rows(
    packed: Mapping[str, Any], counts: Floats, statistics: TermStatistics, *, has_vector: bool
) -> ScopeRows:
    """The rows in order of (session, event time, version)."""
    sessions = _session_codes(packed["sessions"])
    versions, times = np.array(packed["versions"], np.uint64), np.array(packed["event_times"], np.int64)
    order = np.lexsort((versions, times, sessions))
    places = np.array(packed["places"], np.int64)[order] if "places" in packed else _places(sessions[order])
    ids, speakers = packed["memory_ids"], packed["speakers"]
    return ScopeRows(
        memory_ids=tuple(MemoryId(ids[row]) for row in order),
        sessions=sessions[order],
        places=places,
        lengths=np.maximum(np.array(packed["lengths"], np.float64)[order], 1.0),
        counts=counts[order],
        # Rounding of single precision may pass the ends.
        similarities=np.clip(np.array(packed["cosines"], np.float64)[order], -1.0, 1.0) if has_vector else None,
        speakers=tuple(speakers[row] for row in order),
        is_question=np.array(packed["questions"], np.bool_)[order],
        has_time=np.array(packed["timed"], np.bool_)[order],
        statistics=statistics,
    )


def _session_codes(sessions: Sequence[str]) -> Integers:
    """A number for each session; rows without one (empty) get numbers of their own."""
    codes: dict[str, int] = {}
    return np.array(
        [codes.setdefault(name, len(codes)) if name else -1 - row for row, name in enumerate(sessions)], np.int64
    )


def _places(sessions: Integers) -> Integers:
    """0, 1, 2, … within each run of equal numbers."""
    rows = np.arange(len(sessions))
    starts = np.flatnonzero(np.diff(sessions, prepend=np.iinfo(np.int64).min))
    return rows - np.repeat(starts, np.diff(starts, append=len(sessions)))
