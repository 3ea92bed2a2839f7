"""A stored memory as resolve looks at it, and how the incoming statement stands to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memplane.domain.ids import EventId
from memplane.domain.memory import Memory, Status
from memplane.domain.resolve.contradiction import Comparison, Relation, adds_to, compare
from memplane.domain.resolve.temporal import MemoryTime
from memplane.domain.resolve.wording import content_units
from memplane.domain.statements import Statement
from memplane.domain.text import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A memory near an incoming statement: by vector, by keyword, or by slot; superseded ones of the slot too."""

    memory: Memory
    similarity: float | None = None
    """Cosine of the two summaries in the serving generation; None: unknown."""
    statement: Statement | None = None
    """The stored text, read again by today's rules; None: only its text is looked at."""
    received_at: datetime | None = None
    """When its event was received; None: ``memory.recorded_at``."""
    confirmed: tuple[MemoryTime, ...] = ()
    """Every later time at which it was said again (its touches). What is missing here cannot be split off later."""

    @property
    def times(self) -> tuple[MemoryTime, ...]:
        """The times at which it was said while it held, oldest first; the first is where it begins to hold."""
        times = self._told
        within = tuple(time for time in times if not self._after_end(time))
        return within or times[:1]

    @property
    def times_after_end(self) -> tuple[MemoryTime, ...]:
        """The times at which it was said after it had ended: they belong to a later interval, and its row."""
        return tuple(time for time in self._told[1:] if self._after_end(time))

    def _after_end(self, time: MemoryTime) -> bool:
        memory = self.memory
        return memory.status is Status.SUPERSEDED and memory.valid_to is not None and time.event_time >= memory.valid_to

    @property
    def _told(self) -> tuple[MemoryTime, ...]:
        memory = self.memory
        event_id = memory.source_event_ids[0] if memory.source_event_ids else EventId("")
        received_at = self.received_at or memory.recorded_at
        told = {memory.event_time, memory.valid_from}
        own = {MemoryTime(event_time=moment, received_at=received_at, event_id=event_id) for moment in told}
        return tuple(sorted(own | set(self.confirmed)))


def compare_statements(
    newer: str, older: str, *, newer_statement: Statement | None = None, older_statement: Statement | None = None
) -> Comparison:
    """How ``newer`` stands to ``older``: by their slots, where both have the same one; else by what the texts claim."""
    by_text = compare(newer, older)
    if newer_statement is None or older_statement is None or newer_statement.slot is None:
        return by_text
    if not _same_slot(newer_statement.slot, older_statement.slot) or by_text.relation is Relation.TENSION:
        return by_text
    by_slot = _by_slot(newer_statement, older_statement)
    return by_text if by_slot is None else by_slot


def _same_slot(one: str, other: str | None) -> bool:
    """Whether two slots are one; ``trip/*`` is any trip."""
    if other is None:
        return False
    any_of = next((slot.removesuffix("*") for slot in (one, other) if slot.endswith("/*")), None)
    return one == other if any_of is None else one.startswith(any_of) and other.startswith(any_of)


def _by_slot(newer: Statement, older: Statement) -> Comparison | None:
    slot = newer.slot or ""
    denies, denied = newer.polarity == "negative", older.polarity == "negative"
    if newer.value is None or older.value is None:
        if denies != denied or newer.change_words:
            return Comparison(relation=Relation.OPPOSITE, rule="slot_denied", slot=slot)
        return None
    same = _same_value(newer.value, older.value)
    if denies == denied:
        if same:
            return Comparison(relation=Relation.AGREE, rule="slot_value", slot=slot)
        if denies or adds_to(newer.text):
            return None
        return Comparison(relation=Relation.OTHER_VALUE, rule="slot_value", slot=slot)
    return Comparison(relation=Relation.OPPOSITE, rule="slot_denied", slot=slot) if same else None


def _same_value(one: str, other: str) -> bool:
    if fold(one) == fold(other):
        return True
    mine, theirs = set(content_units(one)), set(content_units(other))
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)
