"""``POST /v1/recall``: the few memories that matter now, each verified against the truth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memplane.application.recall.arms import Findings, find
from memplane.application.recall.ports import RecallPorts
from memplane.application.visibility import viewer_for
from memplane.domain.context import CallContext
from memplane.domain.errors import MemplaneError
from memplane.domain.ids import MemoryId
from memplane.domain.queries import RecallRequest
from memplane.domain.ranking import Ranked
from memplane.domain.results import RecalledMemory, RecallResult, StoredMemory
from memplane.domain.scoring import parts_of, score
from memplane.ports.retrieval import Visible

ROUTE = "long_term_memory"
HYDRATED_AT_LEAST = 32
HYDRATED_PER_RESULT = 3


async def recall(ports: RecallPorts, request: RecallRequest, context: CallContext) -> RecallResult:
    """Answers a recall inside its deadline, whatever is away; ``degraded`` lists what was missing.

    Raises: UnavailableError only when there is no control data; DeadlineExceededError only when none of the deadline
    is left on arrival.
    """
    started = time.perf_counter()
    context.remaining_s()
    with ports.tracer.span(
        "recall", traceparent=context.traceparent, attributes={"memplane.top_k": request.top_k}
    ) as span:
        findings = Findings()
        memories: tuple[RecalledMemory, ...] = ()
        stages: dict[str, int] = {}
        if _switched_off(ports, request):
            findings.degraded.append("switched_off")
        else:
            now = ports.clock.now()
            visible = _visible(request, context, now=now)
            findings = await find(ports, request, visible, context)
            stages["candidates"] = len(findings.ranked)
            stored = await _hydrate(ports, request, visible, context, findings)
            stages["verified"] = len(stored)
            memories = _scored(request, findings.ranked, stored, now=now)
            stages["returned"] = len(memories)
        span.set("memplane.plan", findings.plan.value)
        span.set("memplane.returned", len(memories))
    return RecallResult(
        memories=memories,
        route=ROUTE,
        plan=findings.plan.value,
        rewritten_query=request.text,
        degraded=tuple(findings.degraded),
        took_ms=(time.perf_counter() - started) * 1000,
        explain=_explain(stages) if request.explain else None,
    )


def _switched_off(ports: RecallPorts, request: RecallRequest) -> bool:
    tenant = ports.view.current().tenant(request.scope.tenant_id)
    return tenant is not None and not tenant.policy.long_term_memory


def _visible(request: RecallRequest, context: CallContext, *, now: datetime) -> Visible:
    viewer = viewer_for(context.principal, request.agent_id)
    return Visible(
        scope=request.scope,
        now=now,
        viewer=viewer.agent_id,
        sees_private=viewer.sees_private,
        include_archived=request.include_archived,
        kinds=request.kinds,
        categories=request.categories,
        from_time=request.from_time,
        to_time=request.to_time,
    )


async def _hydrate(
    ports: RecallPorts,
    request: RecallRequest,
    visible: Visible,
    context: CallContext,
    findings: Findings,
) -> dict[MemoryId, StoredMemory]:
    wanted = [item.memory_id for item in findings.ranked[: max(HYDRATED_AT_LEAST, HYDRATED_PER_RESULT * request.top_k)]]
    if not wanted:
        return {}
    with ports.tracer.span("hydrate", traceparent=context.traceparent, attributes={"memplane.rows": len(wanted)}):
        try:
            rows = await ports.search.hydrate(visible=visible, memory_ids=wanted, timeout_s=context.remaining_s())
        except MemplaneError as error:
            findings.lacking("clickhouse", error)
            return {}
    return {row.memory.memory_id: row for row in rows}


def _scored(
    request: RecallRequest, ranked: Sequence[Ranked], stored: dict[MemoryId, StoredMemory], *, now: datetime
) -> tuple[RecalledMemory, ...]:
    found = []
    for item in ranked:
        row = stored.get(item.memory_id)
        if row is None or item.relevance < request.min_relevance:
            continue
        parts = parts_of(row, relevance=item.relevance, profile=request.profile, now=now)
        total = score(parts, profile=request.profile, age=now - row.memory.event_time)
        found.append(RecalledMemory(stored=row, score=total, scores=parts, arms=item.arms))
    # Ties keep the fused order; the id makes the order of full ties stable.
    found.sort(key=lambda memory: (-memory.score, memory.stored.memory.memory_id))
    return tuple(found[: request.top_k])


def _explain(stages: dict[str, int]) -> dict[str, Any]:
    return {"stages": stages}
