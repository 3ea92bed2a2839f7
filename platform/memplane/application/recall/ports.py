"""What the read path works with. Nothing here writes."""

from __future__ import annotations

from dataclasses import dataclass

from memplane.application.recall.planner import Planner
from memplane.ports.clock import Clock
from memplane.ports.control_view import ControlView
from memplane.ports.embedder import Embedder
from memplane.ports.recall_log import RecallRecorder
from memplane.ports.retrieval import ScopeSearch
from memplane.ports.tracer import Tracer
from memplane.ports.vector_index import VectorIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPorts:
    """The read path's stores and model."""

    search: ScopeSearch
    index: VectorIndex
    view: ControlView
    embedder: Embedder
    recorder: RecallRecorder
    tracer: Tracer
    clock: Clock
    planner: Planner
