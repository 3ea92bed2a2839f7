"""The derived index: fast, disposable, never believed without a look into the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memplane.domain.ids import AgentId, MemoryId, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    """One active memory as the index holds it. ``vector``: (dim,), unit length; ``None`` for facts (keyword arm
    only).
    """

    scope: Scope
    memory_id: MemoryId
    version: int
    kind: str
    category: str
    agent_id: AgentId | None
    event_time: datetime
    terms: tuple[str, ...]
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """A row of the index, named: for drift checks."""

    memory_id: MemoryId
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Nominee:
    """A hit of the index. ``score`` is the index's own and only orders hits of one arm; it never reaches a caller."""

    memory_id: MemoryId
    version: int
    score: float


class VectorIndex(Protocol):
    """Collections of vectors and terms, one per generation.

    Raises, every method: StoreUnavailableError; searches also DeadlineExceededError.
    """

    async def ensure_collection(self, *, collection: str, dim: int) -> None:
        """Creates and loads the collection unless it is there. Raises: CorruptDataError if its dimension differs."""

    async def drop_collection(self, *, collection: str) -> None:
        """Removes the collection; unknown ones are ignored."""

    async def upsert(self, *, collection: str, rows: Sequence[IndexRow]) -> None:
        """Writes rows, replacing those with the same memory id. Empty input does nothing."""

    async def delete(self, *, collection: str, scope: Scope, memory_ids: Sequence[MemoryId]) -> None:
        """Removes rows of this scope; unknown ids are ignored."""

    async def search_dense(
        self, *, collection: str, scope: Scope, vector: NDArray[np.float32], limit: int, timeout_s: float
    ) -> list[Nominee]:
        """The nearest rows of the scope by cosine, best first."""

    async def search_keyword(
        self, *, collection: str, scope: Scope, terms: Sequence[str], limit: int, timeout_s: float
    ) -> list[Nominee]:
        """The rows of the scope that share terms, best first by the index's own BM25. No terms give none."""

    async def entries(self, *, collection: str, after: MemoryId | None, limit: int) -> list[IndexEntry]:
        """All rows in order of memory id, a page at a time."""

    async def ping(self, *, timeout_s: float) -> None:
        """Raises when the index does not answer."""
