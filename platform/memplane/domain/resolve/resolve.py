"""What becomes of one statement beside what is stored: the one decision of the write path that can retire a memory.

The order of the rules: keyed fact, correction by behaviour, conflict inside a slot, the same again, undecided, merge,
new. Nothing here stores, and no similarity ever retires anything: a cosine only nominates duplicates.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memplane.domain.ids import MemoryId
from memplane.domain.memory import Kind, Memory, Status
from memplane.domain.resolve.claims import claims_of
from memplane.domain.resolve.contradiction import Comparison, Relation
from memplane.domain.resolve.corrections import REASON, BehaviourCorrection, behaviour_correction
from memplane.domain.resolve.duplicates import Sameness, sameness
from memplane.domain.resolve.fact_versions import resolve_fact
from memplane.domain.resolve.instructions import InstructionOp, PairClass, UpdateInstruction
from memplane.domain.resolve.merging import merge_condition
from memplane.domain.resolve.neighbours import Neighbour, compare_statements
from memplane.domain.resolve.slot_changes import CONFLICTS, SlotChange, change_slot, said_again
from memplane.domain.resolve.temporal import MemoryTime
from memplane.domain.resolve.thresholds import Thresholds
from memplane.domain.resolve.undecided import classify
from memplane.domain.statements import Statement

_COMPARED_STATUSES: Final = frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.PENDING_REVIEW})
_COMPARED_KINDS: Final = frozenset({Kind.SEMANTIC, Kind.EPISODIC})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A neighbour, and how the statement stands to it."""

    neighbour: Neighbour
    comparison: Comparison
    sameness: Sameness
    statement_is_newer: bool

    @property
    def memory(self) -> Memory:
        return self.neighbour.memory

    @property
    def active(self) -> bool:
        return self.memory.status is Status.ACTIVE


def resolve(
    statement: Statement,
    *,
    memory_time: MemoryTime,
    neighbours: Sequence[Neighbour],
    thresholds: Thresholds,
    now: datetime,
    cited: Collection[MemoryId] = (),
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
        cited: memories that the last recall of this user cited, for corrections by behaviour.
        show_both: whether the older of an undecided pair stays active (a tenant's choice).

    Returns:
        Instructions to be applied together, each if ``before`` still holds, else resolved again. The same statements
        give the same intervals in any order of arrival, as long as times differ.
    """
    if statement.fact_key is not None:
        return resolve_fact(statement, memory_time, neighbours)
    expired, living = _part_expired(neighbours, now)
    correction = behaviour_correction(statement.text, [one.memory for one in living], cited)
    if correction is not None:
        return (*_correct(correction, memory_time, living), *expired)
    pairs = [_pair(statement, memory_time, one, thresholds) for one in living]
    decided = (
        _in_slot(statement, memory_time, pairs)
        or _again(pairs, memory_time)
        or _undecided(statement, memory_time, pairs, show_both=show_both)
        or _merged(statement, pairs)
        or (_add(statement, memory_time, now),)
    )
    return (*decided, *expired)


def _pair(statement: Statement, memory_time: MemoryTime, neighbour: Neighbour, thresholds: Thresholds) -> _Pair:
    memory = neighbour.memory
    newer = memory_time > neighbour.times[-1]
    sides = [(statement.text, statement), (memory.content, neighbour.statement)]
    (new_text, new), (old_text, old) = sides if newer else sides[::-1]
    comparison = compare_statements(new_text, old_text, newer_statement=new, older_statement=old)
    if (statement.expires_at is None) != (memory.expires_at is None) and comparison.relation in CONFLICTS:
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
    return _Pair(neighbour=neighbour, comparison=comparison, sameness=same, statement_is_newer=newer)


def _in_slot(
    statement: Statement, memory_time: MemoryTime, pairs: Sequence[_Pair]
) -> tuple[UpdateInstruction, ...] | None:
    """Re-links the slot where the statement conflicts with something in it, or agrees with what has been retired."""
    conflicts = [pair for pair in pairs if pair.comparison.relation in CONFLICTS]
    if not conflicts or _ambiguous_cancel(statement, conflicts):
        return None
    if any(_one_event(statement, pair.memory) for pair in conflicts):
        return None
    related = [pair for pair in pairs if pair.comparison.relation in CONFLICTS or pair.comparison.relation is Relation.AGREE
               or pair.sameness is Sameness.SAME_TEXT]  # fmt: skip
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


def _ambiguous_cancel(statement: Statement, conflicts: Sequence[_Pair]) -> bool:
    """Whether "算了不去了" could mean several plans: then it calls off none of them."""
    elliptic = any(not claim.value for claim in claims_of(statement.text))
    return elliptic and sum(pair.active for pair in conflicts) > 1


def _again(pairs: Sequence[_Pair], memory_time: MemoryTime) -> tuple[UpdateInstruction, ...] | None:
    """A touch of the memory that already says it."""
    for wanted in (Sameness.SAME_TEXT, Sameness.NEAR):
        same = [pair for pair in pairs if pair.active and pair.sameness is wanted]
        if not same:
            continue
        best = max(same, key=lambda pair: (pair.neighbour.similarity or 0.0, pair.memory.memory_id))
        earlier = memory_time.event_time < best.memory.valid_from and bool(claims_of(best.memory.content))
        return (said_again(best.memory, rule=wanted.value, begins=memory_time.event_time if earlier else None),)
    return None


def _undecided(
    statement: Statement, memory_time: MemoryTime, pairs: Sequence[_Pair], *, show_both: bool
) -> tuple[UpdateInstruction, ...] | None:
    """The newer stays active, the older waits for review; an exception retires nothing and is kept as a happening."""
    tense = [pair for pair in pairs if pair.active and _is_tense(statement, pair)]
    if not tense:
        return None
    reviews: list[UpdateInstruction] = []
    status, kind, pair_class = Status.ACTIVE, None, PairClass.UNKNOWN
    for pair in tense:
        newer_text = statement.text if pair.statement_is_newer else pair.memory.content
        pair_class = classify(newer_text, pair.comparison, statement=statement, memory=pair.memory)
        retire = pair_class is not PairClass.EXCEPTION and not show_both
        if pair_class is PairClass.EXCEPTION and pair.statement_is_newer:
            kind = Kind.EPISODIC
        if retire and not pair.statement_is_newer:
            status = Status.PENDING_REVIEW
        reviews.append(
            UpdateInstruction(
                op=InstructionOp.REVIEW,
                target=pair.memory.memory_id,
                before=pair.memory.content,
                after=statement.text,
                reason="undecided",
                decided_by=f"rule:{pair.comparison.rule}",
                pair_class=pair_class,
                target_version=pair.memory.version,
                status=Status.PENDING_REVIEW if retire and pair.statement_is_newer else None,
            )
        )
    added = UpdateInstruction(
        op=InstructionOp.ADD,
        target=None,
        before=None,
        after=statement.text,
        reason="undecided",
        decided_by=reviews[0].decided_by,
        pair_class=pair_class,
        status=status,
        kind=kind,
        valid_from=memory_time.event_time,
    )
    return (added, *reviews)


def _is_tense(statement: Statement, pair: _Pair) -> bool:
    if pair.comparison.relation is Relation.TENSION:
        return True
    return pair.comparison.relation in CONFLICTS and _one_event(statement, pair.memory)


def _one_event(statement: Statement, memory: Memory) -> bool:
    """Whether one event is said to have said both: then one of them was misread."""
    return bool(set(statement.source_event_ids) & set(memory.source_event_ids))


def _merged(statement: Statement, pairs: Sequence[_Pair]) -> tuple[UpdateInstruction, ...] | None:
    """A new version of one memory that says both, where that loses nothing."""
    for pair in pairs:
        memory = pair.memory
        if not pair.active or memory.kind is not statement.kind or pair.comparison.relation in CONFLICTS:
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
    correction: BehaviourCorrection, memory_time: MemoryTime, neighbours: Sequence[Neighbour]
) -> tuple[UpdateInstruction, ...]:
    target = next(one.memory for one in neighbours if one.memory.memory_id == correction.target)
    return (
        UpdateInstruction(
            op=InstructionOp.ADD,
            target=None,
            before=None,
            after=correction.text,
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
            after=correction.text,
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


def _part_expired(
    neighbours: Sequence[Neighbour], now: datetime
) -> tuple[tuple[UpdateInstruction, ...], list[Neighbour]]:
    """The instructions for what has expired meanwhile, and the neighbours that are compared at all."""
    expired: list[UpdateInstruction] = []
    living: list[Neighbour] = []
    for one in neighbours:
        memory = one.memory
        if memory.status not in _COMPARED_STATUSES or memory.kind not in _COMPARED_KINDS or memory.fact_key is not None:
            continue
        if memory.expires_at is None or memory.expires_at > now:
            living.append(one)
        elif memory.status is Status.ACTIVE:
            expired.append(
                UpdateInstruction(
                    op=InstructionOp.EXPIRE,
                    target=memory.memory_id,
                    before=memory.content,
                    after=memory.content,
                    reason="expired",
                    decided_by="rule:expires_at",
                    target_version=memory.version,
                    status=Status.EXPIRED,
                    valid_to=memory.expires_at,
                )
            )
    return tuple(expired), living
