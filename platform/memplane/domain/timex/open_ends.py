"""Words around an expression that open its window to one side: since, 从…起, before, 之前."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.values import Kind, TimeMention

_SINCE: Final = re.compile(
    r"\b(?:since|after|from|starting|beginning|effective|as of|ever since)(?: (?:on|in|from))?(?: the)?\s$",
    re.IGNORECASE,
)
_SINCE_ZH: Final = re.compile(
    r"[以之]?后(?![天面])|以来|[起](?![床来飞码诉])|开始|(?:\s(?:on|onwards?|forward)\b)", re.IGNORECASE
)
_BEFORE: Final = re.compile(r"\b(?:before|prior to|earlier than)(?: the)?\s$", re.IGNORECASE)
_UNTIL: Final = re.compile(
    r"\b(?:until|till|up to|by|no later than)(?: the)?\s$|(?:截止|截至|直到)[到至]?$", re.IGNORECASE
)
_BEFORE_ZH: Final = re.compile(r"[以之]前|前(?![天面台后])")
_UNTIL_ZH: Final = re.compile(r"为止")
_BACK: Final = 24


def opens_after(text: str, mention: TimeMention) -> bool:
    """Whether the expression says only when something begins."""
    if mention.kind is Kind.RANGE:
        return False
    return _before(text, mention, _SINCE) or _SINCE_ZH.match(text, mention.end) is not None


def opens_before(text: str, mention: TimeMention) -> bool:
    """Whether the expression says only before what something lies, itself excluded."""
    if mention.kind is Kind.RANGE:
        return False
    return _before(text, mention, _BEFORE) or _BEFORE_ZH.match(text, mention.end) is not None


def ends_with(text: str, mention: TimeMention) -> bool:
    """Whether the expression says until when, itself included."""
    if mention.kind is Kind.RANGE:
        return False
    return _before(text, mention, _UNTIL) or _UNTIL_ZH.match(text, mention.end) is not None


def _before(text: str, mention: TimeMention, pattern: re.Pattern[str]) -> bool:
    return pattern.search(text[max(0, mention.start - _BACK) : mention.start]) is not None
