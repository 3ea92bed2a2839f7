"""From a unit to what it writes, given what is stored and what the units before it write. No I/O."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memplane.application.write.group_state import GroupState
from memplane.application.write.outcomes import outcome_of, refusal
from memplane.application.write.stamps import Change, Stamp
from memplane.application.write.unit import WriteUnit
from memplane.application.write.versions import LATE_FACT, add_change, fact_change, forget_change, revision_change
from memplane.domain.commands import ForgetMemory
from memplane.domain.drafts import FactRemoval, MemoryDraft, Revision, Verdict
from memplane.domain.errors import NotFoundError
from memplane.domain.memory import Event, EventOutcome, Kind, Memory, Status, Visibility
from memplane.domain.results import ItemOutcome, OperationStatus, Receipt, ReceiptItem


@dataclass(slots=True, kw_only=True)
class UnitPlan:
    """What one unit writes. Nothing of it is the unit's own before it is written: a refused group is planned anew.

    ``receipt``: the answer of a unit without events.
    """

    unit: WriteUnit
    changes: list[Change]
    outcomes: list[EventOutcome]
    receipt: Receipt | None = None


def plan_unit(unit: WriteUnit, state: GroupState, stamp: Stamp) -> UnitPlan:
    """Plans one unit. Raises: NotFoundError, ForbiddenError (nothing is written), WriterMovedError."""
    if isinstance(unit.command, ForgetMemory):
        return _plan_forget(unit, unit.command, state, stamp)
    plan = UnitPlan(unit=unit, changes=[], outcomes=[])
    planner = _EventPlanner(unit=unit, state=state, stamp=stamp)
    for event in unit.open_events:
        changes, verdict = planner.plan(event)
        plan.changes += changes
        plan.outcomes.append(outcome_of(unit, event, verdict, verdict.memory_ids, now=stamp.now))
    return plan


@dataclass(frozen=True, slots=True, kw_only=True)
class _EventPlanner:
    """Makes of each event of a unit its changes, and the verdict that is to be told: the rules', or a refusal."""

    unit: WriteUnit
    state: GroupState
    stamp: Stamp

    def plan(self, event: Event) -> tuple[list[Change], Verdict]:
        verdict = self.unit.verdicts[event.event_id]
        if all(self.state.is_written(memory_id, event.event_id) for memory_id in verdict.memory_ids):
            return [], verdict
        if verdict.change is not None:
            return self._change(event, verdict, verdict.change)
        changes = [
            self.state.plan(self._draft(event, item))
            for item in verdict.drafts
            if not self.state.is_written(item.memory_id, event.event_id)
        ]
        if any(not change.is_current for change in changes):
            verdict = replace(verdict, reason=f"kept as history: {LATE_FACT}")
        return changes, verdict

    def _draft(self, event: Event, item: MemoryDraft) -> Change:
        if item.kind is not Kind.FACT:
            return add_change(self.unit, event, item, self.stamp)
        return fact_change(self.unit, event, item, self.state.current(self.unit, item.memory_id), self.stamp)

    def _change(self, event: Event, verdict: Verdict, wanted: FactRemoval | Revision) -> tuple[list[Change], Verdict]:
        current = self.state.current(self.unit, wanted.memory_id)
        if current is None or current.status is Status.FORGOTTEN or current.scope != event.scope:
            name = "fact" if isinstance(wanted, FactRemoval) else "memory"
            return [], refusal(f"there is no such {name}")
        if isinstance(wanted, FactRemoval):
            change = forget_change(self.unit, current, "deleted by caller", self.stamp, event=event)
        elif wanted.text is not None and current.kind is Kind.FACT:
            return [], refusal("the content of a fact follows from its value")
        else:
            change = revision_change(self.unit, event, wanted, current, self.stamp)
        return [self.state.plan(change)], verdict


def _plan_forget(unit: WriteUnit, command: ForgetMemory, state: GroupState, stamp: Stamp) -> UnitPlan:
    current = state.current(unit, command.memory_id)
    if current is None or current.status is Status.FORGOTTEN or not _may_see(current, unit):
        raise NotFoundError(f"no memory {command.memory_id!r}")
    unit.context.principal.require_user(current.scope.user_id)
    change = state.plan(forget_change(unit, current, command.reason, stamp))
    item = ReceiptItem(
        index=0,
        event_id=None,
        outcome=ItemOutcome.SUPERSEDED,
        memory_ids=(command.memory_id,),
        reason=f"forgotten: {command.reason}",
    )
    receipt = Receipt(operation_id=unit.operation_id, status=OperationStatus.COMPLETED, items=(item,))
    return UnitPlan(unit=unit, changes=[change], outcomes=[], receipt=receipt)


def _may_see(memory: Memory, unit: WriteUnit) -> bool:
    bound = unit.context.principal.agent_ids
    return memory.visibility is Visibility.SHARED or not bound or memory.agent_id in bound
