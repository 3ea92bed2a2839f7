"""Finding rows, by either plan, each failure named and survived."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from memplane.application.recall.ports import RecallPorts
from memplane.domain.context import CallContext
from memplane.domain.control import Generation
from memplane.domain.errors import DeadlineExceededError, MemplaneError
from memplane.domain.ids import MemoryId
from memplane.domain.queries import Plan, RecallRequest
from memplane.domain.ranking import Calibration, QueryTerms, Ranked, rank, rank_facts
from memplane.domain.results import StoredMemory
from memplane.domain.text import query_terms
from memplane.ports.embedder import TextKind
from memplane.ports.retrieval import ScopeQuery, ScopeReading, Visible
from memplane.ports.tracer import Span

NOMINEES_PER_ARM = 100
RECENT_ROWS = 32
INDEX_TAIL = timedelta(seconds=60)
"""What was updated so recently is read from the truth in any case: the index may not have it yet."""
EMBED_SHARE = 0.5
"""Share of the remaining deadline that the query's embedding may take; the stores need the rest."""
INDEX_SHARE = 0.5
"""Share of what is left then that the index may take: an index that hangs leaves time for the exact plan."""
logger = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Findings:
    """Memories and facts in their orders, how they were found, and what was missing.

    ``memories`` gives rows that came along with the search; without it they are read by id.
    """

    ranked: list[Ranked] = field(default_factory=list)
    facts: list[Ranked] = field(default_factory=list)
    memories: Callable[[Sequence[MemoryId]], list[StoredMemory]] | None = None
    plan: Plan = Plan.EXACT
    degraded: list[str] = field(default_factory=list)

    def lacking(self, component: str, error: MemplaneError) -> None:
        """Notes a part that did not answer."""
        name = "deadline" if isinstance(error, DeadlineExceededError) and component == "clickhouse" else component
        if name not in self.degraded:
            self.degraded.append(name)
        logger.warning("memory_degraded", extra={"component": component, "reason": error.message})


async def find(ports: RecallPorts, request: RecallRequest, visible: Visible, context: CallContext) -> Findings:
    """Rows for a request. Never raises for a part that is away: the answer lists it in ``degraded``."""
    finder = _Finder(
        ports=ports,
        request=request,
        visible=visible,
        context=context,
        generation=ports.view.current().serving(),
        findings=Findings(),
    )
    await finder.find()
    return finder.findings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finder:
    """One request on its way through the arms."""

    ports: RecallPorts
    request: RecallRequest
    visible: Visible
    context: CallContext
    generation: Generation | None
    findings: Findings

    async def find(self) -> None:
        weighted = query_terms(self.request.text)
        vector = await self._query_vector() if self.request.text.strip() else None
        query = ScopeQuery(
            terms=tuple(weighted),
            vector=vector,
            generation=self.generation.generation_id if self.generation else None,
        )
        if not query.terms and vector is None:
            await self._recent()
            return
        reading = await self._reading(query)
        if reading is not None:
            self.ports.planner.learn(self.visible, reading)
            rows, terms = reading.rows, QueryTerms.of(weighted)
            self.findings.memories = reading.memories
            with self._span("rank", rows=len(rows)):
                self.findings.ranked = rank(rows, text=self.request.text, terms=terms, calibration=Calibration())
                self.findings.facts = rank_facts(rows, terms=terms)

    async def _reading(self, query: ScopeQuery) -> ScopeReading | None:
        plan = self.ports.planner.plan(self.request, self.visible)
        if plan is Plan.INDEX and self.generation is not None:
            nominees = await self._nominees(query, self.generation)
            if nominees is not None:
                self.findings.plan = Plan.INDEX
                return await self._read(
                    lambda timeout_s: self.ports.search.read_near(
                        visible=self.visible,
                        query=query,
                        memory_ids=nominees,
                        fresh_since=self.visible.now - INDEX_TAIL,
                        timeout_s=timeout_s,
                    )
                )
        return await self._read(
            lambda timeout_s: self.ports.search.read(visible=self.visible, query=query, timeout_s=timeout_s)
        )

    async def _recent(self) -> None:
        """Without a question the newest memories answer, the newest first."""
        try:
            newest = await self.ports.search.recent(
                visible=self.visible, limit=RECENT_ROWS, timeout_s=self.context.remaining_s()
            )
        except MemplaneError as error:
            self.findings.lacking("clickhouse", error)
            return
        self.findings.ranked = [
            Ranked(memory_id=memory_id, relevance=1 - place / RECENT_ROWS, arms=("recent",))
            for place, memory_id in enumerate(newest)
        ]

    async def _query_vector(self) -> NDArray[np.float32] | None:
        if self.generation is None:
            return None
        with self._span("embed"):
            try:
                async with asyncio.timeout(self.context.remaining_s() * EMBED_SHARE):
                    vectors = await self.ports.embedder.embed(
                        texts=[self.request.text], kind=TextKind.QUERY, context=self.context
                    )
            except MemplaneError as error:
                self.findings.lacking("embedder", error)
                return None
            except TimeoutError:
                self.findings.lacking("embedder", DeadlineExceededError("the query's embedding took too long"))
                return None
        return np.asarray(vectors[0], dtype=np.float32)

    async def _nominees(self, query: ScopeQuery, generation: Generation) -> list[MemoryId] | None:
        """Ids that the index proposes, or ``None`` when it is away."""
        timeout_s = self.context.remaining_s() * INDEX_SHARE
        arms = [
            self.ports.index.search_keyword(
                collection=generation.collection,
                scope=self.request.scope,
                terms=query.terms,
                limit=NOMINEES_PER_ARM,
                timeout_s=timeout_s,
            )
        ]
        if query.vector is not None:
            arms.append(
                self.ports.index.search_dense(
                    collection=generation.collection,
                    scope=self.request.scope,
                    vector=query.vector,
                    limit=NOMINEES_PER_ARM,
                    timeout_s=timeout_s,
                )
            )
        with self._span("index"):
            try:
                found = await asyncio.gather(*arms)
            except MemplaneError as error:
                self.findings.lacking("milvus", error)
                return None
        return list(dict.fromkeys(nominee.memory_id for arm in found for nominee in arm))

    async def _read(self, read: Callable[[float], Awaitable[ScopeReading]]) -> ScopeReading | None:
        """Reads the truth in the time that is left."""
        with self._span("search"):
            try:
                return await read(self.context.remaining_s())
            except MemplaneError as error:
                self.findings.lacking("clickhouse", error)
                return None

    def _span(self, name: str, **counts: int) -> AbstractContextManager[Span]:
        attributes = {f"memplane.{key}": value for key, value in counts.items()}
        return self.ports.tracer.span(name, traceparent=self.context.traceparent, attributes=attributes)
