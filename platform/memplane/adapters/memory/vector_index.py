"""Collections of vectors and terms in dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memplane.domain.errors import CorruptDataError, DeadlineExceededError, StoreRejectedError, StoreUnavailableError
from memplane.domain.ids import MemoryId, Scope
from memplane.domain.memory import Kind
from memplane.domain.ranking import B_OWN, K1, bm25, inverse_document_frequencies
from memplane.domain.scope_rows import TermStatistics
from memplane.ports.vector_index import IndexEntry, IndexRow, Nominee


@dataclass(slots=True)
class _Collection:
    dim: int
    rows: dict[MemoryId, IndexRow] = field(default_factory=dict)


class InMemoryVectorIndex:
    """The port :class:`VectorIndex`, exact and without delay.

    As the real one: facts are in the keyword arm only, another kind without a vector or with one of another dimension
    is StoreRejectedError, and an unknown collection is StoreUnavailableError.
    """

    def __init__(self) -> None:
        self._collections: dict[str, _Collection] = {}

    async def ensure_collection(self, *, collection: str, dim: int) -> None:
        """Creates the collection unless it is there."""
        found = self._collections.setdefault(collection, _Collection(dim=dim))
        if found.dim != dim:
            raise CorruptDataError(f"collection {collection!r} holds vectors of dimension {found.dim}, asked for {dim}")

    async def drop_collection(self, *, collection: str) -> None:
        """Removes the collection."""
        self._collections.pop(collection, None)

    async def upsert(self, *, collection: str, rows: Sequence[IndexRow]) -> None:
        """Writes all rows, or none if one is refused."""
        if not rows:
            return
        target = self._collection(collection)
        for row in rows:
            if row.kind != Kind.FACT and (row.vector is None or row.vector.shape != (target.dim,)):
                raise StoreRejectedError(f"row {row.memory_id!r} needs a vector of shape ({target.dim},)")
        target.rows |= {row.memory_id: row for row in rows}

    async def delete(self, *, collection: str, scope: Scope, memory_ids: Sequence[MemoryId]) -> None:
        """Removes rows of this scope."""
        if not memory_ids:
            return
        rows = self._collection(collection).rows
        for memory_id in memory_ids:
            if memory_id in rows and rows[memory_id].scope.partition == scope.partition:
                del rows[memory_id]

    async def search_dense(
        self, *, collection: str, scope: Scope, vector: NDArray[np.float32], limit: int, timeout_s: float
    ) -> list[Nominee]:
        """The rows of the scope by cosine."""
        _check(timeout_s)
        target = self._collection(collection)
        if vector.shape != (target.dim,):
            raise StoreRejectedError(f"a query of shape {vector.shape} cannot be asked of dimension {target.dim}")
        return _best(_rows(target, scope), lambda row: _cosine(row, vector), limit)

    async def search_keyword(
        self, *, collection: str, scope: Scope, terms: Sequence[str], limit: int, timeout_s: float
    ) -> list[Nominee]:
        """The rows of the scope by BM25."""
        _check(timeout_s)
        rows = _rows(self._collection(collection), scope)
        scores = _bm25(rows, terms)
        return _best(rows, lambda row: scores.get(row.memory_id) or None, limit)

    async def entries(self, *, collection: str, after: MemoryId | None, limit: int) -> list[IndexEntry]:
        """A page of all rows."""
        rows = sorted(self._collection(collection).rows.items())
        page = [row for memory_id, row in rows if after is None or memory_id > after]
        return [IndexEntry(memory_id=row.memory_id, version=row.version) for row in page[:limit]]

    async def ping(self, *, timeout_s: float) -> None:
        """Always answers."""
        _check(timeout_s)

    def _collection(self, collection: str) -> _Collection:
        found = self._collections.get(collection)
        if found is None:
            raise StoreUnavailableError(f"there is no collection {collection!r} yet")
        return found


def _rows(collection: _Collection, scope: Scope) -> list[IndexRow]:
    return [row for row in collection.rows.values() if row.scope.partition == scope.partition]


def _cosine(row: IndexRow, vector: NDArray[np.float32]) -> float | None:
    if row.kind == Kind.FACT or row.vector is None:
        return None
    return float(row.vector @ vector / (np.linalg.norm(row.vector) * np.linalg.norm(vector)))


def _bm25(rows: Sequence[IndexRow], terms: Sequence[str]) -> dict[MemoryId, float]:
    asked = dict.fromkeys(terms)
    counts = np.array([[row.terms.count(term) for term in asked] for row in rows], np.float64)
    lengths = np.array([max(1, len(row.terms)) for row in rows], np.float64)
    if not counts.size:
        return {}
    statistics = TermStatistics(
        rows=len(rows), mean_length=float(lengths.mean()), row_frequencies=(counts > 0).sum(axis=0).astype(np.float64)
    )
    idf = inverse_document_frequencies(statistics)
    scores = bm25(counts, lengths, mean_length=statistics.mean_length, idf=idf, k1=K1, b=B_OWN)
    return {row.memory_id: float(score) for row, score in zip(rows, scores, strict=True)}


def _best(rows: Sequence[IndexRow], score: Callable[[IndexRow], float | None], limit: int) -> list[Nominee]:
    scored = [(value, row) for row in rows if (value := score(row)) is not None]
    scored.sort(key=lambda pair: (-pair[0], pair[1].memory_id))
    return [Nominee(memory_id=row.memory_id, version=row.version, score=value) for value, row in scored[:limit]]


def _check(timeout_s: float) -> None:
    if timeout_s <= 0:
        raise DeadlineExceededError("no time was left to search", retry_after_s=1.0)
