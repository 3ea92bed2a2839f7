"""Loops beside a replica's requests. One that dies is reported by the replica's health check, which replaces the
replica.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from memplane.domain.errors import UnavailableError

logger = logging.getLogger(__name__)


class BackgroundLoops:
    """Named tasks that are meant to run for ever."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, loop: Coroutine[Any, Any, None]) -> None:
        """Starts a loop."""
        self._tasks.append(asyncio.create_task(loop, name=name))

    def check_health(self) -> None:
        """Raises: UnavailableError naming a loop that ended."""
        for task in self._tasks:
            if task.done():
                error = None if task.cancelled() else task.exception()
                logger.error("background_loop_died", extra={"loop": task.get_name()}, exc_info=error)
                raise UnavailableError(f"the background loop {task.get_name()!r} ended")

    async def close(self) -> None:
        """Cancels all and waits for them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
