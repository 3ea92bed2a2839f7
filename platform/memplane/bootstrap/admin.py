"""One Admin replica: tenants and keys."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from memplane.adapters.ray.handles import ServeWriteGateway
from memplane.api import AdminServices, ApiLimits, build_admin_app
from memplane.bootstrap.background import BackgroundLoops
from memplane.bootstrap.clock import SystemClock
from memplane.bootstrap.default_tenant import DEFAULT_TENANT
from memplane.bootstrap.stores import clickhouse, control_view, tracer
from memplane.settings import Settings, load_settings
from memplane.telemetry import configure_logging


class AdminRuntime:
    """The admin application of one replica."""

    def __init__(self, app: FastAPI, loops: BackgroundLoops) -> None:
        self.app = app
        self._loops = loops

    @classmethod
    async def start(cls, *, writer: Any, settings: Settings | None = None) -> AdminRuntime:
        """Builds and starts it. ``writer`` is a handle."""
        configure_logging()
        settings = settings or load_settings()
        clock = SystemClock()
        client = await clickhouse(settings)
        view = control_view(settings, client, clock, name="admin")
        await view.start()
        services = AdminServices(
            view=view,
            gateway=ServeWriteGateway(writer, wait_deadline_s=settings.ingest.wait_deadline_s),
            clock=clock,
            tracer=tracer(settings, service="memplane-admin"),
            limits=ApiLimits(max_body_bytes=settings.ingest.max_body_bytes),
            home_tenant=DEFAULT_TENANT,
        )
        loops = BackgroundLoops()
        loops.start("control", view.run())
        return cls(build_admin_app(services), loops)

    def check_health(self) -> None:
        """Raises: UnavailableError when a loop died."""
        self._loops.check_health()

    async def close(self) -> None:
        """Stops the loops."""
        await self._loops.close()
