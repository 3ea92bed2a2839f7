"""Which event has been written to which memory already: what makes driving an event again harmless."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence

from memplane.application.write.unit import WriteUnit
from memplane.domain.ids import EventId, MemoryId
from memplane.domain.memory import Event, Kind, Memory
from memplane.ports.memory_store import MemoryRef, MemoryStore

RECENT_PAIRS = 50_000
Written = tuple[MemoryId, EventId]


class RecentlyWritten:
    """The last pairs of this process: closes the gap between a retry's look-up and the commit of the group before."""

    def __init__(self) -> None:
        self._pairs: OrderedDict[Written, None] = OrderedDict()

    def __contains__(self, pair: object) -> bool:
        return pair in self._pairs

    def add(self, memories: Sequence[Memory]) -> None:
        """Notes committed versions."""
        for memory in memories:
            self._pairs.update(dict.fromkeys((memory.memory_id, event_id) for event_id in memory.source_event_ids))
        while len(self._pairs) > RECENT_PAIRS:
            self._pairs.popitem(last=False)


async def written_before(memories: MemoryStore, units: Sequence[WriteUnit]) -> frozenset[Written]:
    """Of the units' events that are stored already and still open: those whose memories hold them.

    A drafted memory is named by its event, so being there is enough, whatever became of it since. A fact's and a
    revised memory's versions tell their event: any of them may be the one.
    """
    events = [(unit, event) for unit in units for event in unit.open_events if event.event_id in unit.known_event_ids]
    drafted = {
        MemoryRef(tenant_id=unit.tenant_id, scope_tag=unit.scope_tag, memory_id=memory_id): event.event_id
        for unit, event in events
        for memory_id in _drafted_ids(unit, event)
    }
    found: set[Written] = set()
    if drafted:
        for memory in await memories.current(refs=list(drafted)):
            ref = MemoryRef(tenant_id=memory.scope.tenant_id, scope_tag=memory.scope.tag, memory_id=memory.memory_id)
            found.add((memory.memory_id, drafted[ref]))
    for unit, event in events:
        for memory_id in set(unit.verdicts[event.event_id].memory_ids) - set(_drafted_ids(unit, event)):
            versions = await memories.history(scope=event.scope, memory_id=memory_id)
            if any(event.event_id in version.source_event_ids for version in versions):
                found.add((memory_id, event.event_id))
    return frozenset(found)


def _drafted_ids(unit: WriteUnit, event: Event) -> Iterator[MemoryId]:
    return (item.memory_id for item in unit.verdicts[event.event_id].drafts if item.kind is not Kind.FACT)
