"""Connections and stores from settings."""

from __future__ import annotations

from pathlib import Path

from memplane.adapters.clickhouse import ClickHouseClient, ClickHouseControlStore
from memplane.adapters.otel import OtelTracer, build_tracer
from memplane.adapters.otel.clickhouse_exporter import ClickHouseSpanExporter
from memplane.adapters.snapshot import RefreshedControlView
from memplane.ports.clock import Clock
from memplane.settings import Settings


async def clickhouse(settings: Settings, *, read_only: bool = False) -> ClickHouseClient:
    """A client. Connects on its first call, so that a process starts while ClickHouse is away."""
    section = settings.clickhouse
    return await ClickHouseClient.connect(
        host=section.host,
        port=section.port,
        user=section.reader_user if read_only else section.user,
        password=(section.reader_password if read_only else section.password).get_secret_value(),
        database=section.database,
        secure=section.secure,
        connections=section.connections,
        connect_timeout_s=section.connect_timeout_s,
        timeout_s=section.timeout_s,
        quorum=2 if section.cluster else 0,
    )


def control_view(settings: Settings, client: ClickHouseClient, clock: Clock, *, name: str) -> RefreshedControlView:
    """The refreshed snapshot of one application, with its file."""
    file: Path = settings.data_dir / "run" / f"control-{name}.json"
    return RefreshedControlView(ClickHouseControlStore(client), clock=clock, file=file)


def tracer(settings: Settings, *, service: str) -> OtelTracer:
    """The tracer of one process."""
    section, store = settings.telemetry, settings.clickhouse
    exporter = None
    if section.traces == "clickhouse":
        exporter = ClickHouseSpanExporter(
            host=store.host,
            port=store.port,
            user=store.user,
            password=store.password.get_secret_value(),
            database=store.database,
            secure=store.secure,
        )
    return build_tracer(
        service=service,
        exporter=exporter,
        sampling_ratio=section.sampling_ratio,
        export_interval_s=section.export_interval_s,
    )
