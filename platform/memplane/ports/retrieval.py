"""Finding candidates inside one scope, exactly, and checking candidates that came from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memplane.domain.filters import Filter
from memplane.domain.ids import AgentId, GenerationId, MemoryId, Scope
from memplane.domain.results import StoredMemory
from memplane.domain.scope_rows import ScopeRows


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
    filter: Filter | None = None

    @property
    def is_narrowed(self) -> bool:
        """Whether the caller left rows out that it may see."""
        given = (self.kinds, self.categories, self.from_time, self.to_time, self.filter)
        return any(item is not None and item != () for item in given)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeQuery:
    """What to look for: distinct ``terms``, and a ``vector`` (dim,), unit length, of ``generation``.

    No terms leave the keyword arm out, no vector the dense arm.
    """

    terms: tuple[str, ...]
    vector: NDArray[np.float32] | None
    generation: GenerationId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeReading:
    """Rows as a ranking needs them, and a way to their memories if these came along with the same read.

    ``memories`` gives what :meth:`ScopeSearch.hydrate` would have given at that moment, without asking the store again.
    """

    rows: ScopeRows
    memories: Callable[[Sequence[MemoryId]], list[StoredMemory]] | None = None


class ScopeSearch(Protocol):
    """Exact reading inside one scope; ``domain.ranking`` makes an order of it.

    Raises, every method: StoreUnavailableError, DeadlineExceededError (``timeout_s`` passed).
    """

    async def read(self, *, visible: Visible, query: ScopeQuery, timeout_s: float) -> ScopeReading:
        """All visible rows; an unknown scope has none. Facts have no similarity, whatever vectors they have."""

    async def read_near(
        self,
        *,
        visible: Visible,
        query: ScopeQuery,
        memory_ids: Sequence[MemoryId],
        fresh_since: datetime,
        timeout_s: float,
    ) -> ScopeReading:
        """The visible ones of ``memory_ids`` and those updated since ``fresh_since`` (which an index may not have yet),
        with the rows within ``WINDOW_REACH`` places of them in their sessions.

        The statistics are of all visible rows, so that words score as they do in :meth:`read`.
        """

    async def hydrate(
        self, *, visible: Visible, memory_ids: Sequence[MemoryId], timeout_s: float
    ) -> list[StoredMemory]:
        """The full rows of those of ``memory_ids`` that are visible, each once, in the order given."""

    async def recent(self, *, visible: Visible, limit: int, timeout_s: float) -> list[MemoryId]:
        """The newest visible rows by event time, newest first."""
