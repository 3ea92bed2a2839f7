"""English rules for times of day: 3 pm, at 9:30, 9 o'clock, from 3 to 5 pm, noon, in the morning."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.atoms import Anchor, Clock, Rule, rule
from memplane.domain.timex.dayparts import clock_of
from memplane.domain.timex.values import Grain

_HALF: Final = r"(?P<ap>[ap])\.?m\b\.?"
_NUMBERS: Final = {
    name: value
    for value, name in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
    )
}
_HOUR: Final = rf"(?P<h>1[0-2]|0?[1-9]|{'|'.join(_NUMBERS)})"


def _hour(text: str, half: str | None) -> int:
    hour = int(text) if text.isdigit() else _NUMBERS[text.lower()]
    return hour if half is None else hour % 12 + (12 if half.lower() == "p" else 0)


def _twelve_hours(match: re.Match[str], _: Anchor) -> Clock:
    half, minute = match["ap"], match["mi"]
    start = _hour(match["h"], half) * 60 + int(minute or 0)
    return Clock(
        start, start + (1 if minute else 60), Grain.MINUTE if minute else Grain.HOUR, 12 if half.lower() == "p" else 0
    )


def _between(match: re.Match[str], _: Anchor) -> Clock | None:
    end = _hour(match["k"], match["ap"]) * 60 + int(match["mk"] or 0)
    start = _hour(match["h"], match["ap"]) * 60 + int(match["mi"] or 0)
    if start >= end:  # "from 11 to 2 pm"
        start -= 12 * 60
    return Clock(start, end, Grain.SPAN, 12 if match["ap"].lower() == "p" else 0) if 0 <= start < end else None


def _o_clock(match: re.Match[str], _: Anchor) -> Clock:
    start = _hour(match["h"], None) * 60
    return Clock(start, start + 60, Grain.HOUR, guess=True)


def _part(match: re.Match[str], _: Anchor) -> Clock:
    return clock_of(match["p"])


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"(?<![\d.:$/-])\b(?P<h>1[0-2]|0?[1-9])(?::(?P<mi>[0-5]\d))?\s?{_HALF}", _twelve_hours),
    rule(
        r"(?<![\d.:$/])\b(?P<h>1[0-2]|0?[1-9])(?::(?P<mi>[0-5]\d))?\s?(?:-|–|to|until|and)\s?"
        rf"(?P<k>1[0-2]|0?[1-9])(?::(?P<mk>[0-5]\d))?\s?{_HALF}",
        _between,
    ),
    rule(rf"\b{_HOUR} o'?clock\b", _o_clock),
    rule(
        r"\b(?:at|around|by|about) (?P<span>(?P<h>1[0-2]|[1-9]))"
        r"(?=[.,;!?)]|\s*$|\s(?:tomorrow|today|tonight|on|in the|this|for|sharp)\b)",
        _o_clock,
    ),
    rule(r"\b(?:at |around |by )?(?P<p>noon|midday|midnight|lunchtime)\b", _part),
    rule(r"\b(?:(?:in|during) the )?(?P<p>early morning|morning|afternoon|evening|night|tonight)\b(?!s)", _part),
)
