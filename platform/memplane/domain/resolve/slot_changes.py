"""From the intervals of a slot to instructions: what differs between what is stored and what should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memplane.domain.memory import Memory, Status
from memplane.domain.resolve.instructions import InstructionOp, UpdateInstruction
from memplane.domain.resolve.neighbours import Neighbour, compare_statements
from memplane.domain.resolve.temporal import Interval, MemoryTime, Row, relink
from memplane.domain.resolve.contradiction import Relation
from memplane.domain.statements import Statement

CONFLICTS = frozenset({Relation.OPPOSITE, Relation.OTHER_VALUE})


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotChange:
    """What the slot of a statement needs to know besides its rows."""

    statement: Statement
    memory_time: MemoryTime
    reason: str
    rule: str
    same_as: frozenset[int]
    """Positions of the neighbours that say what the statement says: it may count as said there again."""


def change_slot(change: SlotChange, neighbours: Sequence[Neighbour]) -> tuple[UpdateInstruction, ...]:
    """The instructions that put the statement into its slot, and re-link all intervals that this moves."""
    said_again = _row_said_again(change, neighbours)
    rows = [_row(one, change.memory_time if index == said_again else None) for index, one in enumerate(neighbours)]
    if said_again is None:
        rows.append(Row(memory_id=None, text=change.statement.text, times=(change.memory_time,)))
    intervals = relink(rows, conflict=lambda newer, older: _conflict(newer, older, change, neighbours, rows))
    instructions: list[UpdateInstruction] = []
    for interval in intervals:
        memory = neighbours[interval.row].memory if interval.row < len(neighbours) else None
        follower = None if interval.followed_by is None else rows[interval.followed_by].memory_id
        if memory is None or interval.split:
            instructions.append(_new_row(change, interval, memory, follower))
        else:
            instructions += _moved(change, interval, memory, follower, again=interval.row == said_again)
    return tuple(sorted(instructions, key=lambda one: one.op is not InstructionOp.ADD))


def _row_said_again(change: SlotChange, neighbours: Sequence[Neighbour]) -> int | None:
    """The memory whose run the statement falls into and that says the same; None: it needs a row of its own."""
    if not change.same_as:
        return None
    rows = [_row(one, None) for one in neighbours]
    rows.append(Row(memory_id=None, text=change.statement.text, times=(change.memory_time,)))
    mine = len(neighbours)
    intervals = relink(rows, conflict=lambda newer, older: _conflict(newer, older, change, neighbours, rows))
    own = next(one for one in intervals if one.row == mine)
    together = [one.row for one in intervals if one.row in change.same_as and _one_run(one, own)]
    return min(together, key=lambda index: neighbours[index].times, default=None)


def _one_run(one: Interval, other: Interval) -> bool:
    if (one.ends, one.followed_by) != (other.ends, other.followed_by):
        return False
    return True


def _row(neighbour: Neighbour, again: MemoryTime | None) -> Row:
    times = {*neighbour.times, *([again] if again else [])}
    return Row(memory_id=neighbour.memory.memory_id, text=neighbour.memory.content, times=tuple(sorted(times)))


def _conflict(newer: Row, older: Row, change: SlotChange, neighbours: Sequence[Neighbour], rows: Sequence[Row]) -> bool:
    statements = {one.memory.memory_id: one.statement for one in neighbours}

    def statement_of(row: Row) -> Statement | None:
        return change.statement if row.memory_id is None else statements[row.memory_id]

    comparison = compare_statements(
        newer.text, older.text, newer_statement=statement_of(newer), older_statement=statement_of(older)
    )
    return comparison.relation in CONFLICTS


def _new_row(
    change: SlotChange, interval: Interval, memory: Memory | None, follower: object
) -> UpdateInstruction:
    ended = interval.ends is not None
    return UpdateInstruction(
        op=InstructionOp.ADD,
        target=None,
        before=None,
        after=change.statement.text if memory is None else memory.content,
        reason="late" if ended and memory is None else "said_again" if memory else change.reason,
        decided_by=f"rule:{change.rule}",
        status=Status.SUPERSEDED if ended else Status.ACTIVE,
        valid_from=interval.begins.event_time,
        valid_to=interval.ends,
        superseded_by=follower,  # type: ignore[arg-type]
        source_event_id=None if memory is None else interval.begins.event_id,
    )


def _moved(
    change: SlotChange, interval: Interval, memory: Memory, follower: object, *, again: bool
) -> list[UpdateInstruction]:
    """What changes on a stored row: said again, begins earlier, ends, or ends elsewhere."""
    begins = interval.begins.event_time if interval.begins.event_time != memory.valid_from else None
    if interval.ends is None:
        if not again and begins is None:
            return []
        return [_on(change, memory, op=InstructionOp.TOUCH, after=memory.content, reason="same_value", valid_from=begins)]
    stored = (memory.status, memory.valid_to)
    moved = stored != (Status.SUPERSEDED, interval.ends) or begins is not None
    result: list[UpdateInstruction] = []
    if again and not moved:
        return [_on(change, memory, op=InstructionOp.TOUCH, after=memory.content, reason="same_value")]
    if moved:
        result.append(
            _on(
                change, memory, op=InstructionOp.SUPERSEDE, after=change.statement.text, reason=change.reason,
                status=Status.SUPERSEDED, valid_from=begins, valid_to=interval.ends, superseded_by=follower,
            )
        )  # fmt: skip
    return result


def _on(
    change: SlotChange, memory: Memory, *, op: InstructionOp, after: str, reason: str, **fields: object
) -> UpdateInstruction:
    return UpdateInstruction(
        op=op, target=memory.memory_id, before=memory.content, after=after, reason=reason,
        decided_by=f"rule:{change.rule}", target_version=memory.version, **fields,  # type: ignore[arg-type]
    )  # fmt: skip
