"""What the units of one group see while they are planned: the store, and what was planned before them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from memplane.application.write.retrying import send_until_known
from memplane.application.write.stamps import Change
from memplane.application.write.unit import WriteUnit
from memplane.application.write.written import Written
from memplane.domain.commands import ForgetMemory
from memplane.domain.ids import EventId, MemoryId
from memplane.domain.memory import Kind, Memory
from memplane.ports.memory_store import MemoryRef, MemoryStore


class GroupState:
    """Current versions as they will be after the changes planned so far. Nothing of it outlives the group."""

    def __init__(self, current: Sequence[Memory], *, written: Sequence[Container[Written]]) -> None:
        self._current = {_ref(memory): memory for memory in current}
        self._written = written
        self._planned: set[Written] = set()

    @classmethod
    async def read(
        cls, memories: MemoryStore, units: Sequence[WriteUnit], *, written: Sequence[Container[Written]]
    ) -> GroupState:
        """Reads the current versions of all that the units may change, at once. Raises: StoreUnavailableError."""
        refs = list(dict.fromkeys(ref for unit in units for ref in _targets(unit)))
        current = await send_until_known(lambda: memories.current(refs=refs)) if refs else []
        return cls(current, written=written)

    def current(self, unit: WriteUnit, memory_id: MemoryId) -> Memory | None:
        """The current version of a memory that one of the group's units names as its target."""
        return self._current.get(MemoryRef(tenant_id=unit.tenant_id, scope_tag=unit.scope_tag, memory_id=memory_id))

    def is_written(self, memory_id: MemoryId, event_id: EventId) -> bool:
        """Whether the event has had its effect on the memory, before or in this group."""
        pair = (memory_id, event_id)
        return pair in self._planned or any(pair in written for written in self._written)

    def plan(self, change: Change) -> Change:
        """Notes a change, for the units behind this one."""
        memory = change.memory
        if change.is_current:
            self._current[_ref(memory)] = memory
        self._planned.update((memory.memory_id, event_id) for event_id in memory.source_event_ids)
        return change


def _targets(unit: WriteUnit) -> Iterator[MemoryRef]:
    def ref(memory_id: MemoryId) -> MemoryRef:
        return MemoryRef(tenant_id=unit.tenant_id, scope_tag=unit.scope_tag, memory_id=memory_id)

    if isinstance(unit.command, ForgetMemory):
        yield ref(unit.command.memory_id)
    for event in unit.open_events:
        verdict = unit.verdicts[event.event_id]
        if verdict.change is not None:
            yield ref(verdict.change.memory_id)
        yield from (ref(item.memory_id) for item in verdict.drafts if item.kind is Kind.FACT)


def _ref(memory: Memory) -> MemoryRef:
    return MemoryRef(tenant_id=memory.scope.tenant_id, scope_tag=memory.scope.tag, memory_id=memory.memory_id)
