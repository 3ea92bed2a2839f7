"""Group commit: many scopes at once, each in order, one insert per table.

Two stages run side by side, each one group at a time: preparation (repeats, journal, embedding) of group n+1 overlaps
the commit of group n. A scope's writes stay in order because groups are first in, first out.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memplane.application.write.commit import Commit
from memplane.application.write.events import events_of
from memplane.application.write.lease_keeper import LeaseKeeper
from memplane.application.write.ports import WriterPorts
from memplane.application.write.preparation import Preparation, PreparedGroup
from memplane.application.write.unit import RedriveEvents, WriteUnit
from memplane.domain.clock import VersionClock
from memplane.domain.commands import ChangeControl, EventCommand, ForgetMemory, IngestEvents, Wait, WriteCommand
from memplane.domain.context import CallContext
from memplane.domain.errors import (
    IdempotencyConflictError,
    MemplaneError,
    NotFoundError,
    OverloadedError,
    UnavailableError,
)
from memplane.domain.ids import (
    EventId,
    OperationId,
    ScopeTag,
    derive_operation_id,
    draw_operation_id,
    draw_operation_id_for_tag,
    shard_of,
    tag_of,
)
from memplane.domain.memory import Event
from memplane.domain.results import OperationStatus, Receipt

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterLimits:
    """Bounds of one Writer. Times in seconds."""

    group_wait_s: float = 0.003
    group_max_items: int = 256
    max_queued_items: int = 8_000
    wait_deadline_s: float = 10.0


class GroupWriter:
    """Takes commands, answers receipts. :meth:`run` must be running."""

    def __init__(
        self,
        ports: WriterPorts,
        *,
        version_clock: VersionClock,
        leases: LeaseKeeper,
        commit: Commit,
        limits: WriterLimits,
    ) -> None:
        self._ports = ports
        self._version_clock = version_clock
        self._leases = leases
        self._preparation = Preparation(ports)
        self._commit = commit
        self._limits = limits
        self._queue: deque[WriteUnit] = deque()
        self._queued_items = 0
        self._arrived = asyncio.Event()
        self._prepared: asyncio.Queue[PreparedGroup] = asyncio.Queue(1)
        self._in_flight: dict[OperationId, WriteUnit] = {}
        self._events_in_flight: set[EventId] = set()
        self._broken: BaseException | None = None

    @property
    def queued_items(self) -> int:
        """Items that wait or are worked on."""
        return self._queued_items

    async def submit(self, command: WriteCommand, context: CallContext) -> Receipt:
        """Carries out a command as far as it asks to be waited for.

        Returns: the receipt, ``pending`` when the wait's deadline passed after the events were made durable. Raises:
        OverloadedError, WriterMovedError, UnavailableError (nothing acknowledged), IdempotencyConflictError,
        NotFoundError.
        """
        self._check_health()
        operation_id = _operation_id(command)
        first = self._in_flight.get(operation_id)
        if first is not None:
            return await self._join(first, command, context)
        unit = await self._admit(command, context, operation_id)
        return await self._wait(unit, context, _wait_of(command))

    async def redrive(self, events: Sequence[Event], context: CallContext) -> int:
        """Drives stored events of one scope again, skipping those in flight. Returns: how many got their outcome."""
        by_operation: dict[OperationId, list[Event]] = {}
        for event in events:
            if event.event_id not in self._events_in_flight:
                by_operation.setdefault(event.operation_id, []).append(event)
        units = []
        for operation_id, members in by_operation.items():
            if operation_id in self._in_flight:
                continue
            scope = members[0].scope
            unit = WriteUnit(
                command=RedriveEvents(),
                context=context,
                tenant_id=scope.tenant_id,
                scope_tag=scope.tag,
                shard=scope.shard,
                operation_id=operation_id,
                events=tuple(sorted(members, key=lambda event: event.item_index)),
            )
            await self._leases.hold(unit.shard)
            self._enqueue(unit)
            units.append(unit)
        answers = await asyncio.gather(*(unit.answered for unit in units), return_exceptions=True)
        return sum(
            len(unit.events)
            for unit, answer in zip(units, answers, strict=True)
            if not isinstance(answer, BaseException)
        )

    async def run(self) -> None:
        """Works until cancelled. A stage that dies fails everyone who waits, and every later call."""
        try:
            async with asyncio.TaskGroup() as stages:
                stages.create_task(self._prepare_groups())
                stages.create_task(self._commit_groups())
        except BaseException as error:
            self._broken = error
            for unit in list(self._in_flight.values()):
                unit.fail(UnavailableError("the writer stopped", retry_after_s=1.0))
            raise

    def _check_health(self) -> None:
        if self._broken is not None:
            raise UnavailableError("the writer stopped and is being replaced", retry_after_s=2.0)

    def check_health(self) -> None:
        """Raises: UnavailableError when a stage has died."""
        self._check_health()

    async def _admit(self, command: WriteCommand, context: CallContext, operation_id: OperationId) -> WriteUnit:
        weight = len(command.turns) if isinstance(command, IngestEvents) else 1
        if self._queued_items + weight > self._limits.max_queued_items:
            raise OverloadedError("the writer's queue is full; nothing was written", retry_after_s=1.0)
        tag = _tag(command)
        unit = WriteUnit(
            command=command,
            context=context,
            tenant_id=context.principal.tenant_id if isinstance(command, ForgetMemory) else command.scope.tenant_id,
            scope_tag=tag,
            shard=shard_of(tag),
            operation_id=operation_id,
        )
        self._in_flight[operation_id] = unit  # before the first await, so that parallel retries join
        try:
            lease = await self._leases.hold(unit.shard)
            if isinstance(command, EventCommand):
                unit.events = events_of(
                    command,
                    operation_id=operation_id,
                    lease=lease,
                    clock=self._version_clock,
                    now=self._ports.clock.now(),
                )
        except BaseException as error:
            del self._in_flight[operation_id]
            unit.fail(error)
            raise
        self._enqueue(unit)
        return unit

    def _enqueue(self, unit: WriteUnit) -> None:
        self._in_flight[unit.operation_id] = unit
        self._events_in_flight.update(event.event_id for event in unit.events)
        self._queued_items += unit.weight
        unit.answered.add_done_callback(lambda _: self._left(unit))
        self._queue.append(unit)
        self._arrived.set()

    def _left(self, unit: WriteUnit) -> None:
        self._in_flight.pop(unit.operation_id, None)
        self._events_in_flight.difference_update(event.event_id for event in unit.events)
        self._queued_items -= unit.weight

    async def _join(self, first: WriteUnit, command: WriteCommand, context: CallContext) -> Receipt:
        """A parallel retry: waits for the first and answers the same."""
        sent = command.idempotency if isinstance(command, EventCommand) else None
        if sent is not None and first.idempotency is not None and sent.body_hash != first.idempotency.body_hash:
            raise IdempotencyConflictError("this Idempotency-Key is being used with another body")
        receipt = await self._wait(first, context, _wait_of(command))
        return Receipt(operation_id=receipt.operation_id, status=receipt.status, items=receipt.items, replayed=True)

    async def _wait(self, unit: WriteUnit, context: CallContext, wait: Wait) -> Receipt:
        """Waits as far as this caller asks, which may be further than the one whose unit it joined."""
        budget_s = context.remaining_s(at_most_s=self._limits.wait_deadline_s)
        try:
            async with asyncio.timeout(budget_s):
                if wait is Wait.NONE:
                    return await self._first_of_journaled_or_answered(unit)
                receipt = await asyncio.shield(unit.answered)
                if wait is Wait.INDEXED:
                    await unit.indexed.wait()
                return receipt
        except TimeoutError:
            if unit.answered.done() and not unit.answered.exception():
                return _as_pending(unit.answered.result())
            if unit.journaled.is_set() and unit.events:
                return unit.pending_receipt()
            raise UnavailableError("the write was not durable in time", retry_after_s=1.0) from None
        except UnavailableError:
            if unit.journaled.is_set() and unit.events:
                return unit.pending_receipt()
            raise

    @staticmethod
    async def _first_of_journaled_or_answered(unit: WriteUnit) -> Receipt:
        journaled = asyncio.ensure_future(unit.journaled.wait())
        either: set[asyncio.Future[Any]] = {journaled, unit.answered}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            journaled.cancel()
        return unit.answered.result() if unit.answered.done() else unit.pending_receipt()

    async def _prepare_groups(self) -> None:
        while True:
            units = await self._collect()
            started = time.monotonic()
            try:
                prepared = await self._preparation.prepare(units)
            except MemplaneError as error:
                logger.warning("group_not_prepared", extra={"reason": error.message, "units": len(units)})
                self._fail_open(units, error)
                continue
            logger.debug("group_prepared", extra={"units": len(units), "seconds": time.monotonic() - started})
            if prepared is not None:
                await self._prepared.put(prepared)

    async def _commit_groups(self) -> None:
        while True:
            group = await self._prepared.get()
            try:
                await self._commit.commit(group)
            except MemplaneError as error:
                logger.warning("group_not_committed", extra={"reason": error.message, "units": len(group.units)})
                self._fail_open(group.units, error)

    async def _collect(self) -> list[WriteUnit]:
        """The next group: whatever waits; a single write waits a few milliseconds for company."""
        while not self._queue:
            self._arrived.clear()
            await self._arrived.wait()
        if len(self._queue) == 1 and self._limits.group_wait_s > 0:
            await asyncio.sleep(self._limits.group_wait_s)
        units: list[WriteUnit] = []
        items = 0
        while self._queue and (not units or items + self._queue[0].weight <= self._limits.group_max_items):
            unit = self._queue.popleft()
            items += unit.weight
            units.append(unit)
        return units

    @staticmethod
    def _fail_open(units: Sequence[WriteUnit], error: MemplaneError) -> None:
        for unit in units:
            unit.fail(error)


def _wait_of(command: WriteCommand) -> Wait:
    return command.wait if isinstance(command, EventCommand) else Wait.COMMITTED


def _tag(command: WriteCommand) -> ScopeTag:
    if isinstance(command, ForgetMemory):
        tag = tag_of(command.memory_id)
        if tag is None:
            raise NotFoundError(f"no memory {command.memory_id[:128]!r}")
        return tag
    return command.scope.tag


def _operation_id(command: WriteCommand) -> OperationId:
    if isinstance(command, ForgetMemory):
        return draw_operation_id_for_tag(_tag(command))
    if isinstance(command, ChangeControl) or command.idempotency is None:
        return draw_operation_id(command.scope)
    return derive_operation_id(command.scope, route=command.route, idempotency_key=command.idempotency.key)


def _as_pending(receipt: Receipt) -> Receipt:
    return Receipt(operation_id=receipt.operation_id, status=OperationStatus.PENDING, items=receipt.items)
