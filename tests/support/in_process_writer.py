"""A whole Writer over the in-process adapters, with places to make each of its ports fail."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from memplane.adapters.memory import (
    HashingEmbedder,
    InMemoryAuditLog,
    InMemoryControlStore,
    InMemoryControlView,
    InMemoryEventLog,
    InMemoryLeaseStore,
    InMemoryMemoryStore,
    InMemoryOperationStore,
    InMemoryVectorIndex,
    SettableClock,
)
from memplane.adapters.memory.tracer import RecordingTracer
from memplane.application.leases import LeaseBook
from memplane.application.manage_access import draw_tenant
from memplane.application.write import GroupWriter, IndexFeed, LeaseKeeper, Sweeper, WriterLimits, WriterPorts
from memplane.application.write.chains import AuditChains
from memplane.application.write.commit import Commit
from memplane.domain.clock import VersionClock
from memplane.domain.commands import Idempotency, IngestEvents, PutFact, RememberStatement, Turn
from memplane.domain.context import CallContext, Principal, Role
from memplane.domain.control import Generation, GenerationState, Policy, RawTurns, Tenant
from memplane.domain.facts import FactKey
from memplane.domain.ids import KeyId, Scope, SessionId, TenantId, UserId, scope_of

START = datetime(2025, 6, 12, 8, 0, tzinfo=UTC)
EVERYTHING = Policy(raw_turns=RawTurns.ALL)
COLLECTION = "memories_test"


@dataclass
class Failing:
    """Wraps a port: each method in ``broken`` raises its error, ``times`` times (``None``: for ever).

    Otherwise the port answers. ``after``: it does its work first and fails then, as when an answer is lost.
    """

    inner: Any
    broken: dict[str, Exception] = field(default_factory=dict)
    times: int | None = None
    after: bool = False
    calls: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.inner, name)
        if not asyncio.iscoroutinefunction(method):
            return method

        async def call(**arguments: Any) -> Any:
            self.calls.append(name)
            error = self.broken.get(name)
            if error is None or self.times == 0:
                return await method(**arguments)
            if self.times is not None:
                self.times -= 1
            if self.after:
                await method(**arguments)
            raise error

        return call


@dataclass
class WriterBench:
    """The parts of a running Writer."""

    writer: GroupWriter
    sweeper: Sweeper
    feed: IndexFeed
    leases: LeaseKeeper
    clock: SettableClock
    tenant: Tenant
    control: InMemoryControlStore
    events: Failing
    memories: Failing
    operations: Failing
    audit: Failing
    embedder: Failing
    index: Failing

    def tenant_with(self, policy: Policy) -> Tenant:
        """The tenant with another policy, newer than it is."""
        return replace(self.tenant, policy=policy, version=self.tenant.version + 1)

    def scope(self, user_id: str = "u1") -> Scope:
        return scope_of(tenant_id=self.tenant.tenant_id, user_id=UserId(user_id), tenant_secret=self.tenant.secret)

    def context(self, *, seconds: float = 5.0, tenant_id: TenantId | None = None) -> CallContext:
        principal = Principal(key_id=KeyId("key-1"), tenant_id=tenant_id or self.tenant.tenant_id, role=Role.AGENT)
        return CallContext(
            principal=principal, traceparent=f"00-{'a' * 32}-{'b' * 16}-01", deadline=time.time() + seconds
        )

    def turns(self, *contents: str, user_id: str = "u1", key: str | None = None, **fields: Any) -> IngestEvents:
        return IngestEvents(
            scope=self.scope(user_id),
            turns=tuple(Turn(role="user", content=content) for content in contents),
            policy=fields.pop("policy", EVERYTHING),
            session_id=SessionId("s1"),
            idempotency=Idempotency(key=key, body_hash=fields.pop("body_hash", "h")) if key else None,
            **fields,
        )

    def fact(self, name: str, value: Any, *, user_id: str = "u1", key: str | None = None, **fields: Any) -> PutFact:
        return PutFact(
            scope=self.scope(user_id),
            key=FactKey.parse(name),
            value=value,
            policy=fields.pop("policy", EVERYTHING),
            idempotency=Idempotency(key=key, body_hash="h") if key else None,
            **fields,
        )

    def statement(self, content: str, *, user_id: str = "u1", **fields: Any) -> RememberStatement:
        return RememberStatement(scope=self.scope(user_id), content=content, policy=EVERYTHING, **fields)


@contextlib.asynccontextmanager
async def running_writer(limits: WriterLimits | None = None) -> AsyncIterator[WriterBench]:
    """Starts a Writer whose stores are empty, with tenant ``t1`` and a serving generation."""
    clock = SettableClock(START)
    embedder = HashingEmbedder()
    spec = await embedder.spec()
    control = InMemoryControlStore()
    tenant = draw_tenant(tenant_id=TenantId("t1"), name="T1", policy=EVERYTHING, now=START)
    await control.put_tenants(tenants=[tenant])
    generation = Generation(
        generation_id=spec.generation_id,
        spec=spec,
        state=GenerationState.SERVING,
        collection=COLLECTION,
        created_at=START,
        version=1,
    )
    await control.put_generations(generations=[generation])
    view = InMemoryControlView(store=control, clock=clock)
    await view.refresh()
    index = InMemoryVectorIndex()
    await index.ensure_collection(collection=COLLECTION, dim=spec.dim)
    ports = {
        "events": Failing(InMemoryEventLog(clock)),
        "memories": Failing(InMemoryMemoryStore()),
        "operations": Failing(InMemoryOperationStore()),
        "audit": Failing(InMemoryAuditLog()),
        "embedder": Failing(embedder),
    }
    writer_ports = WriterPorts(control=control, view=view, tracer=RecordingTracer(), clock=clock, **ports)
    failing_index = Failing(index)
    feed = IndexFeed(memories=ports["memories"], index=failing_index, view=view, clock=clock)
    chains, version_clock = AuditChains(ports["audit"]), VersionClock()
    leases = LeaseKeeper(
        LeaseBook(InMemoryLeaseStore(), clock=clock, duration_s=10, margin_s=2),
        owner="writer-1",
        clock=clock,
        duration_s=10,
        on_gained=chains.forget_shard,
    )
    writer = GroupWriter(
        writer_ports,
        version_clock=version_clock,
        leases=leases,
        commit=Commit(writer_ports, clock=version_clock, leases=leases, chains=chains, feed=feed),
        limits=limits or WriterLimits(wait_deadline_s=3.0),
    )
    sweeper = Sweeper(
        events=ports["events"],
        writer=writer,
        leases=leases,
        clock=clock,
        age=timedelta(seconds=30),
        interval_s=1,
        new_context=lambda tenant_id: CallContext(
            principal=Principal(key_id=KeyId("sweep"), tenant_id=tenant_id, role=Role.OPERATOR),
            traceparent="",
            deadline=time.time() + 30,
        ),
    )
    loops = [asyncio.create_task(writer.run()), asyncio.create_task(feed.run())]
    try:
        yield WriterBench(
            writer=writer, sweeper=sweeper, feed=feed, leases=leases, clock=clock, tenant=tenant, control=control,
            index=failing_index, **ports,
        )  # fmt: skip
    finally:
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
