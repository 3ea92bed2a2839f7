"""From the domain's values to the JSON of the contract (the shapes in ``schemas``)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from memplane.application.check_health import ComponentHealth, HealthReport
from memplane.domain.control import ApiKey, Tenant
from memplane.domain.facts import FactKey
from memplane.domain.memory import Event, EventOutcome, Memory
from memplane.domain.results import ContextBlock, ItemOutcome, RecalledMemory, RecallResult, StoredMemory


def time_text(moment: datetime) -> str:
    """UTC with milliseconds and ``Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def optional_time(moment: datetime | None) -> str | None:
    """As :func:`time_text`; ``None`` stays."""
    return None if moment is None else time_text(moment)


def memory_json(stored: StoredMemory) -> dict[str, Any]:
    """A memory. Versions and ranks are strings: they are beyond what JSON readers hold exactly."""
    memory, access = stored.memory, stored.access
    return {
        "tenant_id": memory.scope.tenant_id,
        "user_id": memory.scope.user_id,
        "scope_tag": memory.scope.tag,
        "memory_id": memory.memory_id,
        "version": str(memory.version),
        "rank": str(memory.rank),
        "kind": memory.kind.value,
        "category": memory.category,
        "status": memory.status.value,
        "status_at": time_text(memory.status_at),
        "status_reason": memory.status_reason,
        "content": memory.content,
        "summary": memory.summary,
        "summary_hash": memory.summary_hash,
        "fact_key": memory.fact_key,
        "fact_value": memory.fact_value,
        "importance": memory.importance,
        "pinned": memory.pinned,
        "agent_id": memory.agent_id,
        "visibility": memory.visibility.value,
        "session_id": memory.session_id,
        "source_event_ids": list(memory.source_event_ids),
        "derived_from": list(memory.derived_from),
        "event_time": time_text(memory.event_time),
        "valid_from": time_text(memory.valid_from),
        "valid_to": optional_time(memory.valid_to),
        "recorded_at": time_text(memory.recorded_at),
        "updated_at": time_text(memory.updated_at),
        "expires_at": optional_time(memory.expires_at),
        "superseded_by": memory.superseded_by,
        "metadata": dict(memory.metadata),
        "access_count": access.access_count,
        "last_accessed_at": optional_time(access.last_accessed_at),
    }


def version_json(stored: StoredMemory) -> dict[str, Any]:
    """One version in a memory's history."""
    memory = stored.memory
    return memory_json(stored) | {
        "op": memory.op.value,
        "changed_by": memory.changed_by,
        "reason": memory.status_reason,
    }


def fact_json(memory: Memory) -> dict[str, Any]:
    """The value of a fact. Raises: InvalidError for a memory that is none."""
    key = FactKey.parse(memory.fact_key or "")
    return {
        "entity_type": key.entity_type,
        "entity": key.entity,
        "attribute": key.attribute,
        "value": memory.fact_value,
        "memory_id": memory.memory_id,
        "version": str(memory.version),
        "valid_from": time_text(memory.valid_from),
        "valid_to": optional_time(memory.valid_to),
        "recorded_at": time_text(memory.recorded_at),
    }


def event_json(event: Event, outcome: EventOutcome | None) -> dict[str, Any]:
    """An event with what became of it."""
    return {
        "event_id": event.event_id,
        "role": event.role,
        "content": event.content,
        "at": time_text(event.event_time),
        "received_at": time_text(event.received_at),
        "session_id": event.session_id,
        "agent_id": event.agent_id,
        "metadata": dict(event.metadata),
        "outcome": ItemOutcome.PENDING.value if outcome is None else outcome.item_outcome,
        "reason": None if outcome is None else outcome.reason,
        "memory_ids": [] if outcome is None else list(outcome.memory_ids),
    }


def recall_json(result: RecallResult, *, trace_id: str, explain: bool) -> dict[str, Any]:
    """The answer of a recall."""
    answer: dict[str, Any] = {
        "memories": [_recalled_json(recalled) for recalled in result.memories],
        "facts": [
            {**fact_json(found.stored.memory), "score": found.score, "arms": list(found.arms)} for found in result.facts
        ],
        "knowledge": [],
        "route": result.route,
        "plan": result.plan,
        "rewritten_query": result.rewritten_query,
        "degraded": list(result.degraded),
        "trace_id": trace_id,
        "took_ms": round(result.took_ms, 3),
    }
    if explain:
        answer["explain"] = result.explain or {}
    return answer


def context_json(block: ContextBlock, *, trace_id: str) -> dict[str, Any]:
    """A context block."""
    return {
        "context": block.context,
        "citations": [{"ref": item.ref, "memory_id": item.memory_id, "score": item.score} for item in block.citations],
        "tokens": block.tokens,
        "tokens_by_part": dict(block.tokens_by_part),
        "window_used": block.window_used,
        "advice": block.advice,
        "degraded": list(block.degraded),
        "trace_id": trace_id,
    }


def health_json(report: HealthReport, *, with_detail: bool) -> dict[str, Any]:
    """The state of the platform. Details are for operators."""
    return {
        "status": report.status.value,
        "components": {name: _component_json(item, with_detail) for name, item in report.components.items()},
        "generation": report.generation,
    }


def tenant_json(tenant: Tenant) -> dict[str, Any]:
    """A tenant, without its secret."""
    return {
        "tenant_id": tenant.tenant_id,
        "name": tenant.name,
        "policy": {
            "raw_turns": tenant.policy.raw_turns.value,
            "language": tenant.policy.language,
            "disabled_gates": sorted(tenant.policy.disabled_gates),
            "unmasked_pii": sorted(tenant.policy.unmasked_pii),
            "long_term_memory": tenant.policy.long_term_memory,
        },
        "created_at": time_text(tenant.created_at),
    }


def key_json(key: ApiKey) -> dict[str, Any]:
    """A key, without itself and its hash."""
    return {
        "key_id": key.key_id,
        "tenant_id": key.tenant_id,
        "role": key.role.value,
        "agent_ids": sorted(key.agent_ids),
        "user_ids": sorted(key.user_ids),
        "created_at": time_text(key.created_at),
        "expires_at": optional_time(key.expires_at),
        "revoked_at": optional_time(key.revoked_at),
    }


def _recalled_json(recalled: RecalledMemory) -> dict[str, Any]:
    scores = recalled.scores
    return memory_json(recalled.stored) | {
        "score": recalled.score,
        "scores": {
            "relevance": scores.relevance,
            "importance": scores.importance,
            "recency": scores.recency,
            "frequency": scores.frequency,
        },
        "arms": list(recalled.arms),
    }


def _component_json(component: ComponentHealth, with_detail: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {"status": component.status}
    if component.latency_ms is not None:
        shown["latency_ms"] = component.latency_ms
    if with_detail and component.detail is not None:
        shown["detail"] = component.detail
    return shown
