"""What became of events, as rows. No I/O."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from memplane.application.write.unit import WriteUnit
from memplane.domain.drafts import Verdict
from memplane.domain.ids import MemoryId
from memplane.domain.memory import FINAL_ATTEMPT_BIT, Event, EventOutcome, EventState
from memplane.domain.results import ItemOutcome


def outcome_of(
    unit: WriteUnit, event: Event, verdict: Verdict, memory_ids: Collection[MemoryId], *, now: datetime
) -> EventOutcome:
    """The final outcome of an event."""
    return EventOutcome(
        scope=event.scope,
        event_id=event.event_id,
        operation_id=unit.operation_id,
        attempt_version=FINAL_ATTEMPT_BIT,
        state=verdict.state,
        item_outcome=verdict.item_outcome.value,
        recorded_at=now,
        reason=verdict.reason,
        memory_ids=tuple(memory_ids),
    )


def refusal(reason: str) -> Verdict:
    """The verdict on a change whose target is not there (any more)."""
    return Verdict(state=EventState.REJECTED, item_outcome=ItemOutcome.REJECTED, reason=reason)


def failed_outcome(unit: WriteUnit, event: Event, reason: str, *, now: datetime) -> EventOutcome:
    """The outcome of an event whose content a store refuses: dead, since sending it again would be refused again."""
    return EventOutcome(
        scope=event.scope,
        event_id=event.event_id,
        operation_id=unit.operation_id,
        attempt_version=1,
        state=EventState.DEAD,
        item_outcome="failed",
        recorded_at=now,
        reason=reason[:500],
    )
