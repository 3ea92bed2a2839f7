"""What is remembered of a recall: for access counts, dashboards and "what did it answer then?". No query text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memplane.domain.ids import AgentId, GenerationId, MemoryId, Scope, SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRecord:
    """One recall that left the process. ``memory_ids`` and ``scores`` are in the order answered."""

    scope: Scope
    at: datetime
    trace_id: str
    route: str
    plan: str
    generation: GenerationId
    arms: tuple[str, ...]
    memory_ids: tuple[MemoryId, ...]
    scores: tuple[float, ...]
    took_ms: float
    degraded: tuple[str, ...]
    stage_ms: Mapping[str, float] = field(default_factory=dict)
    agent_id: AgentId | None = None
    session_id: SessionId | None = None
