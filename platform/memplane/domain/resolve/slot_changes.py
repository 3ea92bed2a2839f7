"""From the intervals of a slot to instructions: what differs between what is stored and what should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memplane.domain.ids import EventId, MemoryId, derive_memory_id
from memplane.domain.memory import Memory, Status
from memplane.domain.resolve.contradiction import Relation
from memplane.domain.resolve.instructions import InstructionOp, UpdateInstruction
from memplane.domain.resolve.neighbours import Neighbour, compare_statements
from memplane.domain.resolve.temporal import Interval, MemoryTime, Row, relink
from memplane.domain.statements import Statement

CONFLICTS: Final = frozenset({Relation.OPPOSITE, Relation.OTHER_VALUE})


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotChange:
    """A statement on its way into a slot, and all that the slot holds."""

    statement: Statement
    memory_time: MemoryTime
    neighbours: Sequence[Neighbour]
    """The slot's memories, superseded ones too."""
    same_as: frozenset[int]
    """Positions of the neighbours that say what the statement says: it may count as said there again."""
    reason: str
    rule: str


def change_slot(change: SlotChange) -> tuple[UpdateInstruction, ...]:
    """The instructions that put the statement into its slot and re-link what this moves, new rows first."""
    again = _row_said_again(change)
    rows = _rows(change.neighbours)
    if again is not None:
        rows[again] = replace(rows[again], times=tuple(sorted({*rows[again].times, change.memory_time})))
    if again is None:
        rows.append(_own_row(change))
    intervals = _intervals(change, rows)
    instructions: list[UpdateInstruction] = []
    for interval in intervals:
        memory = None if rows[interval.row].memory_id is None else change.neighbours[interval.row].memory
        follower = _follower(change, interval, intervals, rows)
        if memory is None or interval.split:
            instructions.append(_new_row(change, interval, memory, follower))
        else:
            moved = _moved(change, interval, memory, follower, again=interval.row == again)
            instructions += [] if moved is None else [moved]
    return tuple(sorted(instructions, key=lambda one: one.op is not InstructionOp.ADD))


def _row_said_again(change: SlotChange) -> int | None:
    """The memory whose run the statement falls into and that says the same; None: it needs a row of its own."""
    if not change.same_as:
        return None
    rows = [*_rows(change.neighbours), _own_row(change)]
    intervals = _intervals(change, rows)
    own = next(one for one in intervals if rows[one.row].memory_id is None)
    together = [
        one.row
        for one in intervals
        if one.row in change.same_as and not one.split and (one.ends, one.followed_by) == (own.ends, own.followed_by)
    ]
    return min(together, key=lambda index: change.neighbours[index].times, default=None)


def _own_row(change: SlotChange) -> Row:
    return Row(memory_id=None, text=change.statement.text, times=(change.memory_time,))


def _rows(neighbours: Sequence[Neighbour]) -> list[Row]:
    """The slot's rows. A row that was split keeps the record of its touches; each goes to the row that holds then."""
    times = [set(one.times) for one in neighbours]
    for index, one in enumerate(neighbours):
        for time in one.times_after_end:
            holders = [
                position
                for position, other in enumerate(neighbours)
                if other.memory.content == one.memory.content and other.memory.valid_from <= time.event_time
            ]
            times[max(holders, key=lambda position: neighbours[position].memory.valid_from, default=index)].add(time)
    return [
        Row(memory_id=one.memory.memory_id, text=one.memory.content, times=tuple(sorted(own)))
        for one, own in zip(neighbours, times, strict=True)
    ]


def _intervals(change: SlotChange, rows: Sequence[Row]) -> tuple[Interval, ...]:
    statements: dict[MemoryId | None, Statement | None] = {
        one.memory.memory_id: one.statement for one in change.neighbours
    } | {None: change.statement}

    def conflict(newer: Row, older: Row) -> bool:
        comparison = compare_statements(
            newer.text,
            older.text,
            newer_statement=statements[newer.memory_id],
            older_statement=statements[older.memory_id],
        )
        return comparison.relation in CONFLICTS

    return relink(rows, conflict=conflict)


def _follower(
    change: SlotChange, interval: Interval, intervals: Sequence[Interval], rows: Sequence[Row]
) -> MemoryId | None:
    """The memory that takes an interval's place; None for the statement's own and for open intervals."""
    if interval.followed_by is None:
        return None
    memory_id = rows[interval.followed_by].memory_id
    if memory_id is None:
        return None
    following = next(
        one for one in intervals if one.row == interval.followed_by and one.begins.event_time == interval.ends
    )
    memory = change.neighbours[interval.followed_by].memory
    return _split_id(memory, following.begins.event_id) if following.split else memory_id


def _split_id(memory: Memory, event_id: EventId) -> MemoryId:
    # The event may have made memories of its own: the split interval's id names both.
    return derive_memory_id(memory.scope, event_id=EventId(f"{event_id}#{memory.memory_id}"), index=0)


def _new_row(
    change: SlotChange, interval: Interval, memory: Memory | None, follower: MemoryId | None
) -> UpdateInstruction:
    ended = interval.ends is not None
    own_reason = "late" if ended else change.reason
    return UpdateInstruction(
        op=InstructionOp.ADD,
        target=None,
        before=None,
        after=change.statement.text if memory is None else memory.content,
        reason=own_reason if memory is None else "said_again",
        decided_by=f"rule:{change.rule}",
        status=Status.SUPERSEDED if ended else Status.ACTIVE,
        valid_from=interval.begins.event_time,
        valid_to=interval.ends,
        superseded_by=follower,
        memory_id=None if memory is None else _split_id(memory, interval.begins.event_id),
        source_event_id=None if memory is None else interval.begins.event_id,
    )


def _moved(
    change: SlotChange, interval: Interval, memory: Memory, follower: MemoryId | None, *, again: bool
) -> UpdateInstruction | None:
    """What changes on a stored row: it is said again, begins earlier, or ends at another moment."""
    begins = interval.begins.event_time if interval.begins.event_time != memory.valid_from else None
    # An interval can only end earlier than is stored: what ended a row by another rule is not undone here.
    ended = memory.valid_to if memory.status is Status.SUPERSEDED else None
    ends_elsewhere = interval.ends is not None and (ended is None or interval.ends < ended)
    if ends_elsewhere:
        return UpdateInstruction(
            op=InstructionOp.SUPERSEDE,
            target=memory.memory_id,
            before=memory.content,
            after=change.statement.text,
            reason=change.reason,
            decided_by=f"rule:{change.rule}",
            target_version=memory.version,
            status=Status.SUPERSEDED,
            valid_from=begins,
            valid_to=interval.ends,
            superseded_by=follower,
        )
    if not again and begins is None:
        return None
    return said_again(memory, rule=change.rule, begins=begins)


def said_again(memory: Memory, *, rule: str, begins: datetime | None = None) -> UpdateInstruction:
    """A touch of ``memory``; with ``begins``, its validity starts earlier than was known."""
    return UpdateInstruction(
        op=InstructionOp.TOUCH,
        target=memory.memory_id,
        before=memory.content,
        after=memory.content,
        reason="said_again",
        decided_by=f"rule:{rule}",
        target_version=memory.version,
        valid_from=begins,
    )
