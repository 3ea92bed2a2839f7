"""How much a statement is worth: the table of ``domain.importance``, told what the rules understood."""

from __future__ import annotations

from typing import Final

from memplane.domain.extraction.reading import Trigger
from memplane.domain.importance import (
    DECISION_BONUS,
    PREFERENCE_BONUS,
    ImportanceScore,
    ImportanceWords,
    score_importance,
)
from memplane.domain.statements import Statement

_NO_WORDS: Final = ImportanceWords()
_AS_PREFERENCE: Final = frozenset({Trigger.PREFERENCE})
_AS_DECISION: Final = frozenset(
    {
        Trigger.DECISION,
        Trigger.CORRECTION,
        Trigger.STATE_CHANGE,
        Trigger.PLAN,
        Trigger.CANCELLATION,
        Trigger.CONFIRMATION,
        Trigger.RELATION,
        Trigger.ATTRIBUTE,
    }
)
_PRECISION: Final = 4


def importance_of(statement: Statement, *, words: ImportanceWords = _NO_WORDS) -> ImportanceScore:
    """The importance of an extracted statement.

    A rule that fired counts as the marker word it stands for: "我住民宿比较多" is a preference without 喜欢,
    "就定这家吧" a decision without 决定. Each bonus counts once, whether a word or a rule brought it; the cap of the
    table holds. Explicit instructions are lifted to the floor.
    """
    score = score_importance(
        statement.text, kind=statement.kind, explicit="explicit" in statement.triggers, words=words
    )
    parts = dict(score.parts)
    fired = {trigger for trigger in Trigger if trigger in statement.triggers}
    extra: list[tuple[str, float]] = []
    if fired & _AS_PREFERENCE and "preference" not in parts:
        extra.append(("preference_rule", PREFERENCE_BONUS))
    if fired & _AS_DECISION and "decision" not in parts:
        extra.append(("decision_rule", DECISION_BONUS))
    if not extra:
        return score
    named = [part for part in score.parts if part[0] not in ("cap", "explicit_floor")]
    total = round(sum(weight for _, weight in [*named, *extra]), _PRECISION)
    floor = max(total, score.value) if "explicit" in statement.triggers else total
    value = min(1.0, max(0.0, floor))
    rest = round(value - total, _PRECISION)
    closing = [("explicit_floor" if rest > 0 else "cap", rest)] if rest else []
    return ImportanceScore(value=value, parts=(*named, *extra, *closing))
