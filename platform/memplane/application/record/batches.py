"""A bounded queue that is emptied in batches, once per interval."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from memplane.domain.errors import MemplaneError

T = TypeVar("T")
logger = logging.getLogger(__name__)


class BoundedBatches(Generic[T]):
    """Takes items without waiting and sends them on in batches. What does not fit, or cannot be sent, is counted."""

    def __init__(
        self, name: str, send: Callable[[Sequence[T]], Awaitable[None]], *, capacity: int, interval_s: float
    ) -> None:
        self._name = name
        self._send = send
        self._capacity = capacity
        self._interval_s = interval_s
        self._items: deque[T] = deque()
        self.dropped = 0

    def offer(self, item: T) -> None:
        """Takes an item, or counts it as dropped."""
        if len(self._items) >= self._capacity:
            self.dropped += 1
            return
        self._items.append(item)

    def extend(self, items: Sequence[T]) -> None:
        """Takes several."""
        for item in items:
            self.offer(item)

    async def run(self) -> None:
        """Sends until cancelled."""
        while True:
            await asyncio.sleep(self._interval_s)
            await self.flush()

    async def flush(self) -> None:
        """Sends what waits. Losing it is survivable, so it is not sent twice: the loss is counted and logged."""
        if not self._items:
            return
        batch = list(self._items)
        self._items.clear()
        try:
            await self._send(batch)
        except MemplaneError as error:
            self.dropped += len(batch)
            logger.warning(
                "records_dropped",
                extra={"queue": self._name, "count": len(batch), "total": self.dropped, "reason": error.message},
            )
