"""The deployment ``Writer`` of the application ``ingest``."""

from __future__ import annotations

from typing import Any

from memplane.bootstrap.writer import WriterRuntime
from serve_apps.handles import embedder


class Writer:
    """Writes the shards that it holds the leases of."""

    async def __init__(self) -> None:  # type: ignore[misc]
        self._runtime = await WriterRuntime.start(embedder=embedder())

    async def submit(self, command: Any, context: Any) -> Any:
        """Carries out one command."""
        return await self._runtime.submit(command, context)

    async def ping(self) -> None:
        """Raises when the Writer does not work."""
        self._runtime.check_health()

    async def check_health(self) -> None:
        """Serve's health check."""
        self._runtime.check_health()

    async def __del__(self) -> None:
        await self._runtime.close()
