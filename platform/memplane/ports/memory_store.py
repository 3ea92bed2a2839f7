"""The truth about memories: versions in, current state out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memplane.domain.ids import AgentId, GenerationId, MemoryId, Scope, ScopeTag, TenantId
from memplane.domain.memory import Memory
from memplane.domain.results import MemoryPage, StoredMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorOfRecord:
    """The vector of one text (``summary_hash``) of one memory in one embedding space. ``vector``: (dim,), unit
    length.
    """

    scope: Scope
    generation: GenerationId
    memory_id: MemoryId
    summary_hash: str
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRef:
    """Names one memory: the full key of its row."""

    tenant_id: TenantId
    scope_tag: ScopeTag
    memory_id: MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuery:
    """A listing of one scope, newest (``event_time``) first. ``statuses`` empty means: all but ``forgotten``.

    ``viewer`` is the asking agent (``None`` sees shared memories only); ``sees_private`` lifts that (operators, the
    user).
    """

    scope: Scope
    statuses: tuple[str, ...] = ("active",)
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    from_time: datetime | None = None
    to_time: datetime | None = None
    viewer: AgentId | None = None
    sees_private: bool = False
    limit: int = 50
    after: tuple[Any, ...] = field(default=())
    """Sort key of the last row of the page before: ``(event_time_ms, memory_id)``; empty for the first page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """Facts of one scope, newest (``valid_from``) first: those in force at ``now``, or those of another time.

    ``as_of`` is when they were true, ``known_at`` by when they were recorded; with both ``None`` the current rows
    answer, with one of them the other is ``now``. Then each fact shows its version with the greatest ``(valid_from,
    version)`` among those recorded by ``known_at`` and valid from ``as_of`` or before; one that is neither ``active``
    nor ``superseded``, or past its ``expires_at`` or ``valid_to`` at ``as_of``, does not show.
    ``memory_ids`` empty means: all. ``viewer`` and ``sees_private`` as in :class:`MemoryQuery`.
    """

    scope: Scope
    now: datetime
    as_of: datetime | None = None
    known_at: datetime | None = None
    entity_type: str | None = None
    memory_ids: tuple[MemoryId, ...] = ()
    viewer: AgentId | None = None
    sees_private: bool = False
    limit: int = 50
    after: tuple[Any, ...] = field(default=())
    """Sort key of the last row of the page before: ``(valid_from_ms, memory_id)``; empty for the first page."""

    @property
    def is_of_now(self) -> bool:
        """Whether the current rows answer."""
        return self.as_of is None and self.known_at is None


class MemoryStore(Protocol):
    """Versioned memories. The commit point of a write is the return of :meth:`commit`.

    Raises, every method: StoreUnavailableError (unknown whether it took place), StoreRejectedError (content refused,
    nothing written).
    """

    async def put_vectors(self, *, vectors: Sequence[VectorOfRecord]) -> None:
        """Stores vectors in one insert; repeats collapse. Empty input does nothing."""

    async def commit(self, *, versions: Sequence[Memory]) -> None:
        """Stores versions in one fsynced insert; the greatest rank of a memory becomes current; repeats collapse."""

    async def current(self, *, refs: Sequence[MemoryRef]) -> list[Memory]:
        """The current versions of those of ``refs`` that exist, whatever their status, in no order."""

    async def get(self, *, tenant_id: TenantId, scope_tag: ScopeTag, memory_id: MemoryId) -> StoredMemory | None:
        """The current version, whatever its status (callers decide what may be shown), with its use counts."""

    async def history(
        self, *, scope: Scope, memory_id: MemoryId, before: int | None = None, limit: int | None = None
    ) -> list[Memory]:
        """The versions of a memory, oldest first: all, or the last ``limit`` of those below version ``before``."""

    async def facts(self, *, query: FactQuery) -> list[Memory]:
        """One page of facts. Of another time than now, a fact's ``valid_to`` is when its next value took over, if that
        was known by then.
        """

    async def indexable(
        self, *, shards: Sequence[int], updated_since: datetime | None, after: MemoryRef | None, limit: int
    ) -> list[Memory]:
        """Current versions of these shards in key order, any status, for the index to be checked against."""

    async def vectors(
        self, *, generation: GenerationId, memories: Sequence[Memory]
    ) -> dict[MemoryId, NDArray[np.float32]]:
        """Vectors of record for the current texts of ``memories``; those without one are absent."""

    async def list(self, *, query: MemoryQuery) -> MemoryPage:
        """One page. ``next_cursor`` of the page is left ``None`` by the store; the use-case seals cursors."""
