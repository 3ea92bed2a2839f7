"""How much a statement is worth keeping: one table of weights, no model.

A score is the clamped sum of its parts, and the parts are returned with it, so that every rejection can be explained.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memplane.domain.text import collapse_whitespace, fold, is_cjk

BASE: Final = 0.5
FACT_BONUS: Final = 0.3
PREFERENCE_BONUS: Final = 0.3
DECISION_BONUS: Final = 0.2
SHORT_PENALTY: Final = -0.3
SHORT_CHARACTERS: Final = 4
"""A text with CJK characters and fewer letters and digits than this is short."""
SHORT_WORDS: Final = 2
"""A text without CJK characters and with fewer words than this is short."""
KEEP_THRESHOLD: Final = 0.60
"""The least importance that is kept."""
EXPLICIT_FLOOR: Final = 0.8
"""The least importance of what a user or agent asks to be remembered."""

PREFERENCE_WORDS_ZH: Final = ("偏好", "喜欢", "不要")
DECISION_WORDS_ZH: Final = ("结论", "决定", "确认")

_PREFERENCE_EN = re.compile(
    r"\b(?:prefer(?:s|red|ring|ence|ences)?|(?:dis)?lik(?:e|es|ed|ing)|lov(?:e|es|ed|ing)|hat(?:e|es|ed|ing)|don'?t|always|never)\b"
)
_DECISION_EN = re.compile(
    r"\b(?:decid(?:e|es|ed|ing)|decisions?|conclud(?:e|es|ed|ing)|conclusions?"
    r"|confirm(?:s|ed|ing|ation|ations)?|agree(?:s|d|ing|ment|ments)?)\b"
)
_WORD = re.compile(r"[^\W_]+(?:['.,:/@_+-][^\W_]+)*")
_PRECISION = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceWords:
    """A tenant's own marker words, besides the built-in ones; found anywhere in a text, in any case."""

    preference: tuple[str, ...] = ()
    decision: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportanceScore:
    """An importance and what it is made of."""

    value: float
    """0 to 1, rounded to four decimals."""
    parts: tuple[tuple[str, float], ...]
    """Name and weight of every rule that applied, in the table's order; `explicit_floor` and `cap` make up the rest."""

    @property
    def kept(self) -> bool:
        """Whether the value reaches `KEEP_THRESHOLD`."""
        return is_kept(self.value)


_NO_WORDS = ImportanceWords()


def score_importance(
    content: str, *, kind: str, explicit: bool = False, words: ImportanceWords = _NO_WORDS
) -> ImportanceScore:
    """Return the importance of the statement `content` of the given kind.

    base 0.5; fact +0.3; words of preference +0.3 once; words of decision +0.2 once; short −0.3; clamped to 0…1.
    `explicit` (said with "记住…", "from now on", or posted as a memory) lifts the value to `EXPLICIT_FLOOR`.
    """
    folded = fold(content)
    parts = [("base", BASE)]
    if kind == "fact":
        parts.append(("fact", FACT_BONUS))
    if _has_any(folded, (*PREFERENCE_WORDS_ZH, *words.preference)) or _PREFERENCE_EN.search(folded):
        parts.append(("preference", PREFERENCE_BONUS))
    if _has_any(folded, (*DECISION_WORDS_ZH, *words.decision)) or _DECISION_EN.search(folded):
        parts.append(("decision", DECISION_BONUS))
    if _is_short(folded):
        parts.append(("short", SHORT_PENALTY))
    total = round(sum(weight for _, weight in parts), _PRECISION)
    if explicit and total < EXPLICIT_FLOOR:
        parts.append(("explicit_floor", round(EXPLICIT_FLOOR - total, _PRECISION)))
        total = EXPLICIT_FLOOR
    value = min(1.0, max(0.0, total))
    if value != total:
        parts.append(("cap", round(value - total, _PRECISION)))
    return ImportanceScore(value=value, parts=tuple(parts))


def is_kept(importance: float, threshold: float = KEEP_THRESHOLD) -> bool:
    """Return whether `importance` reaches `threshold` (0.60 is kept, 0.59 is not), to four decimals."""
    return round(importance, _PRECISION) >= round(threshold, _PRECISION)


def _has_any(folded: str, markers: Iterable[str]) -> bool:
    return any(marker and fold(marker) in folded for marker in markers)


def _is_short(folded: str) -> bool:
    text = collapse_whitespace(folded)
    if any(map(is_cjk, text)):
        return sum(map(str.isalnum, text)) < SHORT_CHARACTERS
    return len(_WORD.findall(text)) < SHORT_WORDS
