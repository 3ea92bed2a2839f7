"""One Writer replica: stores, leases, group commit, index feed and sweep."""

from __future__ import annotations

import contextlib
import uuid
from datetime import timedelta
from typing import Any

from memplane.adapters.clickhouse import (
    ClickHouseAuditLog,
    ClickHouseControlStore,
    ClickHouseEventLog,
    ClickHouseMemoryStore,
    ClickHouseOperationStore,
)
from memplane.adapters.ray.handles import ServeEmbedder
from memplane.adapters.ray.leases import RayLeaseAuthority
from memplane.application.write import GroupWriter, IndexFeed, LeaseKeeper, Sweeper, WriterLimits, WriterPorts
from memplane.application.write.chains import AuditChains
from memplane.application.write.commit import Commit
from memplane.bootstrap.background import BackgroundLoops
from memplane.bootstrap.clock import SystemClock
from memplane.bootstrap.index import milvus
from memplane.bootstrap.leases import find_lease_actor
from memplane.bootstrap.stores import clickhouse, control_view, tracer
from memplane.bootstrap.warm_up import internal_context, warm_up
from memplane.domain.clock import VersionClock
from memplane.domain.commands import WriteCommand
from memplane.domain.context import CallContext
from memplane.domain.errors import MemplaneError
from memplane.domain.results import Receipt
from memplane.settings import Settings, load_settings
from memplane.telemetry import configure_logging

SWEEP_DEADLINE_S = 60.0
CLOSE_FEED_S = 3.0


class WriterRuntime:
    """A Writer, started by :meth:`start` on the replica's event loop."""

    def __init__(self, writer: GroupWriter, feed: IndexFeed, leases: LeaseKeeper, loops: BackgroundLoops) -> None:
        self._writer = writer
        self._feed = feed
        self._leases = leases
        self._loops = loops

    @classmethod
    async def start(cls, *, embedder: Any, settings: Settings | None = None) -> WriterRuntime:
        """Builds and starts all of it. ``embedder`` is a handle."""
        configure_logging()
        settings = settings or load_settings()
        clock, version_clock = SystemClock(), VersionClock()
        client = await clickhouse(settings)
        view = control_view(settings, client, clock, name="writer")
        await view.start()
        memories = ClickHouseMemoryStore(client)
        ports = WriterPorts(
            events=ClickHouseEventLog(client),
            memories=memories,
            operations=ClickHouseOperationStore(client),
            audit=ClickHouseAuditLog(client),
            control=ClickHouseControlStore(client),
            view=view,
            embedder=ServeEmbedder(embedder),
            tracer=tracer(settings, service="memplane-writer"),
            clock=clock,
        )
        chains = AuditChains(ports.audit)
        feed = IndexFeed(memories=memories, index=milvus(settings), view=view, clock=clock)

        def gained(shard: int) -> None:
            chains.forget_shard(shard)
            feed.recheck_recent(shard)

        authority, owner = RayLeaseAuthority(find_lease_actor), f"writer-{uuid.uuid4().hex[:12]}"
        leases = LeaseKeeper(
            authority,
            owner=owner,
            clock=clock,
            duration_s=settings.leases.duration_s,
            on_gained=gained,
        )
        writer = GroupWriter(
            ports,
            version_clock=version_clock,
            leases=leases,
            commit=Commit(ports, clock=version_clock, leases=leases, chains=chains, feed=feed),
            limits=_limits(settings),
        )
        sweeper = Sweeper(
            events=ports.events,
            writer=writer,
            leases=leases,
            clock=clock,
            age=timedelta(seconds=settings.ingest.sweep_age_s),
            interval_s=settings.ingest.sweep_interval_s,
            new_context=lambda tenant_id: internal_context("sweep", SWEEP_DEADLINE_S, tenant_id=tenant_id),
        )
        await warm_up(client, ports.embedder)
        with contextlib.suppress(MemplaneError):
            await authority.acquire(owner=owner, shards=[])  # starts the authority, unless it runs
        loops = BackgroundLoops()
        loops.start("control", view.run())
        loops.start("writer", writer.run())
        loops.start("leases", leases.run())
        loops.start("index", feed.run())
        loops.start("sweep", sweeper.run())
        return cls(writer, feed, leases, loops)

    async def submit(self, command: WriteCommand, context: CallContext) -> Receipt:
        """See ``GroupWriter.submit``."""
        return await self._writer.submit(command, context)

    def check_health(self) -> None:
        """Raises: UnavailableError when a loop died; Serve then replaces the replica."""
        self._loops.check_health()
        self._writer.check_health()

    async def close(self) -> None:
        """Stops the loops, sends the index what is queued, gives the leases back."""
        await self._loops.close()
        await self._feed.close(timeout_s=CLOSE_FEED_S)
        await self._leases.close()


def _limits(settings: Settings) -> WriterLimits:
    section = settings.ingest
    return WriterLimits(
        group_wait_s=section.group_wait_ms / 1000,
        group_max_items=section.group_max_texts,
        max_queued_items=section.max_queued_items,
        wait_deadline_s=section.wait_deadline_s,
    )
