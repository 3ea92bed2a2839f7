"""Carries committed versions into the index, in version order, and repairs it from the truth when it was away.

The index is derived: a row that does not arrive is late, never lost. While the index is away rows are not piled up:
their shards are marked, and re-read from the truth when it is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memplane.domain.errors import MemplaneError
from memplane.domain.ids import GenerationId, Scope
from memplane.domain.memory import Kind, Memory, Status
from memplane.ports.clock import Clock
from memplane.ports.control_view import ControlView
from memplane.ports.memory_store import MemoryRef, MemoryStore
from memplane.ports.vector_index import IndexRow, VectorIndex

MAX_BATCHES = 64
PAGE_ROWS = 500
RETRY_EVERY_S = 1.0
RECHECK_SPAN = timedelta(minutes=2)
"""How far back a new lease holder looks."""
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    memories: Sequence[Memory]
    vectors: dict[str, NDArray[np.float32]]
    done: Sequence[asyncio.Event] = field(default=())


class IndexFeed:
    """The one writer of the index for the shards that this process holds."""

    def __init__(self, *, memories: MemoryStore, index: VectorIndex, view: ControlView, clock: Clock) -> None:
        self._memories = memories
        self._index = index
        self._view = view
        self._clock = clock
        self._batches: asyncio.Queue[_Batch] = asyncio.Queue(MAX_BATCHES)
        self._recheck_since: dict[int, datetime | None] = {}
        self._wake = asyncio.Event()

    @property
    def behind(self) -> bool:
        """Whether committed rows are not in the index yet."""
        return bool(self._recheck_since) or not self._batches.empty()

    def offer(
        self,
        memories: Sequence[Memory],
        generation: GenerationId,
        vectors: dict[str, NDArray[np.float32]],
        *,
        done: Sequence[asyncio.Event] = (),
    ) -> None:
        """Takes committed versions that became current; never waits. ``done`` are set when the index holds them."""
        del generation  # one generation is written today; the dual write of a re-embedding names it here
        if not memories:
            return
        try:
            self._batches.put_nowait(_Batch(memories=memories, vectors=vectors, done=done))
        except asyncio.QueueFull:
            self._mark([memory.scope.shard for memory in memories], self._clock.now() - RECHECK_SPAN)
        self._wake.set()

    def recheck(self, shards: Sequence[int], *, since: datetime | None) -> None:
        """Asks for shards to be compared with the truth from ``since`` on (``None``: from the beginning)."""
        self._mark(shards, since)
        self._wake.set()

    def recheck_recent(self, shard: int) -> None:
        """What a new holder of a shard does."""
        self.recheck([shard], since=self._clock.now() - RECHECK_SPAN)

    async def run(self) -> None:
        """Feeds until cancelled. An index that is away is asked again; anything unexpected ends the loop, loudly."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._drain()
            except MemplaneError as error:
                logger.warning("index_behind", extra={"reason": error.message})
                self._wake.set()
                await asyncio.sleep(RETRY_EVERY_S)

    async def _drain(self) -> None:
        while not self._batches.empty():
            batch = self._batches.get_nowait()
            try:
                await self._write(batch.memories, batch.vectors)
            except BaseException:
                oldest = min(memory.updated_at for memory in batch.memories)
                self._mark([memory.scope.shard for memory in batch.memories], oldest - RECHECK_SPAN)
                raise
            for event in batch.done:
                event.set()
        if self._recheck_since:
            await self._repair()

    async def _repair(self) -> None:
        """Re-reads marked shards from the truth and writes what they hold."""
        pending, self._recheck_since = self._recheck_since, {}
        try:
            since = None if None in pending.values() else min(moment for moment in pending.values() if moment)
            after: MemoryRef | None = None
            while True:
                page = await self._memories.indexable(
                    shards=sorted(pending), updated_since=since, after=after, limit=PAGE_ROWS
                )
                await self._write(page, {})
                if len(page) < PAGE_ROWS:
                    return
                last = page[-1]
                after = MemoryRef(tenant_id=last.scope.tenant_id, scope_tag=last.scope.tag, memory_id=last.memory_id)
        except BaseException:
            for shard, moment in pending.items():
                self._mark([shard], moment)
            raise

    async def _write(self, memories: Sequence[Memory], vectors: dict[str, NDArray[np.float32]]) -> None:
        serving = self._view.current().serving()
        if serving is None or not memories:
            return
        newest: dict[str, Memory] = {}
        for memory in sorted(memories, key=lambda memory: memory.rank):
            newest[memory.memory_id] = memory
        active = [memory for memory in newest.values() if memory.status is Status.ACTIVE]
        missing = [memory for memory in active if memory.kind is not Kind.FACT and memory.summary_hash not in vectors]
        by_memory = await self._memories.vectors(generation=serving.generation_id, memories=missing) if missing else {}
        rows = [_row(memory, vectors.get(memory.summary_hash, by_memory.get(memory.memory_id))) for memory in active]
        await self._index.upsert(
            collection=serving.collection, rows=[row for row in rows if row.vector is not None or row.kind == Kind.FACT]
        )
        gone: dict[Scope, list[Memory]] = {}
        for memory in newest.values():
            if memory.status is not Status.ACTIVE:
                gone.setdefault(memory.scope, []).append(memory)
        for scope, members in gone.items():
            await self._index.delete(
                collection=serving.collection, scope=scope, memory_ids=[memory.memory_id for memory in members]
            )

    def _mark(self, shards: Sequence[int], since: datetime | None) -> None:
        for shard in shards:
            before = self._recheck_since.get(shard, since)
            self._recheck_since[shard] = None if before is None or since is None else min(before, since)

    async def close(self, *, timeout_s: float) -> None:
        """Writes what is queued, as far as time allows; the rest is found by the next holder's recheck."""
        with contextlib.suppress(TimeoutError, MemplaneError):
            async with asyncio.timeout(timeout_s):
                await self._drain()


def _row(memory: Memory, vector: NDArray[np.float32] | None) -> IndexRow:
    return IndexRow(
        scope=memory.scope,
        memory_id=memory.memory_id,
        version=memory.version,
        kind=memory.kind.value,
        category=memory.category,
        agent_id=memory.agent_id,
        event_time=memory.event_time,
        terms=memory.terms,
        vector=None if memory.kind is Kind.FACT else vector,
    )
