"""What each HTTP application works with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from memplane.application.check_health import HealthReport
from memplane.domain.context import CallContext
from memplane.domain.ids import TenantId
from memplane.domain.queries import ContextRequest, RecallRequest
from memplane.domain.results import ContextBlock, RecallResult
from memplane.ports.clock import Clock
from memplane.ports.control_view import ControlView
from memplane.ports.event_log import EventLog
from memplane.ports.memory_store import MemoryStore
from memplane.ports.operations import OperationStore
from memplane.ports.tracer import Tracer
from memplane.ports.write_gateway import WriteGateway


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiLimits:
    """Sizes and times that requests are held to.

    ``write_deadline_s``: past this a write answers 202 with ``pending``. ``read_deadline_s``: for reads by id and
    listings. ``request_deadline_s``: for a whole request, its body included; above every other deadline.
    """

    max_body_bytes: int = 8 * 2**20
    max_turns: int = 1_000
    write_deadline_s: float = 10.0
    read_deadline_s: float = 10.0
    request_deadline_s: float = 40.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestServices:
    """Behind ``/v1``."""

    view: ControlView
    gateway: WriteGateway
    memories: MemoryStore
    operations: OperationStore
    event_log: EventLog
    health: Callable[[], Awaitable[HealthReport]]
    clock: Clock
    tracer: Tracer
    limits: ApiLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalServices:
    """Behind ``/v1/recall``."""

    view: ControlView
    recall: Callable[[RecallRequest, CallContext], Awaitable[RecallResult]]
    build_context: Callable[[ContextRequest, CallContext], Awaitable[ContextBlock]]
    clock: Clock
    tracer: Tracer
    limits: ApiLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminServices:
    """Behind ``/admin``. Operators of ``home_tenant`` reach every tenant, other operators their own."""

    view: ControlView
    gateway: WriteGateway
    clock: Clock
    tracer: Tracer
    limits: ApiLimits
    home_tenant: TenantId
