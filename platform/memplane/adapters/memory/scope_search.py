"""Exact search over the rows of an in-process memory store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from memplane.adapters.memory.memory_store import InMemoryMemoryStore
from memplane.adapters.memory.visibility import is_visible
from memplane.domain.bm25 import (
    corpus_of,
    count_terms,
    distinct_terms,
    keyword_scores,
    neighbour_scores,
    with_neighbours,
)
from memplane.domain.clock import to_millis
from memplane.domain.errors import DeadlineExceededError
from memplane.domain.ids import MemoryId
from memplane.domain.memory import Kind, Memory
from memplane.domain.results import StoredMemory
from memplane.ports.retrieval import Candidate, ScopeQuery, Visible

_NOTHING = ScopeQuery(terms=(), vector=None, generation=None)


class InMemoryScopeSearch:
    """The port :class:`ScopeSearch` over the rows of :class:`InMemoryMemoryStore`."""

    def __init__(self, store: InMemoryMemoryStore) -> None:
        self._store = store

    async def search(self, *, visible: Visible, query: ScopeQuery, timeout_s: float) -> list[Candidate]:
        """The best rows of each arm: by cosine, by their own terms, by their own and their neighbours' terms."""
        _check(timeout_s)
        rows = self._scored(visible, query)
        best = (
            _best(rows, lambda row: row.similarity, query.limit_per_arm)
            + _best(rows, lambda row: row.keyword or None, query.limit_per_arm)
            + _best(rows, lambda row: row.neighbour_keyword or None, query.limit_per_arm)
        )
        return list({row.memory_id: row for row in best}.values())

    async def score(
        self, *, visible: Visible, query: ScopeQuery, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[Candidate]:
        """Scores of given rows, with the statistics of all visible ones: what :meth:`search` gives them."""
        _check(timeout_s)
        wanted = set(memory_ids)
        return [row for row in self._scored(visible, query) if row.memory_id in wanted]

    async def hydrate(
        self, *, visible: Visible, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[StoredMemory]:
        """The full rows; an id given twice is answered once, in its first place."""
        _check(timeout_s)
        rows = {row.memory.memory_id: row for row in self._visible(visible)}
        return [rows[memory_id] for memory_id in dict.fromkeys(memory_ids) if memory_id in rows]

    async def recent(self, *, visible: Visible, limit: int, timeout_s: float) -> list[Candidate]:
        """The newest rows by event time, then version. Nothing is scored."""
        _check(timeout_s)
        rows = self._scored(visible, _NOTHING)
        return sorted(rows, key=lambda row: (row.event_time, row.version), reverse=True)[:limit]

    def _visible(self, visible: Visible) -> list[StoredMemory]:
        return [row for row in self._store.rows_of(visible.scope) if is_visible(row.memory, visible)]

    def _scored(self, visible: Visible, query: ScopeQuery) -> list[Candidate]:
        memories = [row.memory for row in self._visible(visible)]
        terms = distinct_terms(query.terms)
        occurrences = with_neighbours(
            counts=count_terms(documents=[memory.terms for memory in memories], terms=terms),
            lengths=np.array([len(memory.terms) for memory in memories], dtype=np.float64),
            sessions=[memory.session_id for memory in memories],
            event_times_ms=[to_millis(memory.event_time) for memory in memories],
            versions=[memory.version for memory in memories],
        )
        corpus = corpus_of(occurrences)
        keyword = keyword_scores(occurrences=occurrences, corpus=corpus)
        neighbour = neighbour_scores(occurrences=occurrences, corpus=corpus)
        return [
            Candidate(
                memory_id=memory.memory_id,
                version=memory.version,
                similarity=self._similarity(memory, query),
                keyword=float(keyword[place]),
                neighbour_keyword=float(neighbour[place]),
                session_id=memory.session_id,
                event_time=memory.event_time,
            )
            for place, memory in enumerate(memories)
        ]

    def _similarity(self, memory: Memory, query: ScopeQuery) -> float | None:
        if memory.kind is Kind.FACT or query.vector is None or query.generation is None:
            return None
        vector = self._store.vector_of(memory, query.generation)
        if vector is None or vector.shape != query.vector.shape:
            return None
        cosine = vector @ query.vector / (np.linalg.norm(vector) * np.linalg.norm(query.vector))
        return float(np.clip(cosine, -1.0, 1.0))


def _best(rows: Sequence[Candidate], score: Callable[[Candidate], float | None], limit: int) -> list[Candidate]:
    scored = [(value, row) for row in rows if (value := score(row)) is not None]
    return [row for _, row in sorted(scored, key=lambda pair: (-pair[0], pair[1].memory_id))[:limit]]


def _check(timeout_s: float) -> None:
    if timeout_s <= 0:
        raise DeadlineExceededError("no time was left to search", retry_after_s=1.0)
