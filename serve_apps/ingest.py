"""The Serve application ``ingest``: the HTTP door of writes and reads by id, and the Writers behind it."""

from __future__ import annotations

from typing import Any

from ray import serve

from memplane.bootstrap import IngestRuntime, RecorderRuntime, WriterRuntime
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


class Recorder:
    """Writes what reads leave behind, off their path."""

    async def __init__(self) -> None:  # type: ignore[misc]
        self._runtime = await RecorderRuntime.start()

    async def record(self, records: Any) -> None:
        """Takes a batch."""
        self._runtime.record(records)

    async def check_health(self) -> None:
        """Serve's health check."""
        self._runtime.check_health()

    async def __del__(self) -> None:
        await self._runtime.close()


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
