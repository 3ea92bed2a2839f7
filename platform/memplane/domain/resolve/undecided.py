"""Pairs that rules cannot decide: what class they look like. A person or a model has the last word."""

from __future__ import annotations

import re

from memplane.domain.memory import Memory
from memplane.domain.resolve import lexicon
from memplane.domain.resolve.contradiction import Comparison
from memplane.domain.resolve.instructions import PairClass
from memplane.domain.statements import Statement
from memplane.domain.text import fold


def classify(newer_text: str, comparison: Comparison, *, statement: Statement, memory: Memory) -> PairClass:
    """The class of a pair in tension.

    One event that says both is an extraction error; words of a single occasion (今天, 破例, just once, for a client) make an
    exception; words of a trend (最近总是, lately, every week), or the denial of a part, a change of preference.
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
