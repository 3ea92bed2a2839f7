"""Writes what reads leave behind: the recall log and the counts of use, one insert per table and second."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from memplane.application.record.batches import BoundedBatches
from memplane.domain.recall_record import RecallRecord
from memplane.ports.recall_log import RecallLog

CAPACITY = 20_000
INTERVAL_S = 1.0


class Recorder:
    """One per platform. :meth:`run` must be running."""

    def __init__(self, log: RecallLog, *, interval_s: float = INTERVAL_S) -> None:
        self._log = log
        self._batches: BoundedBatches[RecallRecord] = BoundedBatches(
            "recorder", self._write, capacity=CAPACITY, interval_s=interval_s
        )

    @property
    def dropped(self) -> int:
        """Records that were lost so far."""
        return self._batches.dropped

    def record(self, records: Sequence[RecallRecord]) -> None:
        """Takes records; never waits."""
        self._batches.extend(records)

    async def run(self) -> None:
        """Writes until cancelled."""
        await self._batches.run()

    async def close(self) -> None:
        """Writes what waits."""
        await self._batches.flush()

    async def _write(self, records: Sequence[RecallRecord]) -> None:
        results = await asyncio.gather(
            self._log.append(records=records), self._log.count_uses(records=records), return_exceptions=True
        )
        for result in results:
            if isinstance(result, BaseException):
                raise result
