"""Where recalls are logged and uses are counted, off every request's path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memplane.domain.recall_record import RecallRecord


class RecallLog(Protocol):
    """Raises, every method: StoreUnavailableError, StoreRejectedError. What was in flight may or may not be stored."""

    async def append(self, *, records: Sequence[RecallRecord]) -> None:
        """Logs recalls in one insert. Empty input does nothing."""

    async def count_uses(self, *, records: Sequence[RecallRecord]) -> None:
        """Adds one recall to each memory that each record answered with, in one insert."""


class RecallRecorder(Protocol):
    """The reader's end: takes records, never waits, never fails."""

    def offer(self, record: RecallRecord) -> None:
        """Takes a record; when the queue is full it is dropped and counted."""
