"""The Serve application ``retrieval``: the HTTP door of recall. Read-only."""

from __future__ import annotations

from typing import Any

from ray import serve

from memplane.bootstrap.retrieval import RetrievalRuntime
from serve_apps.handles import embedder, recorder


@serve.ingress()
class Retriever:
    """FastAPI over the stores; the embedder by handle."""

    async def __init__(self) -> None:  # type: ignore[misc]
        self._runtime = await RetrievalRuntime.start(embedder=embedder(), recorder=recorder())

    def __serve_build_asgi_app__(self) -> Any:
        return self._runtime.app

    async def check_health(self) -> None:
        """Serve's health check."""
        self._runtime.check_health()

    async def __del__(self) -> None:
        await self._runtime.close()
