"""Pairs that rules cannot decide: what class they look like. A person or a model has the last word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memplane.domain.memory import Kind, Memory, Status
from memplane.domain.resolve import lexicon
from memplane.domain.resolve.contradiction import Comparison, Relation
from memplane.domain.resolve.instructions import InstructionOp, PairClass, UpdateInstruction
from memplane.domain.resolve.pairs import Pair
from memplane.domain.resolve.temporal import MemoryTime
from memplane.domain.statements import Statement
from memplane.domain.text import fold


def undecided(
    statement: Statement, memory_time: MemoryTime, pairs: Sequence[Pair], *, show_both: bool
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


def _is_tense(statement: Statement, pair: Pair) -> bool:
    if pair.comparison.relation is Relation.TENSION:
        return True
    return pair.conflicting and pair.one_event(statement)


def classify(newer_text: str, comparison: Comparison, *, statement: Statement, memory: Memory) -> PairClass:
    """The class of a pair in tension.

    One event that says both is an extraction error; words of a single occasion (今天, 破例, just once, for a client)
    make an exception; words of a trend (最近总是, lately, every week), or the denial of a part, a change of preference.
    """
    if set(statement.source_event_ids) & set(memory.source_event_ids):
        return PairClass.EXTRACTION_ERROR
    folded = fold(newer_text)
    trend = re.search(lexicon.TREND_ZH, folded) or re.search(lexicon.TREND_EN, folded)
    if trend or comparison.rule == "part_denied":
        return PairClass.PREFERENCE_CHANGE
    if re.search(lexicon.EXCEPTION_ZH, folded) or re.search(lexicon.EXCEPTION_EN, folded):
        return PairClass.EXCEPTION
    return PairClass.UNKNOWN
