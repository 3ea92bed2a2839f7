"""The statement beside one neighbour: all that the rules ask about the two."""

from __future__ import annotations

from dataclasses import dataclass

from memplane.domain.memory import Memory, Status
from memplane.domain.resolve.contradiction import UNRELATED, Comparison, Relation
from memplane.domain.resolve.duplicates import Sameness, sameness
from memplane.domain.resolve.neighbours import Neighbour, compare_statements
from memplane.domain.resolve.slot_changes import CONFLICTS
from memplane.domain.resolve.temporal import MemoryTime
from memplane.domain.resolve.thresholds import Thresholds
from memplane.domain.statements import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A neighbour, and how the statement stands to it."""

    neighbour: Neighbour
    comparison: Comparison
    sameness: Sameness
    statement_is_newer: bool

    @property
    def memory(self) -> Memory:
        """The stored memory."""
        return self.neighbour.memory

    @property
    def active(self) -> bool:
        """Whether the memory is recalled today."""
        return self.memory.status is Status.ACTIVE

    @property
    def conflicting(self) -> bool:
        """Whether one excludes the other."""
        return self.comparison.relation in CONFLICTS

    def one_event(self, statement: Statement) -> bool:
        """Whether one event is said to have said both: then one of them was misread."""
        return bool(set(statement.source_event_ids) & set(self.memory.source_event_ids))


def pair_up(
    statement: Statement, memory_time: MemoryTime, neighbour: Neighbour, thresholds: Thresholds, *, speaker: str
) -> Pair:
    """How ``statement`` stands to ``neighbour``. What another speaker said of himself is about something else."""
    memory = neighbour.memory
    newer = memory_time > neighbour.times[-1]
    if speaker and memory.speaker and speaker != memory.speaker:
        return Pair(neighbour=neighbour, comparison=UNRELATED, sameness=Sameness.DIFFERENT, statement_is_newer=newer)
    sides = [(statement.text, statement), (memory.content, neighbour.statement)]
    (new_text, new), (old_text, old) = sides if newer else sides[::-1]
    comparison = compare_statements(new_text, old_text, newer_statement=new, older_statement=old)
    expiries = (statement.expires_at, memory.expires_at) if newer else (memory.expires_at, statement.expires_at)
    if expiries[0] is not None and expiries[1] is None and comparison.relation in CONFLICTS:
        # What holds for a while stands beside what holds in general; it replaces nothing.
        comparison = Comparison(relation=Relation.UNRELATED, rule="temporary", slot=comparison.slot)
    same = sameness(
        statement.text,
        memory.content,
        kind=statement.kind,
        stored_kind=memory.kind,
        similarity=neighbour.similarity,
        thresholds=thresholds,
        comparison=comparison,
    )
    return Pair(neighbour=neighbour, comparison=comparison, sameness=same, statement_is_newer=newer)
