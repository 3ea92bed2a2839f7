"""The deployment ``Recorder`` of the application ``ingest``."""

from __future__ import annotations

from typing import Any

from memplane.bootstrap.recorder import RecorderRuntime


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
