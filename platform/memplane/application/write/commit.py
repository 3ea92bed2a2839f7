"""The second half of a group: resolve against what is stored, then one insert per table in the order of design §6.8.

Killed between any two lines, nothing is lost or doubled: before ``memories.commit`` nothing is visible and the sweep
drives the journaled events again; after it, the same sweep finds the stored memories and writes their outcomes.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memplane.application.write.chains import AuditChains
from memplane.application.write.index_feed import IndexFeed
from memplane.application.write.lease_keeper import LeaseKeeper
from memplane.application.write.ports import WriterPorts
from memplane.application.write.preparation import PreparedGroup
from memplane.application.write.retrying import send_until_known
from memplane.application.write.unit import WriteUnit
from memplane.application.write.versions import (
    Change,
    Stamp,
    add_change,
    control_audit,
    failed_outcome,
    forget_change,
    outcome_of,
)
from memplane.domain.audit_chain import AuditRow
from memplane.domain.clock import VersionClock, truncate_to_millis
from memplane.domain.commands import ChangeControl, ForgetMemory
from memplane.domain.errors import MemplaneError, NotFoundError, StoreRejectedError
from memplane.domain.ids import MemoryId
from memplane.domain.memory import EventOutcome, Memory, Status, Visibility
from memplane.domain.results import ItemOutcome, OperationStatus, Receipt, ReceiptItem
from memplane.ports.memory_store import MemoryRef, VectorOfRecord

RECENT_MEMORIES = 50_000


@dataclass(slots=True, kw_only=True)
class UnitPlan:
    """What one unit writes. Nothing of it is the unit's own before it is written: a refused group is planned anew.

    ``receipt``: the answer of a unit without events.
    """

    unit: WriteUnit
    changes: list[Change]
    outcomes: list[EventOutcome]
    receipt: Receipt | None = None


class Commit:
    """Commits one group at a time."""

    def __init__(
        self, ports: WriterPorts, *, clock: VersionClock, leases: LeaseKeeper, chains: AuditChains, feed: IndexFeed
    ) -> None:
        self._ports = ports
        self._version_clock = clock
        self._leases = leases
        self._chains = chains
        self._feed = feed
        self._recent: OrderedDict[MemoryId, None] = OrderedDict()

    async def commit(self, group: PreparedGroup) -> None:
        """Commits and answers every unit of the group. A unit that is refused fails alone; the rest commits.

        Raises: UnavailableError when a store is away: units without an answer are journaled, and the sweep drives
        them again.
        """
        await self._commit_units(list(group.units), group)

    async def _commit_units(self, units: list[WriteUnit], group: PreparedGroup) -> None:
        with self._ports.tracer.span(
            "commit", traceparent=units[0].context.traceparent, attributes={"memplane.units": len(units)}
        ):
            claimed: set[MemoryId] = set()
            plans = [plan for unit in units if (plan := await self._plan(unit, group, claimed)) is not None]
            try:
                await self._write(plans, group)
            except StoreRejectedError as error:
                if len(units) > 1:
                    middle = len(units) // 2
                    await self._commit_units(units[:middle], group)
                    await self._commit_units(units[middle:], group)
                else:
                    await self._refuse(units[0], error)
                return
        for plan in plans:
            plan.unit.outcomes.update({outcome.event_id: outcome for outcome in plan.outcomes})
            plan.unit.answer(plan.receipt or plan.unit.receipt())

    async def _plan(self, unit: WriteUnit, group: PreparedGroup, claimed: set[MemoryId]) -> UnitPlan | None:
        try:
            stamp = await self._stamp(unit)
            if isinstance(unit.command, ForgetMemory):
                return await self._plan_forget(unit, unit.command, stamp, claimed)
            if isinstance(unit.command, ChangeControl):
                return UnitPlan(unit=unit, changes=[], outcomes=[])
            return self._plan_events(unit, group, stamp, claimed)
        except MemplaneError as error:
            unit.fail(error)
            return None

    async def _stamp(self, unit: WriteUnit) -> Stamp:
        tenant = self._ports.view.current().tenant(unit.tenant_id)
        return Stamp(
            now=truncate_to_millis(self._ports.clock.now()),
            clock=self._version_clock,
            lease=await self._leases.hold(unit.shard),
            secret=tenant.secret if tenant else b"",
        )

    def _plan_events(self, unit: WriteUnit, group: PreparedGroup, stamp: Stamp, claimed: set[MemoryId]) -> UnitPlan:
        changes: list[Change] = []
        outcomes: list[EventOutcome] = []
        for event in unit.open_events:
            verdict = unit.verdicts[event.event_id]
            for item in verdict.drafts:
                if not (
                    item.memory_id in group.existing or item.memory_id in self._recent or item.memory_id in claimed
                ):
                    changes.append(add_change(unit, event, item, stamp))
                    claimed.add(item.memory_id)
            memory_ids = [item.memory_id for item in verdict.drafts]
            outcomes.append(outcome_of(unit, event, verdict, memory_ids, now=stamp.now))
        return UnitPlan(unit=unit, changes=changes, outcomes=outcomes)

    async def _plan_forget(
        self, unit: WriteUnit, command: ForgetMemory, stamp: Stamp, claimed: set[MemoryId]
    ) -> UnitPlan:
        ref = MemoryRef(tenant_id=unit.tenant_id, scope_tag=unit.scope_tag, memory_id=command.memory_id)
        found = await self._ports.memories.current(refs=[ref])
        principal = unit.context.principal
        gone = not found or found[0].status is Status.FORGOTTEN or command.memory_id in claimed
        if gone or not _may_see(found[0], unit):
            raise NotFoundError(f"no memory {command.memory_id!r}")
        principal.require_user(found[0].scope.user_id)
        claimed.add(command.memory_id)
        change = forget_change(unit, found[0], command.reason, stamp)
        item = ReceiptItem(
            index=0,
            event_id=None,
            outcome=ItemOutcome.SUPERSEDED,
            memory_ids=(command.memory_id,),
            reason=f"forgotten: {command.reason}",
        )
        receipt = Receipt(operation_id=unit.operation_id, status=OperationStatus.COMPLETED, items=(item,))
        return UnitPlan(unit=unit, changes=[change], outcomes=[], receipt=receipt)

    async def _write(self, plans: Sequence[UnitPlan], group: PreparedGroup) -> None:
        changes = [change for plan in plans for change in plan.changes]
        control = [plan.unit for plan in plans if isinstance(plan.unit.command, ChangeControl)]
        linked = await self._chains.link(
            [
                *(change.audit for change in changes),
                *[row for unit in control for row in await self._control_rows(unit)],
            ]
        )
        memories = _placed([change.memory for change in changes], linked)
        vectors = [_vector(memory, group) for memory in memories if memory.summary_hash in group.vectors]
        await asyncio.gather(
            send_until_known(lambda: self._ports.memories.put_vectors(vectors=vectors)), self._chains.store(linked)
        )
        if memories:
            await send_until_known(lambda: self._ports.memories.commit(versions=memories))
            self._remember(memories)
        await self._write_control(control)
        outcomes = [outcome for plan in plans for outcome in plan.outcomes]
        await send_until_known(lambda: self._ports.events.record_outcomes(outcomes=outcomes))
        self._feed.offer(
            memories, group.generation, group.vectors, done=[plan.unit.indexed for plan in plans if plan.changes]
        )
        for plan in plans:
            if not plan.changes:
                plan.unit.indexed.set()

    async def _control_rows(self, unit: WriteUnit) -> list[AuditRow]:
        command = unit.command
        if not isinstance(command, ChangeControl):
            return []
        stamp = await self._stamp(unit)
        targets = [tenant.tenant_id for tenant in command.tenants] + [key.key_id for key in command.api_keys]
        return [control_audit(unit, action=command.action, target=target, stamp=stamp) for target in targets]

    async def _write_control(self, units: Sequence[WriteUnit]) -> None:
        commands = [unit.command for unit in units if isinstance(unit.command, ChangeControl)]
        tenants = [tenant for command in commands for tenant in command.tenants]
        api_keys = [key for command in commands for key in command.api_keys]
        if tenants:
            await send_until_known(lambda: self._ports.control.put_tenants(tenants=tenants))
        if api_keys:
            await send_until_known(lambda: self._ports.control.put_api_keys(api_keys=api_keys))
        if commands:
            await self._ports.view.refresh()

    async def _refuse(self, unit: WriteUnit, error: StoreRejectedError) -> None:
        now = truncate_to_millis(self._ports.clock.now())
        dead = [failed_outcome(unit, event, error.message, now=now) for event in unit.events]
        if dead:
            await send_until_known(lambda: self._ports.events.record_outcomes(outcomes=dead))
            unit.outcomes.update({outcome.event_id: outcome for outcome in dead})
            unit.answer(unit.receipt())
        unit.fail(error)

    def _remember(self, memories: Sequence[Memory]) -> None:
        """Closes the gap between a retry's look-up and the commit of the group before it."""
        self._recent.update(dict.fromkeys(memory.memory_id for memory in memories))
        while len(self._recent) > RECENT_MEMORIES:
            self._recent.popitem(last=False)


def _may_see(memory: Memory, unit: WriteUnit) -> bool:
    bound = unit.context.principal.agent_ids
    return memory.visibility is Visibility.SHARED or not bound or memory.agent_id in bound


def _placed(memories: Sequence[Memory], linked: Sequence[AuditRow]) -> list[Memory]:
    seqs = {(row.target, row.version): row.seq for row in linked}
    return [replace(memory, audit_seq=seqs[memory.memory_id, memory.version]) for memory in memories]


def _vector(memory: Memory, group: PreparedGroup) -> VectorOfRecord:
    return VectorOfRecord(
        scope=memory.scope,
        generation=group.generation,
        memory_id=memory.memory_id,
        summary_hash=memory.summary_hash,
        vector=group.vectors[memory.summary_hash],
    )
