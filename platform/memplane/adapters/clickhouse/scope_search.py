"""Exact search inside one scope, in ClickHouse.

The database filters, joins vectors, measures cosines and counts terms; ``domain.bm25`` makes scores of the counts. A
query that also scores and ranks takes longer to plan than all the rest takes, for scopes of ordinary size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.memory_reads import rows_and_uses, uses_of
from memplane.adapters.clickhouse.memory_rows import memory_of
from memplane.domain.bm25 import (
    Corpus,
    Floats,
    Occurrences,
    corpus_of,
    distinct_terms,
    keyword_scores,
    neighbour_scores,
    with_neighbours,
)
from memplane.domain.clock import from_millis, to_millis
from memplane.domain.ids import MemoryId, SessionId
from memplane.domain.memory import MemoryAccess
from memplane.domain.results import StoredMemory
from memplane.ports.retrieval import Candidate, ScopeQuery, Visible

_EARLIEST_MS: Final = -2_208_988_800_000
_LATEST_MS: Final = 10_413_791_999_000
"""The ends of DateTime64(3): 1900-01-01 and 2299-12-31. ``from_time`` is within the window, ``to_time`` is not."""


class ClickHouseScopeSearch:
    """Implements ``ports.retrieval.ScopeSearch``. Each call reads one scope; a read-only database user will do."""

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client

    async def search(self, *, visible: Visible, query: ScopeQuery, timeout_s: float) -> list[Candidate]:
        """See the port. Ties within an arm go to the row that the database gave first."""
        terms = distinct_terms(query.terms)
        if query.vector is None:
            if not terms:
                return []
            name, vector = "search_scope_keyword", {}
        else:
            name, vector = "search_scope", _vector_parameters(query)
        parameters = {**_parameters(visible), **vector, "terms": list(terms)}
        answer = await self._client.query(name, parameters=parameters, timeout_s=timeout_s)
        return _best(answer.rows, terms=len(terms), limit=query.limit_per_arm)

    async def score(
        self, *, visible: Visible, query: ScopeQuery, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[Candidate]:
        """See the port."""
        if not memory_ids:
            return []
        parameters = {
            **_parameters(visible),
            **_vector_parameters(query),
            "terms": list(distinct_terms(query.terms)),
            "memory_ids": list(dict.fromkeys(memory_ids)),
        }
        answer = await self._client.query("search_score", parameters=parameters, timeout_s=timeout_s)
        return _scored(answer.dicts()[0])

    async def hydrate(
        self, *, visible: Visible, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[StoredMemory]:
        """See the port. An id given twice is answered once, in its first place."""
        wanted = list(dict.fromkeys(memory_ids))
        if not wanted:
            return []
        scope, parameters = visible.scope, {**_parameters(visible), "memory_ids": wanted}
        rows, uses = await rows_and_uses(
            self._client.query("search_hydrate", parameters=parameters, timeout_s=timeout_s),
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

    async def recent(self, *, visible: Visible, limit: int, timeout_s: float) -> list[Candidate]:
        """See the port. Nothing is scored."""
        parameters = {**_parameters(visible), "limit": limit}
        answer = await self._client.query("search_recent", parameters=parameters, timeout_s=timeout_s)
        return [_candidate(row) for row in answer.rows]


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


def _best(rows: Sequence[tuple[Any, ...]], *, terms: int, limit: int) -> list[Candidate]:
    """Scores all rows and keeps the best ``limit`` of each arm.

    A row is (memory id, version, session, time, length, hits, cosine).
    """
    if not rows:
        return []
    ids, versions, sessions, times, lengths, hits, cosines = zip(*rows, strict=True)
    similarity = np.array([-np.inf if cosine is None else cosine for cosine in cosines])
    occurrences = with_neighbours(
        counts=_counts(hits, terms),
        lengths=np.array(lengths, np.float64),
        sessions=sessions,
        event_times_ms=times,
        versions=versions,
    )
    corpus = corpus_of(occurrences)
    keyword = keyword_scores(occurrences=occurrences, corpus=corpus)
    neighbour = neighbour_scores(occurrences=occurrences, corpus=corpus)
    chosen = np.unique(
        np.concatenate([
            _top(similarity, limit, above=-np.inf), _top(keyword, limit, above=0.0), _top(neighbour, limit, above=0.0),
        ])
    )  # fmt: skip
    return [
        _candidate(
            (ids[row], versions[row], sessions[row], times[row]),
            cosine=cosines[row],
            keyword=float(keyword[row]),
            neighbour=float(neighbour[row]),
        )
        for row in chosen.tolist()
    ]


def _scored(answer: Mapping[str, Any]) -> list[Candidate]:
    rows = answer["scored"]
    if not rows:
        return []
    ids, versions, sessions, times, lengths, counts, near_lengths, near_counts, cosines = zip(*rows, strict=True)
    occurrences = Occurrences(
        counts=np.array(counts, np.float64),
        lengths=np.array(lengths, np.float64),
        near_counts=np.array(near_counts, np.float64),
        near_lengths=np.array(near_lengths, np.float64),
    )
    corpus = Corpus(
        rows=answer["rows"],
        mean_length=answer["total_length"] / answer["rows"],
        mean_near_length=answer["total_near_length"] / answer["rows"],
        row_frequencies=np.array(answer["row_frequencies"], np.float64),
    )
    keyword = keyword_scores(occurrences=occurrences, corpus=corpus).tolist()
    neighbour = neighbour_scores(occurrences=occurrences, corpus=corpus).tolist()
    return [
        _candidate(head, cosine=cosine, keyword=own, neighbour=near)
        for head, cosine, own, near in zip(
            zip(ids, versions, sessions, times, strict=True), cosines, keyword, neighbour, strict=True
        )
    ]


def _counts(hits: Sequence[Sequence[int]], terms: int) -> Floats:
    """(rows, terms) out of each row's list of the 1-based terms that it holds."""
    cells = [row * terms + term - 1 for row, found in enumerate(hits) if found for term in found]
    flat = np.bincount(np.array(cells, np.int64), minlength=len(hits) * terms)
    return flat.reshape(len(hits), terms).astype(np.float64)


def _top(scores: Floats, limit: int, *, above: float) -> NDArray[np.int64]:
    """The places of the greatest scores that are greater than ``above``; earlier places first among equals."""
    places = np.flatnonzero(scores > above)
    if len(places) <= limit:
        return places
    return places[np.argsort(-scores[places], kind="stable")[:limit]]


def _candidate(
    head: tuple[Any, ...], *, cosine: float | None = None, keyword: float = 0.0, neighbour: float = 0.0
) -> Candidate:
    """``head``: memory id, version, session, time."""
    memory_id, version, session_id, event_ms = head
    return Candidate(
        memory_id=MemoryId(memory_id),
        version=version,
        # Rounding of single precision may pass the ends.
        similarity=None if cosine is None else min(1.0, max(-1.0, cosine)),
        keyword=keyword,
        neighbour_keyword=neighbour,
        session_id=None if session_id is None else SessionId(session_id),
        event_time=from_millis(event_ms),
    )
