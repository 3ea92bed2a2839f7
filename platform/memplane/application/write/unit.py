"""One write on its way through the Writer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from memplane.domain.commands import DeleteFact, EventCommand, Idempotency, ReviseMemory, WriteCommand
from memplane.domain.context import CallContext
from memplane.domain.drafts import Verdict
from memplane.domain.errors import NotFoundError
from memplane.domain.ids import EventId, OperationId, ScopeTag, TenantId
from memplane.domain.memory import Event, EventOutcome
from memplane.domain.results import ItemOutcome, OperationStatus, Receipt, ReceiptItem


@dataclass(frozen=True, slots=True, kw_only=True)
class RedriveEvents:
    """Stored events of one operation that have no final outcome yet: the sweep's command to its own Writer."""

    route: str = "sweep"


UnitCommand = WriteCommand | RedriveEvents


@dataclass(slots=True, eq=False, kw_only=True)
class WriteUnit:
    """A command with its state. Stages fill it in; ``answered`` ends it.

    ``is_repeat``: its keyed operation is stored already. ``journaled`` is set once the events are durable: from then
    on the write cannot be lost, only late.
    """

    command: UnitCommand
    context: CallContext
    tenant_id: TenantId
    scope_tag: ScopeTag
    shard: int
    operation_id: OperationId
    events: tuple[Event, ...] = ()
    is_repeat: bool = False
    known_event_ids: frozenset[EventId] = frozenset()
    outcomes: dict[EventId, EventOutcome] = field(default_factory=dict)
    verdicts: dict[EventId, Verdict] = field(default_factory=dict)
    answered: asyncio.Future[Receipt] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    journaled: asyncio.Event = field(default_factory=asyncio.Event)
    indexed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def idempotency(self) -> Idempotency | None:
        """The caller's key, if one came."""
        return self.command.idempotency if isinstance(self.command, EventCommand) else None

    @property
    def open_events(self) -> tuple[Event, ...]:
        """The events that still need an outcome."""
        return tuple(event for event in self.events if event.event_id not in self.outcomes)

    @property
    def weight(self) -> int:
        """What the unit counts in queues: its events, at least one."""
        return max(1, len(self.events))

    def pending_receipt(self) -> Receipt:
        """The answer before the outcomes are known."""
        return self.receipt(status=OperationStatus.PENDING)

    def receipt(self, *, status: OperationStatus = OperationStatus.COMPLETED) -> Receipt:
        """The answer from the outcomes known so far."""
        return Receipt(
            operation_id=self.operation_id, status=status, items=tuple(self._item(event) for event in self.events)
        )

    def answer(self, receipt: Receipt) -> None:
        """Ends the unit with an answer, unless it has ended. A change whose one target is not there ends as NotFound,
        the first time and on every repeat.
        """
        if isinstance(self.command, DeleteFact | ReviseMemory):
            refused = [item for item in receipt.items if item.outcome is ItemOutcome.REJECTED]
            if refused:
                self.fail(NotFoundError(refused[0].reason or "there is no such thing"))
        if not self.answered.done():
            self.answered.set_result(receipt)

    def fail(self, error: BaseException) -> None:
        """Ends the unit with an error, unless it has ended."""
        if not self.answered.done():
            self.answered.set_exception(error)
            self.answered.exception()  # nobody may be waiting any more; the error was counted where it arose

    def _item(self, event: Event) -> ReceiptItem:
        outcome = self.outcomes.get(event.event_id)
        if outcome is None:
            return ReceiptItem(index=event.item_index, event_id=event.event_id, outcome=ItemOutcome.PENDING)
        return ReceiptItem(
            index=event.item_index,
            event_id=event.event_id,
            outcome=ItemOutcome(outcome.item_outcome),
            memory_ids=outcome.memory_ids,
            reason=outcome.reason,
        )
