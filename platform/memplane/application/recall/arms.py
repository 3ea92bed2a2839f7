"""Finding candidates, by either plan, each failure named and survived."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memplane.application.recall.ports import RecallPorts
from memplane.domain.context import CallContext
from memplane.domain.control import Generation
from memplane.domain.errors import DeadlineExceededError, MemplaneError
from memplane.domain.ids import MemoryId
from memplane.domain.queries import Plan, RecallRequest
from memplane.domain.text import query_terms
from memplane.ports.embedder import TextKind
from memplane.ports.retrieval import Candidate, ScopeQuery, Visible
from memplane.ports.vector_index import Nominee

LIMIT_PER_ARM = 100
EMBED_SHARE = 0.5
"""Share of the remaining deadline that the query's embedding may take; the stores need the rest."""
logger = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Findings:
    """Candidates, how they were found, and what was missing."""

    candidates: list[Candidate] = field(default_factory=list)
    plan: Plan = Plan.EXACT
    degraded: list[str] = field(default_factory=list)

    def lacking(self, component: str, error: MemplaneError) -> None:
        """Notes a part that did not answer."""
        name = "deadline" if isinstance(error, DeadlineExceededError) and component == "clickhouse" else component
        if name not in self.degraded:
            self.degraded.append(name)
        logger.warning("memory_degraded", extra={"component": component, "reason": error.message})


async def find(ports: RecallPorts, request: RecallRequest, visible: Visible, context: CallContext) -> Findings:
    """Candidates for a request. Never raises for a part that is away: the answer lists it in ``degraded``."""
    findings = Findings()
    generation = ports.view.current().serving()
    vector = await _query_vector(ports, request, generation, context, findings)
    query = ScopeQuery(
        terms=tuple(query_terms(request.text)),
        vector=vector,
        generation=generation.generation_id if generation else None,
        limit_per_arm=LIMIT_PER_ARM,
    )
    if request.plan is Plan.INDEX and generation is not None:
        findings.plan = Plan.INDEX
        nominees = await _nominees(ports, request, query, generation, context, findings)
        if nominees is not None:
            await _read(findings, ports.search.score(
                visible=visible, query=query, memory_ids=nominees, timeout_s=context.remaining_s()
            ))  # fmt: skip
            return findings
        findings.plan = Plan.EXACT
    await _read(findings, ports.search.search(visible=visible, query=query, timeout_s=context.remaining_s()))
    return findings


async def _query_vector(
    ports: RecallPorts,
    request: RecallRequest,
    generation: Generation | None,
    context: CallContext,
    findings: Findings,
) -> NDArray[np.float32] | None:
    if generation is None:
        return None
    with ports.tracer.span("embed", traceparent=context.traceparent):
        try:
            async with asyncio.timeout(context.remaining_s() * EMBED_SHARE):
                vectors = await ports.embedder.embed(texts=[request.text], kind=TextKind.QUERY, context=context)
        except MemplaneError as error:
            findings.lacking("embedder", error)
            return None
        except TimeoutError:
            findings.lacking("embedder", DeadlineExceededError("the query's embedding took too long"))
            return None
    return np.asarray(vectors[0], dtype=np.float32)


async def _nominees(
    ports: RecallPorts,
    request: RecallRequest,
    query: ScopeQuery,
    generation: Generation,
    context: CallContext,
    findings: Findings,
) -> list[MemoryId] | None:
    """Ids that the index proposes, or ``None`` when it is away."""

    async def dense() -> list[Nominee]:
        if query.vector is None:
            return []
        return await ports.index.search_dense(
            collection=generation.collection,
            scope=request.scope,
            vector=query.vector,
            limit=query.limit_per_arm,
            timeout_s=context.remaining_s(),
        )

    with ports.tracer.span("index", traceparent=context.traceparent):
        try:
            by_arm = await asyncio.gather(
                dense(),
                ports.index.search_keyword(
                    collection=generation.collection,
                    scope=request.scope,
                    terms=query.terms,
                    limit=query.limit_per_arm,
                    timeout_s=context.remaining_s(),
                ),
            )
        except MemplaneError as error:
            findings.lacking("milvus", error)
            return None
    return list(dict.fromkeys(nominee.memory_id for arm in by_arm for nominee in arm))


async def _read(findings: Findings, reading: object) -> None:
    try:
        findings.candidates = await reading  # type: ignore[misc]
    except MemplaneError as error:
        findings.lacking("clickhouse", error)
