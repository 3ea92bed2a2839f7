"""One Ingest replica: validation, auth, and the way to the Writer."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from fastapi import FastAPI

from memplane.adapters.clickhouse import (
    ClickHouseClient,
    ClickHouseEventLog,
    ClickHouseMemoryStore,
    ClickHouseOperationStore,
)
from memplane.adapters.ray.handle_errors import answer_of
from memplane.adapters.ray.handles import ServeEmbedder, ServeWriteGateway
from memplane.adapters.snapshot import RefreshedControlView
from memplane.api import ApiLimits, IngestServices, build_ingest_app
from memplane.application.check_health import Probe, check_health
from memplane.bootstrap.background import BackgroundLoops
from memplane.bootstrap.clock import SystemClock
from memplane.bootstrap.index import milvus
from memplane.bootstrap.stores import clickhouse, control_view, tracer
from memplane.settings import Settings, load_settings
from memplane.telemetry import configure_logging

PROBE_TIMEOUT_S = 2.0


class IngestRuntime:
    """The ingest application of one replica."""

    def __init__(self, app: FastAPI, loops: BackgroundLoops) -> None:
        self.app = app
        self._loops = loops

    @classmethod
    async def start(cls, *, writer: Any, embedder: Any, settings: Settings | None = None) -> IngestRuntime:
        """Builds and starts it. ``writer`` and ``embedder`` are handles."""
        configure_logging()
        settings = settings or load_settings()
        clock = SystemClock()
        client = await clickhouse(settings)
        view = control_view(settings, client, clock, name=f"ingest-{uuid.uuid4().hex[:6]}")
        await view.start()
        services = IngestServices(
            view=view,
            gateway=ServeWriteGateway(writer, wait_deadline_s=settings.ingest.wait_deadline_s),
            memories=ClickHouseMemoryStore(client),
            operations=ClickHouseOperationStore(client),
            event_log=ClickHouseEventLog(client),
            health=partial(
                check_health,
                probes=_probes(settings, client, writer, embedder),
                generation=lambda: _generation(view),
                timeout_s=PROBE_TIMEOUT_S,
            ),
            clock=clock,
            tracer=tracer(settings, service="memplane-ingest"),
            limits=ApiLimits(
                max_body_bytes=settings.ingest.max_body_bytes,
                max_turns=settings.ingest.max_turns,
                write_deadline_s=settings.ingest.wait_deadline_s,
            ),
        )
        loops = BackgroundLoops()
        loops.start("control", view.run())
        return cls(build_ingest_app(services), loops)

    def check_health(self) -> None:
        """Raises: UnavailableError when a loop died."""
        self._loops.check_health()

    async def close(self) -> None:
        """Stops the loops."""
        await self._loops.close()


def _generation(view: RefreshedControlView) -> str | None:
    serving = view.current().serving()
    return serving.generation_id if serving else None


def _probes(settings: Settings, client: ClickHouseClient, writer: Any, embedder: Any) -> tuple[Probe, ...]:
    index, model = milvus(settings), ServeEmbedder(embedder)

    async def ask_clickhouse() -> str | None:
        await client.ping(timeout_s=PROBE_TIMEOUT_S)
        return None

    async def ask_milvus() -> str | None:
        await index.ping(timeout_s=PROBE_TIMEOUT_S)
        return None

    async def ask_embedder() -> str | None:
        return (await model.spec()).generation_id

    async def ask_writer() -> str | None:
        await answer_of(writer.ping.remote(), component="writer", timeout_s=PROBE_TIMEOUT_S)
        return None

    return (
        Probe(name="clickhouse", check=ask_clickhouse, essential=True),
        Probe(name="milvus", check=ask_milvus),
        Probe(name="embedder", check=ask_embedder),
        Probe(name="writer", check=ask_writer),
    )
