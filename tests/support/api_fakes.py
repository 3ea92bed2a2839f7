"""The HTTP applications over the in-process stores, with a writer that does the least a writer can."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import httpx
import orjson
from fastapi import FastAPI

from memplane.adapters.memory import (
    InMemoryControlStore,
    InMemoryControlView,
    InMemoryEventLog,
    InMemoryMemoryStore,
    InMemoryOperationStore,
    InProcessWriteGateway,
    SettableClock,
)
from memplane.api import (
    AdminServices,
    ApiLimits,
    IngestServices,
    RetrievalServices,
    build_admin_app,
    build_ingest_app,
    build_retrieval_app,
)
from memplane.application.check_health import ComponentHealth, HealthReport, Readiness
from memplane.application.manage_access import draw_key, draw_tenant
from memplane.domain.clock import VersionClock, to_millis
from memplane.domain.commands import (
    ChangeControl,
    DeleteFact,
    ForgetMemory,
    IngestEvents,
    PutFact,
    RememberStatement,
    ReviseMemory,
    Wait,
    WriteCommand,
)
from memplane.domain.context import CallContext, Role
from memplane.domain.control import Policy
from memplane.domain.errors import IdempotencyConflictError, NotFoundError
from memplane.domain.ids import (
    AgentId,
    EventId,
    MemoryId,
    OperationId,
    Scope,
    ScopeTag,
    TenantId,
    UserId,
    derive_memory_id,
    derive_operation_id,
    draw_event_id,
    draw_operation_id,
    scope_of,
)
from memplane.domain.memory import Kind, Memory, Status, Visibility
from memplane.domain.queries import ContextRequest, RecallRequest
from memplane.domain.results import (
    Citation,
    ContextBlock,
    ItemOutcome,
    OperationStatus,
    RecalledMemory,
    RecallResult,
    Receipt,
    ReceiptItem,
    ScoreParts,
    StoredMemory,
)
from memplane.ports.memory_store import MemoryRef
from memplane.ports.operations import Operation

NOW = datetime(2026, 6, 16, 9, 0, tzinfo=UTC)
HOME = TenantId("default")
OTHER = TenantId("other")


class SilentSpan:
    """A span that keeps its attributes."""

    def __init__(self, traceparent: str) -> None:
        self.traceparent = traceparent
        self.attributes: dict[str, Any] = {}

    def set(self, key: str, value: str | int | float | bool) -> None:
        self.attributes[key] = value


class SilentTracer:
    """Keeps spans in a list."""

    def __init__(self) -> None:
        self.spans: list[SilentSpan] = []

    @contextmanager
    def span(
        self, name: str, *, traceparent: str, attributes: Mapping[str, str | int | float | bool] | None = None
    ) -> Iterator[SilentSpan]:
        span = SilentSpan(traceparent)
        span.attributes |= dict(attributes or {})
        self.spans.append(span)
        yield span


@dataclass(slots=True, kw_only=True)
class PlainWriter:
    """Carries each command out at once: every turn becomes a memory. Keeps what it got; ``fails_with`` is raised."""

    clock: SettableClock
    control: InMemoryControlStore
    memories: InMemoryMemoryStore
    operations: InMemoryOperationStore
    versions: VersionClock = field(default_factory=VersionClock)
    commands: list[WriteCommand] = field(default_factory=list)
    contexts: list[CallContext] = field(default_factory=list)
    fails_with: BaseException | None = None

    async def __call__(self, command: WriteCommand, context: CallContext) -> Receipt:
        self.commands.append(command)
        self.contexts.append(context)
        if self.fails_with is not None:
            raise self.fails_with
        match command:
            case IngestEvents() | RememberStatement():
                return await self._write(command)
            case ForgetMemory():
                return await self._forget(command, context)
            case PutFact() | DeleteFact() | ReviseMemory():  # tests of these have a whole Writer behind the API
                return Receipt(
                    operation_id=draw_operation_id(command.scope), status=OperationStatus.COMPLETED, items=()
                )
            case ChangeControl():
                await self.control.put_tenants(tenants=command.tenants)
                await self.control.put_api_keys(api_keys=command.api_keys)
                return Receipt(
                    operation_id=draw_operation_id(command.scope), status=OperationStatus.COMPLETED, items=()
                )

    async def _write(self, command: IngestEvents | RememberStatement) -> Receipt:
        scope, keyed = command.scope, command.idempotency
        operation_id = draw_operation_id(scope)
        if keyed is not None:
            operation_id = derive_operation_id(scope, route=command.route, idempotency_key=keyed.key)
            key = (scope.tenant_id, scope.tag, operation_id)
            stored = (await self.operations.find(keys=[key])).get(operation_id)
            if stored is not None:
                if stored.body_hash != keyed.body_hash:
                    raise IdempotencyConflictError("this Idempotency-Key came before with another body")
                return Receipt.from_dict(orjson.loads(stored.receipt), replayed=True)
        contents = [command.content] if isinstance(command, RememberStatement) else [t.content for t in command.turns]
        items = [await self._item(command, index, content) for index, content in enumerate(contents)]
        is_pending = command.wait is Wait.NONE
        receipt = Receipt(
            operation_id=operation_id,
            status=OperationStatus.PENDING if is_pending else OperationStatus.COMPLETED,
            items=tuple(replace(i, outcome=ItemOutcome.PENDING, memory_ids=()) if is_pending else i for i in items),
        )
        await self.operations.put(operations=[operation_row(scope, receipt, command=command, at=self.clock.now())])
        return receipt

    async def _item(self, command: IngestEvents | RememberStatement, index: int, content: str) -> ReceiptItem:
        event_id: EventId = draw_event_id(command.scope)
        memory = self.draw_memory(
            command.scope,
            event_id=event_id,
            content=content,
            agent_id=command.agent_id,
            visibility=command.visibility if isinstance(command, RememberStatement) else Visibility.SHARED,
        )
        await self.memories.commit(versions=[memory])
        return ReceiptItem(index=index, event_id=event_id, outcome=ItemOutcome.ADDED, memory_ids=(memory.memory_id,))

    def draw_memory(self, scope: Scope, *, event_id: EventId, content: str, **fields: Any) -> Memory:
        now = self.clock.now()
        version = self.versions.draw(now_ms=to_millis(now), lease_until_ms=1 << 47)
        plain: dict[str, Any] = {
            "scope": scope,
            "memory_id": derive_memory_id(scope, event_id=event_id, index=0),
            "version": version,
            "rank": version,
            "kind": Kind.EPISODIC,
            "category": "other",
            "status": Status.ACTIVE,
            "status_at": now,
            "content": content,
            "summary": content[:100],
            "summary_hash": "0" * 64,
            "terms": ("term",),
            "content_hash": "0" * 64,
            "importance": 0.8,
            "event_time": now,
            "valid_from": now,
            "recorded_at": now,
            "updated_at": now,
        }
        return Memory(**(plain | fields))

    async def _forget(self, command: ForgetMemory, context: CallContext) -> Receipt:
        ref = MemoryRef(
            tenant_id=context.principal.tenant_id,
            scope_tag=ScopeTag(command.scope_tag),
            memory_id=command.memory_id,
        )
        found = await self.memories.current(refs=[ref])
        if not found or found[0].status is Status.FORGOTTEN:
            raise NotFoundError("no such memory")
        version = self.versions.draw(now_ms=to_millis(self.clock.now()), lease_until_ms=1 << 47)
        forgotten = replace(found[0], status=Status.FORGOTTEN, version=version, rank=version)
        await self.memories.commit(versions=[forgotten])
        item = ReceiptItem(index=0, event_id=None, outcome=ItemOutcome.ADDED, memory_ids=(command.memory_id,))
        return Receipt(operation_id=draw_operation_id(forgotten.scope), status=OperationStatus.COMPLETED, items=(item,))


def operation_row(scope: Scope, receipt: Receipt, *, command: Any, at: datetime, version: int = 1) -> Operation:
    """A stored operation."""
    keyed = command.idempotency
    return Operation(
        scope=scope,
        operation_id=OperationId(receipt.operation_id),
        route=command.route,
        idempotency_key=keyed.key if keyed else "",
        body_hash=keyed.body_hash if keyed else "",
        status=receipt.status.value,
        receipt=orjson.dumps(receipt.to_dict()).decode(),
        created_at=at,
        version=version,
    )


@dataclass(slots=True, kw_only=True)
class Platform:
    """The three applications over shared stores, and keys to them by name."""

    clock: SettableClock
    control: InMemoryControlStore
    view: InMemoryControlView
    memories: InMemoryMemoryStore
    operations: InMemoryOperationStore
    event_log: InMemoryEventLog
    writer: PlainWriter
    tracer: SilentTracer
    keys: dict[str, str] = field(default_factory=dict)
    builders: dict[str, Callable[[], FastAPI]] = field(default_factory=dict)
    apps: dict[str, FastAPI] = field(default_factory=dict)
    health: HealthReport = field(
        default_factory=lambda: HealthReport(
            status=Readiness.READY,
            components={"clickhouse": ComponentHealth(status="ok", latency_ms=1.5, detail="127.0.0.1")},
            generation="g1",
        )
    )
    recalls: list[tuple[RecallRequest, CallContext]] = field(default_factory=list)
    contexts: list[tuple[ContextRequest, CallContext]] = field(default_factory=list)
    recall_fails_with: BaseException | None = None

    async def check(self) -> HealthReport:
        return self.health

    async def recall(self, request: RecallRequest, context: CallContext) -> RecallResult:
        self.recalls.append((request, context))
        if self.recall_fails_with is not None:
            raise self.recall_fails_with
        scores = ScoreParts(relevance=0.9, importance=0.8, recency=0.5, frequency=0.2)
        rows = self.memories.rows_of(request.scope)[: request.top_k]
        return RecallResult(
            memories=tuple(RecalledMemory(stored=row, score=0.72, scores=scores, arms=("dense",)) for row in rows),
            route="long_term_memory",
            plan="exact",
            rewritten_query=request.text,
            degraded=("reranker",),
            took_ms=1.23456,
            explain={"stages": {"dense": 1}} if request.explain else None,
        )

    async def build_context(self, request: ContextRequest, context: CallContext) -> ContextBlock:
        self.contexts.append((request, context))
        cited = Citation(ref="mem-1", memory_id=MemoryId("mem_x"), score=0.5)
        return ContextBlock(
            context="notes",
            citations=(cited,),
            tokens=7,
            tokens_by_part={"long_term": 7},
            window_used=0.01,
            advice="ok",
            degraded=(),
        )

    def scope(self, user_id: str, tenant_id: TenantId = HOME) -> Scope:
        tenant = self.view.current().tenant(tenant_id)
        if tenant is None:
            raise LookupError(tenant_id)
        return scope_of(tenant_id=tenant_id, user_id=UserId(user_id), tenant_secret=tenant.secret)

    async def store(self, user_id: str, content: str, *, tenant_id: TenantId = HOME, **fields: Any) -> Memory:
        """Puts a memory into the store, past the API."""
        scope = self.scope(user_id, tenant_id)
        memory = self.writer.draw_memory(scope, event_id=draw_event_id(scope), content=content, **fields)
        await self.memories.commit(versions=[memory])
        return memory

    async def stored(self, memory: Memory) -> StoredMemory | None:
        return await self.memories.get(
            tenant_id=memory.scope.tenant_id, scope_tag=memory.scope.tag, memory_id=memory.memory_id
        )

    async def add_key(self, name: str, *, tenant_id: TenantId = HOME, role: Role = Role.AGENT, **fields: Any) -> None:
        created = draw_key(tenant_id=tenant_id, role=role, now=self.clock.now(), **fields)
        self.keys[name] = created.key
        await self.control.put_api_keys(api_keys=[created.api_key])
        await self.view.refresh()

    async def call(
        self, method: str, path: str, *, key: str | None = "agent", headers: Mapping[str, str] | None = None, **how: Any
    ) -> httpx.Response:
        """One request, routed as Serve does: the prefix stays in the path and is told as root path."""
        prefix = next(item for item in ("/v1/recall", "/admin", "/v1") if path.startswith(item))
        async with self.client(prefix) as client:
            sent = dict(headers or {})
            if key is not None:
                sent["authorization"] = f"Bearer {self.keys.get(key, key)}"
            return await client.request(method, path, headers=sent, **how)

    @asynccontextmanager
    async def client(self, prefix: str) -> AsyncIterator[httpx.AsyncClient]:
        if prefix not in self.apps:
            self.apps[prefix] = self.builders[prefix]()
        transport = httpx.ASGITransport(app=self.apps[prefix], root_path=prefix)
        async with httpx.AsyncClient(transport=transport, base_url="http://memplane.test") as client:
            yield client


async def start_platform(*, limits: ApiLimits | None = None) -> Platform:
    """A platform with the tenants ``HOME`` and ``OTHER`` and one key for each kind of caller."""
    clock = SettableClock(NOW)
    control = InMemoryControlStore(clock)
    view = InMemoryControlView(store=control, clock=clock)
    memories, operations, event_log = InMemoryMemoryStore(), InMemoryOperationStore(), InMemoryEventLog(clock)
    writer = PlainWriter(clock=clock, control=control, memories=memories, operations=operations)
    platform = Platform(
        clock=clock,
        control=control,
        view=view,
        memories=memories,
        operations=operations,
        event_log=event_log,
        writer=writer,
        tracer=SilentTracer(),
    )
    await control.put_tenants(
        tenants=[draw_tenant(tenant_id=t, name=t, policy=Policy(language="zh"), now=NOW) for t in (HOME, OTHER)]
    )
    await platform.add_key("agent")
    await platform.add_key("bound", agent_ids=[AgentId("agent-1")])
    await platform.add_key("several", agent_ids=[AgentId("agent-1"), AgentId("agent-2")])
    await platform.add_key("user", role=Role.USER, user_ids=[UserId("u")])
    await platform.add_key("operator", role=Role.OPERATOR)
    await platform.add_key("auditor", role=Role.AUDITOR)
    await platform.add_key("other", tenant_id=OTHER)
    await platform.add_key("other-operator", tenant_id=OTHER, role=Role.OPERATOR)
    limits = limits or ApiLimits(max_body_bytes=200_000, max_turns=20)
    shared: dict[str, Any] = {"view": view, "clock": clock, "tracer": platform.tracer, "limits": limits}
    gateway = InProcessWriteGateway(writer)
    ingest = IngestServices(
        gateway=gateway,
        memories=memories,
        operations=operations,
        event_log=event_log,
        health=platform.check,
        **shared,
    )
    retrieval = RetrievalServices(recall=platform.recall, build_context=platform.build_context, **shared)
    admin = AdminServices(gateway=gateway, home_tenant=HOME, **shared)
    platform.builders = {
        "/v1": lambda: build_ingest_app(ingest),
        "/v1/recall": lambda: build_retrieval_app(retrieval),
        "/admin": lambda: build_admin_app(admin),
    }
    return platform
