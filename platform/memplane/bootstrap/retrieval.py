"""One Retriever replica: read-only."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import FastAPI

from memplane.adapters.clickhouse import ClickHouseScopeSearch
from memplane.adapters.ray.handles import ServeEmbedder, ServeRecorder
from memplane.api import ApiLimits, RetrievalServices, build_retrieval_app
from memplane.application.recall import Planner, RecallPorts, build_context, recall
from memplane.application.record import BoundedBatches
from memplane.bootstrap.background import BackgroundLoops
from memplane.bootstrap.clock import SystemClock
from memplane.bootstrap.index import milvus
from memplane.bootstrap.stores import clickhouse, control_view, tracer
from memplane.bootstrap.warm_up import warm_up
from memplane.domain.recall_record import RecallRecord
from memplane.settings import Settings, load_settings
from memplane.telemetry import configure_logging

RECORDS_WAITING = 5_000
RECORD_EVERY_S = 0.5


class RetrievalRuntime:
    """The retrieval application of one replica."""

    def __init__(self, app: FastAPI, records: BoundedBatches[RecallRecord], loops: BackgroundLoops) -> None:
        self.app = app
        self._records = records
        self._loops = loops

    @classmethod
    async def start(cls, *, embedder: Any, recorder: Any, settings: Settings | None = None) -> RetrievalRuntime:
        """Builds and starts it. ``embedder`` and ``recorder`` are handles."""
        configure_logging()
        settings = settings or load_settings()
        clock = SystemClock()
        client = await clickhouse(settings, read_only=True)
        view = control_view(settings, client, clock, name="retrieval")
        await view.start()
        records: BoundedBatches[RecallRecord] = BoundedBatches(
            "retriever", ServeRecorder(recorder).send, capacity=RECORDS_WAITING, interval_s=RECORD_EVERY_S
        )
        ports = RecallPorts(
            search=ClickHouseScopeSearch(client),
            index=milvus(settings),
            view=view,
            embedder=ServeEmbedder(embedder),
            recorder=records,
            tracer=tracer(settings, service="memplane-retrieval"),
            clock=clock,
            planner=Planner(
                indexed=settings.milvus.server == "milvus", exact_max_rows=settings.retrieval.exact_max_rows
            ),
        )
        services = RetrievalServices(
            view=view,
            recall=partial(recall, ports),
            build_context=partial(build_context, ports),
            clock=clock,
            tracer=ports.tracer,
            limits=ApiLimits(max_body_bytes=settings.retrieval.max_body_bytes),
        )
        await warm_up(client, ports.embedder)
        loops = BackgroundLoops()
        loops.start("control", view.run())
        loops.start("records", records.run())
        return cls(build_retrieval_app(services), records, loops)

    def check_health(self) -> None:
        """Raises: UnavailableError when a loop died."""
        self._loops.check_health()

    async def close(self) -> None:
        """Stops the loops and sends on what waits."""
        await self._loops.close()
        await self._records.flush()
