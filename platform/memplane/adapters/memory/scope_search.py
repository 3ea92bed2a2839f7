"""Reading inside one scope of an in-process memory store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from memplane.adapters.memory.memory_store import InMemoryMemoryStore
from memplane.adapters.memory.visibility import is_visible
from memplane.domain.errors import DeadlineExceededError
from memplane.domain.filter_eval import matches
from memplane.domain.ids import MemoryId
from memplane.domain.memory import Kind, Memory
from memplane.domain.ranking import WINDOW_REACH
from memplane.domain.results import StoredMemory
from memplane.domain.scope_rows import Floats, ScopeRows, TermStatistics
from memplane.ports.retrieval import ScopeQuery, ScopeReading, Visible


class InMemoryScopeSearch:
    """The port :class:`ScopeSearch` over the rows of :class:`InMemoryMemoryStore`."""

    def __init__(self, store: InMemoryMemoryStore) -> None:
        self._store = store

    async def read(self, *, visible: Visible, query: ScopeQuery, timeout_s: float) -> ScopeReading:
        """All visible rows."""
        _check(timeout_s)
        placed = self._placed(visible)
        return ScopeReading(
            rows=self._columns(placed, placed, query), memories=lambda memory_ids: self._stored(visible, memory_ids)
        )

    async def read_near(
        self,
        *,
        visible: Visible,
        query: ScopeQuery,
        memory_ids: Sequence[MemoryId],
        fresh_since: datetime,
        timeout_s: float,
    ) -> ScopeReading:
        """Given rows and their neighbours."""
        _check(timeout_s)
        placed, wanted = self._placed(visible), set(memory_ids)
        centres = [
            (session, place)
            for memory, session, place in placed
            if memory.memory_id in wanted or memory.updated_at >= fresh_since
        ]
        near = [
            row for row in placed
            if any(row[1] == session and abs(row[2] - place) <= WINDOW_REACH for session, place in centres)
        ]  # fmt: skip
        return ScopeReading(rows=self._columns(near, placed, query))

    async def hydrate(
        self, *, visible: Visible, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[StoredMemory]:
        """The full rows, in the order given."""
        _check(timeout_s)
        return self._stored(visible, memory_ids)

    async def recent(self, *, visible: Visible, limit: int, timeout_s: float) -> list[MemoryId]:
        """The newest rows."""
        _check(timeout_s)
        rows = [memory for memory, _, _ in self._placed(visible)]
        rows.sort(key=lambda memory: (memory.event_time, memory.version), reverse=True)
        return [memory.memory_id for memory in rows[:limit]]

    def _visible(self, visible: Visible) -> list[StoredMemory]:
        return [
            row
            for row in self._store.rows_of(visible.scope)
            if is_visible(row.memory, visible) and (visible.filter is None or matches(visible.filter, row))
        ]

    def _stored(self, visible: Visible, memory_ids: Sequence[MemoryId]) -> list[StoredMemory]:
        rows = {row.memory.memory_id: row for row in self._visible(visible)}
        return [rows[memory_id] for memory_id in dict.fromkeys(memory_ids) if memory_id in rows]

    def _placed(self, visible: Visible) -> list[tuple[Memory, str, int]]:
        """Visible rows in order, each with its session (its own id for none) and its place there."""
        rows = [row.memory for row in self._visible(visible)]
        rows.sort(key=lambda memory: (_session(memory), memory.event_time, memory.version))
        places: dict[str, int] = {}
        placed = []
        for memory in rows:
            session = _session(memory)
            places[session] = places.get(session, -1) + 1
            placed.append((memory, session, places[session]))
        return placed

    def _columns(
        self,
        chosen: Sequence[tuple[Memory, str, int]],
        everything: Sequence[tuple[Memory, str, int]],
        query: ScopeQuery,
    ) -> ScopeRows:
        def counts(rows: Sequence[tuple[Memory, str, int]]) -> list[list[int]]:
            return [[memory.terms.count(term) for term in query.terms] for memory, _, _ in rows]

        lengths = [len(memory.terms) for memory, _, _ in everything]
        held = np.array(counts(everything), np.float64).reshape(len(everything), len(query.terms))
        codes = {session: code for code, session in enumerate(dict.fromkeys(session for _, session, _ in chosen))}
        return ScopeRows(
            memory_ids=tuple(memory.memory_id for memory, _, _ in chosen),
            sessions=np.array([codes[session] for _, session, _ in chosen], np.int64),
            places=np.array([place for _, _, place in chosen], np.int64),
            lengths=np.array([max(1, len(memory.terms)) for memory, _, _ in chosen], np.float64),
            counts=np.array(counts(chosen), np.float64).reshape(len(chosen), len(query.terms)),
            similarities=self._similarities(chosen, query),
            speakers=tuple(memory.speaker for memory, _, _ in chosen),
            is_question=np.array([memory.is_question for memory, _, _ in chosen], np.bool_),
            has_time=np.array([memory.has_time for memory, _, _ in chosen], np.bool_),
            is_fact=np.array([memory.kind is Kind.FACT for memory, _, _ in chosen], np.bool_),
            statistics=TermStatistics(
                rows=len(everything),
                mean_length=float(np.mean(lengths)) if lengths else 0.0,
                row_frequencies=(held > 0).sum(axis=0).astype(np.float64),
            ),
        )

    def _similarities(self, rows: Sequence[tuple[Memory, str, int]], query: ScopeQuery) -> Floats | None:
        if query.vector is None or query.generation is None:
            return None
        cosines = []
        for memory, _, _ in rows:
            vector = None if memory.kind is Kind.FACT else self._store.vector_of(memory, query.generation)
            if vector is None or vector.shape != query.vector.shape:
                cosines.append(np.nan)
                continue
            norms = np.linalg.norm(vector) * np.linalg.norm(query.vector)
            cosines.append(float(np.clip(vector @ query.vector / norms, -1, 1)))
        return np.array(cosines, np.float64)


def _session(memory: Memory) -> str:
    return f"session {memory.session_id}" if memory.session_id else f"alone {memory.memory_id}"


def _check(timeout_s: float) -> None:
    if timeout_s <= 0:
        raise DeadlineExceededError("the deadline passed before the search")
