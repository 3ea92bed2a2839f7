"""What resolve decides, as data: proposed by rules or a model, logged, applied by code if ``before`` still holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memplane.domain.ids import EventId, MemoryId
from memplane.domain.memory import Kind, Memory, Status
from memplane.domain.statements import JSON


class InstructionOp(StrEnum):
    """What is to be done with ``target``."""

    ADD = "add"
    """A new memory."""
    OVERWRITE = "overwrite"
    """A new version of the same keyed fact."""
    MERGE = "merge"
    """A new version of ``target`` that says both statements and names both sources."""
    TOUCH = "touch"
    """``target`` was said again: counted, no new memory."""
    SUPERSEDE = "supersede"
    """``target`` is no longer true: ``superseded_by``, ``valid_to``, reason."""
    EXPIRE = "expire"
    """``target``'s time is over."""
    REVIEW = "review"
    """``target`` and the statement may contradict each other: a person or a model decides."""


class PairClass(StrEnum):
    """What an undecided pair looks like."""

    PREFERENCE_CHANGE = "preference_change"
    EXCEPTION = "exception"
    EXTRACTION_ERROR = "extraction_error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateInstruction:
    """One decision. ``target`` None means the memory that the statement makes."""

    op: InstructionOp
    target: MemoryId | None
    before: JSON
    """What ``target`` says at the moment of the decision: content, or the value of a keyed fact; None for a new one."""
    after: JSON
    """What is said afterwards: the text of the statement, the merged text, or the fact's value."""
    reason: str
    """One word for what happened: ``new``, ``same_text``, ``other_value``, ``opposite``, ``corrected``, …"""
    decided_by: str
    """``rule:<name>``, ``llm:<model>`` or ``person:<id>``."""
    pair_class: PairClass | None = None
    """The class of an undecided pair; with ``review`` only."""
    target_version: int | None = None
    """The version of ``target`` that was looked at."""
    status: Status | None = None
    """The status that ``target`` (or the new memory) has afterwards; None: unchanged."""
    kind: Kind | None = None
    """Another kind than the statement's for the new memory (an exception becomes episodic)."""
    valid_from: datetime | None = None
    """Where the validity of ``target`` or of the new memory begins; None: unchanged."""
    valid_to: datetime | None = None
    """Where it ends; None with ``status`` active: open."""
    superseded_by: MemoryId | None = None
    """What took its place; None on a superseded row: the memory that the statement makes."""
    memory_id: MemoryId | None = None
    """Id of a new memory that is not the statement's own: an interval split off a memory that was confirmed later."""
    source_event_id: EventId | None = None
    """The event that confirmed such an interval, from which the new memory derives."""

    def holds(self, current: Memory | None) -> bool:
        """Whether the decision still fits: ``before`` is what ``target`` says now. A new memory has no before."""
        if self.target is None:
            return True
        if current is None or current.memory_id != self.target:
            return False
        return bool(value_of(current) == self.before)


def value_of(memory: Memory) -> JSON:
    """What ``before`` holds of a memory: the fact's value, else its content."""
    value: JSON = memory.fact_value if memory.fact_key is not None else memory.content
    return value
