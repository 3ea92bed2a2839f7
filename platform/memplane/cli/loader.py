"""Sends batches of turns to a running platform: several at a time, each again until it is answered."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from memplane.cli.formats import ConversationBatch
from memplane.client import (
    AsyncMemoryClient,
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    Receipt,
    RetryPolicy,
)

PATIENCE_S = 150.0
"""A batch is repeated for so long, which is longer than a restart of the whole platform takes."""
PENDING_PATIENCE_S = 60.0
PENDING_POLL_S = 0.5

PATIENT = RetryPolicy(
    attempts=1_000, first_wait_s=0.2, longest_wait_s=3.0, attempt_timeout_s=45.0, through_restart=True
)


@dataclass(slots=True, kw_only=True)
class LoadReport:
    """Counts of one load. Every turn that was sent is in exactly one of ``outcomes``."""

    turns: int = 0
    requests: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)
    """Why requests were refused, the first few."""

    def add(self, receipt: Receipt) -> None:
        """Counts the items of a final receipt."""
        self.outcomes.update(item["outcome"] for item in receipt["items"])

    @property
    def lost(self) -> int:
        """Turns that the platform does not have."""
        return self.outcomes["refused"] + self.outcomes["failed"]


class BatchLoader:
    """Loads batches through one client. ``advanced`` is called with the number of turns that got their outcome."""

    def __init__(self, client: AsyncMemoryClient, *, in_flight: int, advanced: Callable[[int], None]) -> None:
        self._client = client
        self._in_flight = in_flight
        self._advanced = advanced
        self._report = LoadReport()
        self._pending: list[Receipt] = []

    async def load(self, batches: Iterable[ConversationBatch]) -> LoadReport:
        """Sends all batches, at most ``in_flight`` at a time, and waits until pending writes have their outcome.

        A refused batch is counted and the rest goes on. Raises: ClientError when the platform stays away or refuses the
        key; FormatError from ``batches``.
        """
        source = iter(batches)
        async with asyncio.TaskGroup() as group:
            for _ in range(self._in_flight):
                group.create_task(self._work(source))
        await self._settle()
        return self._report

    async def _work(self, source: Iterator[ConversationBatch]) -> None:
        for batch in source:
            await self._send(batch)

    async def _send(self, batch: ConversationBatch) -> None:
        report = self._report
        report.requests += 1
        report.turns += len(batch.messages)
        try:
            receipt = await self._client.add_events(
                batch.user_id,
                batch.messages,
                session_id=batch.session_id,
                idempotency_key=batch.idempotency_key,
                timeout_s=PATIENCE_S,
            )
        except AuthenticationError:
            raise
        except (InvalidRequestError, ConflictError) as error:
            report.outcomes["refused"] += len(batch.messages)
            if len(report.refusals) < 5:
                fields = "; ".join(f"{field.get('path')}: {field.get('message')}" for field in error.errors[:3])
                report.refusals.append(f"{batch.user_id}/{batch.session_id}: {error} {fields}".strip())
            self._advanced(len(batch.messages))
        else:
            self._count(receipt)

    def _count(self, receipt: Receipt) -> None:
        """Counts a final receipt; keeps another for later."""
        if receipt["status"] == "completed":
            self._report.add(receipt)
            self._advanced(len(receipt["items"]))
        else:
            self._pending.append(receipt)

    async def _settle(self) -> None:
        """Asks for the outcome of pending writes until each is final, or patience is at its end."""
        until = asyncio.get_running_loop().time() + PENDING_PATIENCE_S
        while self._pending and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(PENDING_POLL_S)
            waiting, self._pending = self._pending, []
            for receipt in waiting:
                self._count(await self._current(receipt))
        for receipt in self._pending:
            self._report.add(receipt)

    async def _current(self, receipt: Receipt) -> Receipt:
        try:
            return await self._client.operation(receipt["operation_id"], timeout_s=PATIENCE_S)
        except NotFoundError:
            return receipt
