"""What the Writer works with."""

from __future__ import annotations

from dataclasses import dataclass

from memplane.ports.audit_log import AuditLog
from memplane.ports.clock import Clock
from memplane.ports.control_store import ControlStore
from memplane.ports.control_view import ControlView
from memplane.ports.embedder import Embedder
from memplane.ports.event_log import EventLog
from memplane.ports.memory_store import MemoryStore
from memplane.ports.operations import OperationStore
from memplane.ports.tracer import Tracer


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterPorts:
    """The Writer's stores, model and clock."""

    events: EventLog
    memories: MemoryStore
    operations: OperationStore
    audit: AuditLog
    control: ControlStore
    view: ControlView
    embedder: Embedder
    tracer: Tracer
    clock: Clock
