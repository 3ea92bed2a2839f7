"""What a recall leaves behind: a record for the Recorder and one log line. Neither holds a query or a memory's text."""

from __future__ import annotations

import logging

from memplane.application.recall.ports import RecallPorts
from memplane.domain.context import CallContext
from memplane.domain.ids import GenerationId
from memplane.domain.queries import RecallRequest
from memplane.domain.recall_record import RecallRecord
from memplane.domain.results import RecallResult

logger = logging.getLogger(__name__)
SOURCES = {"dense": "vector"}
"""The log's word for an arm, where it differs from the answer's."""


def leave_record(ports: RecallPorts, request: RecallRequest, result: RecallResult, context: CallContext) -> None:
    """Offers the record and writes the ``memory_hit`` line. Never waits, never fails."""
    answered = (*result.facts, *result.memories)
    arms = tuple(sorted({arm for item in answered for arm in item.arms}))
    serving = ports.view.current().serving()
    ports.recorder.offer(
        RecallRecord(
            scope=request.scope,
            at=ports.clock.now(),
            trace_id=context.trace_id,
            route=result.route,
            plan=result.plan,
            generation=serving.generation_id if serving else GenerationId(""),
            arms=arms,
            memory_ids=tuple(item.stored.memory.memory_id for item in answered),
            scores=tuple(item.score for item in answered),
            took_ms=result.took_ms,
            degraded=result.degraded,
            agent_id=request.agent_id,
            session_id=request.session_id,
        )
    )
    logger.info(
        "memory_hit",
        extra={
            "trace_id": context.trace_id,
            # The scope's tag is an HMAC of the user id under the tenant's secret.
            "user_id": request.scope.tag,
            "retrieved_count": len(answered),
            "sources": sorted({SOURCES.get(arm, arm) for arm in arms}),
            "latency_ms": round(result.took_ms, 1),
        },
    )
