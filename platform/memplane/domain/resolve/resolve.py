"""What becomes of one statement beside what is stored: the one decision of the write path that can retire a memory.

The order of the rules: keyed fact, correction by behaviour, conflict inside a slot, the same again, undecided, merge,
new. Nothing here stores, and no similarity ever retires anything: a cosine only nominates duplicates.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from memplane.domain.ids import MemoryId
from memplane.domain.memory import Status
from memplane.domain.resolve.claims import claims_of
from memplane.domain.resolve.contradiction import Relation
from memplane.domain.resolve.corrections import REASON, behaviour_correction
from memplane.domain.resolve.duplicates import Sameness
from memplane.domain.resolve.expiry import part_expired
from memplane.domain.resolve.fact_versions import resolve_fact
from memplane.domain.resolve.instructions import InstructionOp, UpdateInstruction
from memplane.domain.resolve.merging import merge_condition
from memplane.domain.resolve.neighbours import Neighbour
from memplane.domain.resolve.pairs import Pair, pair_up
from memplane.domain.resolve.slot_changes import SlotChange, change_slot, said_again
from memplane.domain.resolve.temporal import MemoryTime
from memplane.domain.resolve.thresholds import Thresholds
from memplane.domain.resolve.undecided import undecided
from memplane.domain.statements import Statement
from memplane.domain.text import fold


def resolve(
    statement: Statement,
    *,
    memory_time: MemoryTime,
    neighbours: Sequence[Neighbour],
    thresholds: Thresholds,
    now: datetime,
    turn: str | None = None,
    cited: Collection[MemoryId] = (),
    speaker: str = "",
    show_both: bool = False,
) -> tuple[UpdateInstruction, ...]:
    """The instructions for ``statement``: at least one, the one that stores or touches it first.

    Args:
        statement: what was said.
        memory_time: when: (event_time, received_at, event_id). Newer is greater, whatever came last.
        neighbours: memories of the same scope that may be concerned: by vector, by keyword, and all of its slot,
            superseded ones and what took their place included; for a keyed fact, the memory of its key.
        thresholds: of the generation whose cosines the neighbours carry.
        now: the moment of the decision; what has expired by then contradicts nothing.
        turn: the words that the statement was extracted from; a correction by behaviour shows only there.
        cited: memories that the last recall of this user cited, for corrections by behaviour.
        speaker: who said it (``Memory.speaker``), where statements are turns in the first person; "" compares with all.
        show_both: whether the older of an undecided pair stays active (a tenant's choice).

    Returns:
        Instructions to be applied together, each if ``before`` still holds, else resolved again. The same statements
        give the same intervals in any order of arrival, as long as times differ.
    """
    if statement.fact_key is not None:
        return resolve_fact(statement, memory_time, neighbours)
    expired, living = part_expired(neighbours, now)
    correction = behaviour_correction(turn or statement.text, [one.memory for one in living], cited)
    if correction is not None and (turn is None or correction.wanted in fold(statement.text)):
        text = correction.text if turn is None else statement.text
        return (*_correct(correction.target, text, memory_time, living), *expired)
    pairs = [pair_up(statement, memory_time, one, thresholds, speaker=speaker) for one in living]
    decided = (
        _in_slot(statement, memory_time, pairs)
        or _again(pairs, memory_time)
        or undecided(statement, memory_time, pairs, show_both=show_both)
        or _merged(statement, pairs)
        or (_add(statement, memory_time, now),)
    )
    return (*decided, *expired)


def _in_slot(
    statement: Statement, memory_time: MemoryTime, pairs: Sequence[Pair]
) -> tuple[UpdateInstruction, ...] | None:
    """Re-links the slot where the statement conflicts with something in it, or agrees with what has been retired."""
    conflicts = [pair for pair in pairs if pair.conflicting]
    if not conflicts or _ambiguous_cancel(statement, conflicts):
        return None
    if any(pair.one_event(statement) for pair in conflicts):
        return None
    related = [
        pair
        for pair in pairs
        if pair.conflicting or pair.comparison.relation is Relation.AGREE or pair.sameness is Sameness.SAME_TEXT
    ]
    ids = {pair.memory.memory_id for pair in related}
    same_as = frozenset(
        index
        for index, pair in enumerate(related)
        if pair.sameness in {Sameness.SAME_TEXT, Sameness.NEAR} and (pair.active or pair.memory.superseded_by in ids)
    )
    rule = conflicts[0].comparison.rule
    return change_slot(
        SlotChange(
            statement=statement,
            memory_time=memory_time,
            neighbours=[pair.neighbour for pair in related],
            same_as=same_as,
            reason="corrected" if "correction" in statement.triggers else conflicts[0].comparison.relation.value,
            rule=rule,
        )
    )


def _ambiguous_cancel(statement: Statement, conflicts: Sequence[Pair]) -> bool:
    """Whether "算了不去了" could mean several plans: then it calls off none of them."""
    elliptic = (statement.slot or "").endswith("/*") or any(not claim.value for claim in claims_of(statement.text))
    return elliptic and sum(pair.active for pair in conflicts) > 1


def _again(pairs: Sequence[Pair], memory_time: MemoryTime) -> tuple[UpdateInstruction, ...] | None:
    """A touch of the memory that already says it."""
    for wanted in (Sameness.SAME_TEXT, Sameness.NEAR):
        same = [pair for pair in pairs if pair.active and pair.sameness is wanted]
        if not same:
            continue
        best = max(same, key=lambda pair: (pair.neighbour.similarity or 0.0, pair.memory.memory_id))
        earlier = memory_time.event_time < best.memory.valid_from and bool(claims_of(best.memory.content))
        return (said_again(best.memory, rule=wanted.value, begins=memory_time.event_time if earlier else None),)
    return None


def _merged(statement: Statement, pairs: Sequence[Pair]) -> tuple[UpdateInstruction, ...] | None:
    """A new version of one memory that says both, where that loses nothing."""
    for pair in pairs:
        memory = pair.memory
        if not pair.active or memory.kind is not statement.kind or pair.conflicting:
            continue
        if (statement.expires_at is None) != (memory.expires_at is None):
            continue
        text, rule = merge_condition(statement.text, memory.content), "condition"
        if text is None and pair.sameness is Sameness.MORE:
            text, rule = statement.text, "detail"
        if text is None:
            continue
        return (
            UpdateInstruction(
                op=InstructionOp.MERGE,
                target=memory.memory_id,
                before=memory.content,
                after=text,
                reason="compatible",
                decided_by=f"rule:{rule}",
                target_version=memory.version,
            ),
        )
    return None


def _correct(
    target_id: MemoryId, text: str, memory_time: MemoryTime, neighbours: Sequence[Neighbour]
) -> tuple[UpdateInstruction, ...]:
    target = next(one.memory for one in neighbours if one.memory.memory_id == target_id)
    return (
        UpdateInstruction(
            op=InstructionOp.ADD,
            target=None,
            before=None,
            after=text,
            reason=REASON,
            decided_by=f"rule:{REASON}",
            status=Status.ACTIVE,
            kind=target.kind,
            valid_from=memory_time.event_time,
        ),
        UpdateInstruction(
            op=InstructionOp.SUPERSEDE,
            target=target.memory_id,
            before=target.content,
            after=text,
            reason=REASON,
            decided_by=f"rule:{REASON}",
            target_version=target.version,
            status=Status.SUPERSEDED,
            valid_to=memory_time.event_time,
        ),
    )


def _add(statement: Statement, memory_time: MemoryTime, now: datetime) -> UpdateInstruction:
    over = statement.expires_at is not None and statement.expires_at <= now
    return UpdateInstruction(
        op=InstructionOp.ADD,
        target=None,
        before=None,
        after=statement.text,
        reason="expired" if over else "new",
        decided_by="rule:new",
        status=Status.EXPIRED if over else Status.ACTIVE,
        valid_from=memory_time.event_time,
    )
