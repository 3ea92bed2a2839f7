"""A stored memory as resolve looks at it, and how the incoming statement stands to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memplane.domain.ids import EventId
from memplane.domain.memory import Memory, Status
from memplane.domain.resolve.contradiction import Comparison, Relation, compare
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
        """Every known time at which it was said, oldest first; the first is where it begins to hold."""
        memory = self.memory
        event_id = memory.source_event_ids[0] if memory.source_event_ids else EventId("")
        received_at = self.received_at or memory.recorded_at
        told = {memory.event_time, memory.valid_from}
        own = {MemoryTime(event_time=moment, received_at=received_at, event_id=event_id) for moment in told}
        # What was confirmed after the row had ended is another interval's, which has a row of its own.
        ended = memory.valid_to if memory.status is Status.SUPERSEDED else None
        confirmed = {time for time in self.confirmed if ended is None or time.event_time < ended}
        return tuple(sorted(own | confirmed))


def compare_statements(
    newer: str, older: str, *, newer_statement: Statement | None = None, older_statement: Statement | None = None
) -> Comparison:
    """How ``newer`` stands to ``older``: by their slots, where both have the same one; else by what the texts claim."""
    by_text = compare(newer, older)
    if newer_statement is None or older_statement is None or newer_statement.slot is None:
        return by_text
    if newer_statement.slot != older_statement.slot:
        return by_text
    by_slot = _by_slot(newer_statement, older_statement)
    return by_text if by_slot is None else by_slot


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
        return None if denies else Comparison(relation=Relation.OTHER_VALUE, rule="slot_value", slot=slot)
    return Comparison(relation=Relation.OPPOSITE, rule="slot_denied", slot=slot) if same else None


def _same_value(one: str, other: str) -> bool:
    if fold(one) == fold(other):
        return True
    mine, theirs = set(content_units(one)), set(content_units(other))
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)
