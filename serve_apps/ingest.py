"""The Serve application ``ingest``: the HTTP door of writes and reads by id; the Writers stand behind it."""

from __future__ import annotations

from typing import Any

from ray import serve

from memplane.bootstrap.ingest import IngestRuntime
from serve_apps.handles import embedder


@serve.ingress()
class Ingest:
    """FastAPI over the Writer."""

    async def __init__(self, writer: Any, recorder: Any) -> None:  # type: ignore[misc]
        del recorder  # bound here so that this application runs it; the Retrievers call it
        self._runtime = await IngestRuntime.start(writer=writer, embedder=embedder())

    def __serve_build_asgi_app__(self) -> Any:
        return self._runtime.app

    async def check_health(self) -> None:
        """Serve's health check."""
        self._runtime.check_health()

    async def __del__(self) -> None:
        await self._runtime.close()
