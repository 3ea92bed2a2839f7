"""``POST /v1/recall``: the few memories that matter now, each verified against the truth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memplane.application.recall.arms import Findings, find
from memplane.application.recall.ports import RecallPorts
from memplane.application.recall.records import leave_record
from memplane.application.visibility import viewer_for
from memplane.domain.context import CallContext
from memplane.domain.errors import MemplaneError
from memplane.domain.ids import MemoryId
from memplane.domain.queries import RecallRequest
from memplane.domain.ranking import Ranked
from memplane.domain.results import RecalledMemory, RecallResult, ScoreParts, StoredMemory
from memplane.domain.scoring import parts_of, score, weighted_score
from memplane.ports.retrieval import Visible

ROUTE = "long_term_memory"
HYDRATED_AT_LEAST = 32
HYDRATED_PER_RESULT = 3


async def recall(ports: RecallPorts, request: RecallRequest, context: CallContext) -> RecallResult:
    """Answers a recall inside its deadline, whatever is away; ``degraded`` lists what was missing.

    Raises: UnavailableError only when there is no control data; DeadlineExceededError only when none of the deadline is
    left on arrival.
    """
    started = time.perf_counter()
    context.remaining_s()
    with ports.tracer.span(
        "recall", traceparent=context.traceparent, attributes={"memplane.top_k": request.top_k}
    ) as span:
        if _switched_off(ports, request):
            answer = _Answer(findings=Findings(degraded=["switched_off"]))
        else:
            answer = await _answer(ports, request, context)
        span.set("memplane.plan", answer.findings.plan.value)
        span.set("memplane.returned", len(answer.memories))
    result = RecallResult(
        memories=answer.memories,
        facts=answer.facts,
        route=ROUTE,
        plan=answer.findings.plan.value,
        rewritten_query=request.text,
        degraded=tuple(answer.findings.degraded),
        took_ms=(time.perf_counter() - started) * 1000,
        explain={"stages": answer.stages} if request.explain else None,
    )
    leave_record(ports, request, result, context)
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    findings: Findings
    memories: tuple[RecalledMemory, ...] = ()
    facts: tuple[RecalledMemory, ...] = ()
    stages: dict[str, int] = field(default_factory=dict)


async def _answer(ports: RecallPorts, request: RecallRequest, context: CallContext) -> _Answer:
    now = ports.clock.now()
    visible = _visible(request, context, now=now)
    findings = await find(ports, request, visible, context)
    best = findings.ranked[: max(HYDRATED_AT_LEAST, HYDRATED_PER_RESULT * request.top_k)]
    facts = findings.facts[: request.top_k]
    stored = await _hydrate(ports, visible, [*best, *facts], context, findings)
    memories = _scored(request, best, stored, now=now)
    return _Answer(
        findings=findings,
        memories=memories,
        facts=_scored(request, facts, stored, now=now),
        stages={
            "found": len(findings.ranked),
            "facts": len(findings.facts),
            "verified": len(stored),
            "returned": len(memories),
        },
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
        filter=request.filter,
    )


async def _hydrate(
    ports: RecallPorts, visible: Visible, chosen: Sequence[Ranked], context: CallContext, findings: Findings
) -> dict[MemoryId, StoredMemory]:
    """The memories of the chosen rows, each checked against the truth, by the search's own read or by one more."""
    wanted = [item.memory_id for item in chosen]
    if not wanted:
        return {}
    with ports.tracer.span("hydrate", traceparent=context.traceparent, attributes={"memplane.rows": len(wanted)}):
        if findings.memories is not None:
            rows = findings.memories(wanted)
        else:
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
        parts, total = _score(request, row, item.relevance, now=now)
        found.append(RecalledMemory(stored=row, score=total, scores=parts, arms=item.arms))
    # The id makes the order of ties stable.
    found.sort(key=lambda memory: (-memory.score, memory.stored.memory.memory_id))
    return tuple(found[: request.top_k])


def _score(request: RecallRequest, row: StoredMemory, relevance: float, *, now: datetime) -> tuple[ScoreParts, float]:
    if request.weights is None:
        parts = parts_of(row, relevance=relevance, profile=request.profile, now=now)
        return parts, score(parts, profile=request.profile, age=now - row.memory.event_time)
    tau = timedelta(days=request.weights.tau_days)
    parts = parts_of(row, relevance=relevance, profile=request.profile, now=now, tau=tau)
    return parts, weighted_score(parts, request.weights)
