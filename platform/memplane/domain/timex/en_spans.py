"""English rules that count from now: 3 days ago, in two weeks, the past month, within ten days, recently."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.atoms import Anchor, Rule, Window, rule
from memplane.domain.timex.calendar import rolling, shifted
from memplane.domain.timex.numerals import EN_NUMBER, en_number
from memplane.domain.timex.vague import few, recent
from memplane.domain.timex.values import Kind

_UNIT: Final = r"(?P<u>minute|hour|day|weekend|week|month|year|decade)s?\b"
_COUNT: Final = rf"(?P<n>{EN_NUMBER}|(?:a )?couple(?: of)?)\s{_UNIT}"
_FEW: Final = r"(?:a few|few|several|some)\s"
# "I learned it in three days", "the first time in two years" are durations.
_DONE: Final = re.compile(
    r"\b(?:haven't|hasn't|hadn't|never|first|best|worst|only|once|twice|times?|finished|done|did|learned|learnt|lost|built|made|completed|won|read|wrote"
    r"|been|seen|happened|gained|earned|saved|ran|grew|days?|hours?|minutes?)\b[^.!?]{0,30}$",
    re.IGNORECASE,
)
_LOOK_BACK: Final = 40


def _number(match: re.Match[str]) -> int:
    return 2 if "couple" in match["n"].lower() else en_number(match["n"])


def _unit(match: re.Match[str]) -> str:
    return match["u"].lower()


def _ago(match: re.Match[str], anchor: Anchor) -> Window | None:
    number = _number(match)
    return shifted(anchor, _unit(match), -number) if number else None


def _ahead(match: re.Match[str], anchor: Anchor) -> Window | None:
    number = _number(match)
    return shifted(anchor, _unit(match), number) if number else None


def _in(match: re.Match[str], anchor: Anchor) -> Window | None:
    return None if _lasts(match) else _ahead(match, anchor)


def _lasts(match: re.Match[str]) -> bool:
    return _DONE.search(match.string[max(0, match.start() - _LOOK_BACK) : match.start()]) is not None


def _half(match: re.Match[str], anchor: Anchor) -> Window:
    direction = -1 if match["dir"].lower() == "ago" else 1
    if match["u"].lower() == "hour":
        return shifted(anchor, "minute", 30 * direction)
    return shifted(anchor, "month", 6 * direction)


def _half_ahead(match: re.Match[str], anchor: Anchor) -> Window:
    return shifted(anchor, "minute", 30) if match["u"].lower() == "hour" else shifted(anchor, "month", 6)


def _past(match: re.Match[str], anchor: Anchor) -> Window | None:
    number = _number(match) if match["n"] else 1
    return rolling(anchor, _unit(match), -number) if number else None


def _coming(match: re.Match[str], anchor: Anchor) -> Window | None:
    number = _number(match)
    return rolling(anchor, _unit(match), number) if number else None


def _within(match: re.Match[str], anchor: Anchor) -> Window | None:
    number = _number(match) if match["n"] else 1
    return rolling(anchor, _unit(match), -number if anchor.prefer == "past" else number) if number else None


def _few_ago(match: re.Match[str], anchor: Anchor) -> Window:
    return few(anchor, _unit(match), -1)


def _few_ahead(match: re.Match[str], anchor: Anchor) -> Window | None:
    if _lasts(match):
        return None
    return few(anchor, _unit(match), 1)


def _few_past(match: re.Match[str], anchor: Anchor) -> Window:
    return rolling(anchor, _unit(match), -5)


def _few_coming(match: re.Match[str], anchor: Anchor) -> Window:
    return rolling(anchor, _unit(match), 5)


def _recent(_: re.Match[str], anchor: Anchor) -> Window:
    return recent(anchor)


def _other_day(_: re.Match[str], anchor: Anchor) -> Window:
    window = rolling(anchor, "day", -7)
    return Window(window.lo, window.hi, window.grain, Kind.VAGUE)


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"(?<![\d.,-])\b{_COUNT} (?:ago|back)\b(?! (?:in|to|at|home))", _ago),
    rule(r"\b(?:half a|half an) (?P<u>year|hour) (?P<dir>ago|from now)\b", _half),
    rule(r"\bin half an? (?P<u>year|hour)\b", _half_ahead),
    rule(rf"\bin (?:about |around )?{_COUNT}(?!\s(?:of|or)\b)(?:'s? time)?", _in),
    rule(rf"(?<![\d.,-])\b{_COUNT} from (?:now|today)\b", _ahead),
    rule(
        r"\b(?:the |these |this )?(?:past|last) "
        r"(?:(?P<n>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|couple(?: of)?) )?"
        r"(?P<u>minute|hour|day|week|month|year|decade)s\b",
        _past,
    ),
    rule(r"\b(?:the |this )?past (?P<n>)(?P<u>hour|day|week|month|year|decade)\b", _past),
    rule(rf"\b(?:the )?(?:next|coming) {_COUNT}", _coming),
    rule(rf"\bwithin (?:the )?(?:next )?{_COUNT}", _within),
    rule(r"\bwithin (?:the|this) (?P<n>)(?P<u>hour|day|week|month|year)\b", _within),
    rule(rf"\b{_FEW}{_UNIT} (?:ago|back)\b(?! (?:in|to|at|home))", _few_ago),
    rule(rf"\bin (?:a few|several) {_UNIT}", _few_ahead),
    rule(rf"\b(?:the |these )?(?:past|last) (?:few|several) {_UNIT}", _few_past),
    rule(rf"\b(?:the )?(?:next|coming) (?:few|several) {_UNIT}", _few_coming),
    rule(r"\b(?:recently|lately|as of late|of late)\b(?! nights?\b)", _recent),
    rule(r"\bthe other (?:day|night|evening)\b", _other_day),
)
