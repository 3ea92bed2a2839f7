"""Finding candidates inside one scope, exactly, and checking candidates that came from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memplane.domain.candidates import Candidate as Candidate
from memplane.domain.ids import AgentId, GenerationId, MemoryId, Scope
from memplane.domain.results import StoredMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class Visible:
    """What a reader may see of a scope, put into every query by the store.

    Rows must be ``active`` (or ``archived`` when asked for), current, not past ``expires_at`` or ``valid_to`` at
    ``now``, and shared, or private to ``viewer``, unless ``sees_private`` (a user's own page, an operator).
    """

    scope: Scope
    now: datetime
    viewer: AgentId | None = None
    sees_private: bool = False
    include_archived: bool = False
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    from_time: datetime | None = None
    to_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeQuery:
    """What to look for. ``vector``: (dim,), unit length, of ``generation``; ``None`` leaves the dense arm out."""

    terms: tuple[str, ...]
    vector: NDArray[np.float32] | None
    generation: GenerationId | None
    limit_per_arm: int = 100


class ScopeSearch(Protocol):
    """Exact search over the rows of one scope.

    Raises, every method: StoreUnavailableError, DeadlineExceededError (``timeout_s`` passed).
    """

    async def search(self, *, visible: Visible, query: ScopeQuery, timeout_s: float) -> list[Candidate]:
        """The best rows of each arm (dense by cosine; keyword by BM25), merged, in no order. An unknown scope gives
        none.
        """

    async def score(
        self, *, visible: Visible, query: ScopeQuery, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[Candidate]:
        """Exact scores of given rows (the index plan's nominees); rows that are not visible are absent."""

    async def hydrate(
        self, *, visible: Visible, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[StoredMemory]:
        """The full rows of those of ``memory_ids`` that are visible, in the order given."""

    async def recent(self, *, visible: Visible, limit: int, timeout_s: float) -> list[Candidate]:
        """The newest rows by event time, newest first."""
