"""Many callers, one engine: small batches, queries before documents, a bounded queue.

An import may ask for hundreds of documents at once; a query that arrives meanwhile waits for one slice of them, not
for all.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from memplane.domain.errors import ModelUnavailableError, OverloadedError
from memplane.domain.generations import EmbeddingSpec

TextKindName = Literal["query", "document"]
Vectors = NDArray[np.float32]


class EmbeddingEngine(Protocol):
    """What the scheduler drives: a synchronous engine."""

    spec: EmbeddingSpec

    def embed(self, texts: Sequence[str], *, kind: TextKindName) -> Vectors:
        """Vectors (n, dim), unit rows, in order."""


@dataclass(slots=True, eq=False)
class _Job:
    texts: list[str]
    kind: TextKindName
    result: asyncio.Future[Vectors]
    parts: list[Vectors] = field(default_factory=list)
    next_text: int = 0


class BatchingEmbedder:
    """Schedules one engine on one thread. Bound to the event loop of its first call."""

    def __init__(self, engine: EmbeddingEngine, *, slice_texts: int = 32, max_queued_texts: int = 20_000) -> None:
        self._engine = engine
        self._slice_texts = slice_texts
        self._max_queued_texts = max_queued_texts
        self._queries: deque[_Job] = deque()
        self._documents: deque[_Job] = deque()
        self._queued_texts = 0
        self._worker: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embed")

    @property
    def spec(self) -> EmbeddingSpec:
        """The engine's identity."""
        return self._engine.spec

    async def embed(self, texts: Sequence[str], *, kind: TextKindName) -> Vectors:
        """Vectors in order. Raises: OverloadedError (queue full), ModelUnavailableError (the engine failed)."""
        if not texts:
            return np.zeros((0, self.spec.dim), dtype=np.float32)
        if self._queued_texts + len(texts) > self._max_queued_texts:
            raise OverloadedError("the embedder's queue is full", retry_after_s=1.0, data={"component": "embedder"})
        job = _Job(list(texts), kind, asyncio.get_running_loop().create_future())
        self._queued_texts += len(texts)
        (self._queries if kind == "query" else self._documents).append(job)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        try:
            return await job.result
        finally:
            self._queued_texts -= len(texts)

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queries or self._documents:
            queue = self._queries or self._documents
            batch = self._next_slice(queue)
            texts = [text for _, members in batch for text in members]
            kind = batch[0][0].kind if batch else "query"
            try:
                vectors = await loop.run_in_executor(self._thread, partial(self._engine.embed, texts, kind=kind))
            except Exception as error:  # noqa: BLE001 - the edge to the engine: whatever it raises, its callers must hear
                for job, _ in batch:
                    self._fail(job, error)
                continue
            offset = 0
            for job, members in batch:
                self._add(job, vectors[offset : offset + len(members)])
                offset += len(members)

    def _next_slice(self, queue: deque[_Job]) -> list[tuple[_Job, list[str]]]:
        """Up to a slice of texts from the front of one queue; jobs whose caller has gone are dropped."""
        batch: list[tuple[_Job, list[str]]] = []
        room = self._slice_texts
        while queue and room > 0:
            job = queue[0]
            if job.result.done():
                queue.popleft()
                continue
            members = job.texts[job.next_text : job.next_text + room]
            job.next_text += len(members)
            room -= len(members)
            batch.append((job, members))
            if job.next_text == len(job.texts):
                queue.popleft()
        return batch

    @staticmethod
    def _add(job: _Job, vectors: Vectors) -> None:
        job.parts.append(vectors)
        if sum(map(len, job.parts)) == len(job.texts) and not job.result.done():
            job.result.set_result(np.concatenate(job.parts) if len(job.parts) > 1 else job.parts[0])

    @staticmethod
    def _fail(job: _Job, error: Exception) -> None:
        if not job.result.done():
            failure = ModelUnavailableError(
                f"the embedding engine failed: {type(error).__name__}",
                retry_after_s=1.0,
                data={"component": "embedder"},
            )
            failure.__cause__ = error
            job.result.set_exception(failure)
