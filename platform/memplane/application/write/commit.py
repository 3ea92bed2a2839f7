"""The second half of a group: resolve against what is stored, then one insert per table, the commit point among them.

Killed between any two lines, nothing is lost or doubled: before ``memories.commit`` nothing is visible and the sweep
drives the journaled events again; after it, the same sweep finds the stored memories and writes their outcomes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from memplane.application.write.chains import AuditChains
from memplane.application.write.control import control_audit, write_control
from memplane.application.write.group_state import GroupState
from memplane.application.write.index_feed import IndexFeed
from memplane.application.write.lease_keeper import LeaseKeeper
from memplane.application.write.outcomes import failed_outcome
from memplane.application.write.planning import UnitPlan, plan_unit
from memplane.application.write.ports import WriterPorts
from memplane.application.write.preparation import PreparedGroup
from memplane.application.write.retrying import send_until_known
from memplane.application.write.stamps import Stamp
from memplane.application.write.unit import WriteUnit
from memplane.application.write.written import RecentlyWritten
from memplane.domain.audit_chain import AuditRow
from memplane.domain.clock import VersionClock, truncate_to_millis
from memplane.domain.commands import ChangeControl
from memplane.domain.errors import MemplaneError, StoreRejectedError
from memplane.domain.memory import Kind, Memory
from memplane.ports.memory_store import VectorOfRecord


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
        self._recent = RecentlyWritten()

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
            written = (group.written, self._recent)
            state = await GroupState.read(self._ports.memories, units, written=written)
            plans = [plan for unit in units if (plan := await self._plan(unit, state)) is not None]
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

    async def _plan(self, unit: WriteUnit, state: GroupState) -> UnitPlan | None:
        try:
            return plan_unit(unit, state, await self._stamp(unit))
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

    async def _write(self, plans: Sequence[UnitPlan], group: PreparedGroup) -> None:
        changes = [change for plan in plans for change in plan.changes]
        control = [plan.unit for plan in plans if isinstance(plan.unit.command, ChangeControl)]
        linked = await self._chains.link(
            [
                *(change.audit for change in changes),
                *[row for unit in control for row in control_audit(unit, await self._stamp(unit))],
            ]
        )
        memories = _placed([change.memory for change in changes], linked)
        vectors = [vector for memory in memories if (vector := _vector(memory, group)) is not None]
        await asyncio.gather(
            send_until_known(lambda: self._ports.memories.put_vectors(vectors=vectors)), self._chains.store(linked)
        )
        if memories:
            await send_until_known(lambda: self._ports.memories.commit(versions=memories))
            self._recent.add(memories)
        await write_control(self._ports, control)
        outcomes = [outcome for plan in plans for outcome in plan.outcomes]
        await send_until_known(lambda: self._ports.events.record_outcomes(outcomes=outcomes))
        self._feed_index(plans, memories, group)

    def _feed_index(self, plans: Sequence[UnitPlan], memories: Sequence[Memory], group: PreparedGroup) -> None:
        """Hands on what became current. ``memories`` are those of the plans' changes, in order."""
        changes = [change for plan in plans for change in plan.changes]
        current = [memory for memory, change in zip(memories, changes, strict=True) if change.is_current]
        fed = {plan.unit for plan in plans if any(change.is_current for change in plan.changes)}
        self._feed.offer(current, group.generation, group.vectors, done=[unit.indexed for unit in fed])
        for plan in plans:
            if plan.unit not in fed:
                plan.unit.indexed.set()

    async def _refuse(self, unit: WriteUnit, error: StoreRejectedError) -> None:
        now = truncate_to_millis(self._ports.clock.now())
        dead = [failed_outcome(unit, event, error.message, now=now) for event in unit.events]
        if dead:
            await send_until_known(lambda: self._ports.events.record_outcomes(outcomes=dead))
            unit.outcomes.update({outcome.event_id: outcome for outcome in dead})
            unit.answer(unit.receipt())
        unit.fail(error)


def _placed(memories: Sequence[Memory], linked: Sequence[AuditRow]) -> list[Memory]:
    seqs = {(row.target, row.version): row.seq for row in linked}
    return [replace(memory, audit_seq=seqs[memory.memory_id, memory.version]) for memory in memories]


def _vector(memory: Memory, group: PreparedGroup) -> VectorOfRecord | None:
    """The vector of a new text. A fact has none, even where another memory of the group says the same."""
    if memory.kind is Kind.FACT or memory.summary_hash not in group.vectors:
        return None
    return VectorOfRecord(
        scope=memory.scope,
        generation=group.generation,
        memory_id=memory.memory_id,
        summary_hash=memory.summary_hash,
        vector=group.vectors[memory.summary_hash],
    )
