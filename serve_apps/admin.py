"""The Serve application ``admin``: the control API."""

from __future__ import annotations

from typing import Any

from ray import serve

from memplane.bootstrap.admin import AdminRuntime
from serve_apps.handles import writer


@serve.ingress()
class Admin:
    """FastAPI over the Writer for control data."""

    async def __init__(self) -> None:  # type: ignore[misc]
        self._runtime = await AdminRuntime.start(writer=writer())

    def __serve_build_asgi_app__(self) -> Any:
        return self._runtime.app

    async def check_health(self) -> None:
        """Serve's health check."""
        self._runtime.check_health()

    async def __del__(self) -> None:
        await self._runtime.close()
