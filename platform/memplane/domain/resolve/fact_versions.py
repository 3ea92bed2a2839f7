"""Keyed facts: one current value a key, decided by time alone. No model and no similarity is asked."""

from __future__ import annotations

from collections.abc import Sequence

from memplane.domain.canonical import canonical_json
from memplane.domain.memory import Memory, Status
from memplane.domain.resolve.instructions import InstructionOp, UpdateInstruction, value_of
from memplane.domain.resolve.neighbours import Neighbour
from memplane.domain.resolve.temporal import MemoryTime
from memplane.domain.statements import Statement

RULE = "rule:fact_key"


def resolve_fact(
    statement: Statement, memory_time: MemoryTime, neighbours: Sequence[Neighbour]
) -> tuple[UpdateInstruction, ...]:
    """A new fact, a new version of its key, or a touch where the very same version is stored.

    Every version counts, also one that says the current value again: a late older one may come between. An older
    version is written too; its rank keeps it from becoming the current one.
    """
    current = _current(statement, neighbours)
    if current is None:
        return (
            UpdateInstruction(
                op=InstructionOp.ADD, target=None, before=None, after=statement.fact_value, reason="new",
                decided_by=RULE, status=Status.ACTIVE, valid_from=memory_time.event_time,
            ),
        )  # fmt: skip
    same = _equal(current, statement)
    if same and current.valid_from == memory_time.event_time and current.status is Status.ACTIVE:
        return (_on(current, statement, op=InstructionOp.TOUCH, reason="same_value"),)
    late = memory_time.event_time < current.valid_from
    return (
        _on(
            current, statement, op=InstructionOp.OVERWRITE,
            reason="late" if late else "same_value" if same else "other_value",
            status=Status.SUPERSEDED if late else Status.ACTIVE,
            valid_from=memory_time,
        ),
    )  # fmt: skip


def _on(
    current: Memory, statement: Statement, *, op: InstructionOp, reason: str, status: Status | None = None,
    valid_from: MemoryTime | None = None,
) -> UpdateInstruction:  # fmt: skip
    return UpdateInstruction(
        op=op,
        target=current.memory_id,
        before=value_of(current),
        after=statement.fact_value,
        reason=reason,
        decided_by=RULE,
        target_version=current.version,
        status=status,
        valid_from=valid_from.event_time if valid_from else None,
        valid_to=current.valid_from if status is Status.SUPERSEDED else None,
    )


def _current(statement: Statement, neighbours: Sequence[Neighbour]) -> Memory | None:
    keyed = [one.memory for one in neighbours if one.memory.fact_key == statement.fact_key]
    return max(keyed, key=lambda memory: memory.rank, default=None)


def _equal(memory: Memory, statement: Statement) -> bool:
    # Canonical JSON: 1 and True are equal in Python and different values of a fact.
    return canonical_json(memory.fact_value) == canonical_json(statement.fact_value)
