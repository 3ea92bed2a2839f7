"""English rules for days and weeks: yesterday, last Friday, next weekend, the day before yesterday."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.atoms import Anchor, Rule, Window, rule
from memplane.domain.timex.calendar import DAY, days, midnight, monday, week, weekend
from memplane.domain.timex.dayparts import part_of
from memplane.domain.timex.named import named_day, named_weekday, named_weekend
from memplane.domain.timex.values import Grain

_NAMES: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT: Final = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
WEEKDAY: Final = rf"(?P<wd>{_FULL}|{_SHORT})\b(?!s)"
_RELATION: Final = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
_NOT_REPEATED: Final = (
    r"(?<!every )(?<!each )(?<!most )(?<!black )(?<!cyber )(?<!good )(?<!first )(?<!second )(?<!third )(?<!other )"
)


def _weekday_number(match: re.Match[str]) -> int:
    return _NAMES.index(match["wd"][:3].lower())


def _yesterday(match: re.Match[str], anchor: Anchor) -> Window:
    name = match.group().lower()
    shift = 0 if name == "today" else -1 if name.startswith("y") else 1
    return days(anchor.today + shift * DAY, 1)


def _day_but_one(match: re.Match[str], anchor: Anchor) -> Window:
    return days(anchor.today + (-2 if match["dir"].lower() == "before" else 2) * DAY, 1)


def _this_part(match: re.Match[str], anchor: Anchor) -> Window:
    return part_of(anchor.today, match["p"] or match["q"])


def _last_night(_: re.Match[str], anchor: Anchor) -> Window:
    return part_of(anchor.today - DAY, "night")


def _rest_of_today(match: re.Match[str], anchor: Anchor) -> Window:
    start, moment = midnight(anchor.today), anchor.now.replace(microsecond=0)
    if match["when"].lower() == "earlier":
        return Window(start, moment if moment > start else start + DAY, Grain.DAY)
    return Window(moment, start + DAY, Grain.DAY)


def _relative_weekday(match: re.Match[str], anchor: Anchor) -> Window:
    relation, weekday, today = match["rel"].lower().split()[-1], _weekday_number(match), anchor.today
    if relation in {"last", "past", "previous"}:
        return days(today - ((today.weekday() - weekday - 1) % 7 + 1) * DAY, 1)
    if relation == "coming":
        return days(today + ((weekday - today.weekday() - 1) % 7 + 1) * DAY, 1)
    return days(monday(today) + (7 * _RELATION[relation] + weekday) * DAY, 1)


def _weekday_of_week(match: re.Match[str], anchor: Anchor) -> Window:
    return days(monday(anchor.today) + (7 * _RELATION[match["rel"].lower()] + _weekday_number(match)) * DAY, 1)


def _weekday(match: re.Match[str], anchor: Anchor) -> Window:
    return named_weekday(anchor, _weekday_number(match))


def _week(match: re.Match[str], anchor: Anchor) -> Window:
    return week(anchor.today, _RELATION[match["rel"].lower()])


def _week_but_one(match: re.Match[str], anchor: Anchor) -> Window:
    shift = -2 if match["dir"].lower() == "before" else 2
    if match["wd"]:
        return days(monday(anchor.today) + (7 * shift + _weekday_number(match)) * DAY, 1)
    return (weekend if match["u"] else week)(anchor.today, shift)


def _weekend(match: re.Match[str], anchor: Anchor) -> Window:
    relation = match["rel"].lower().split()[-1]
    return weekend(anchor.today, 0 if relation == "coming" else _RELATION[relation])


def _weekend_by_preference(_: re.Match[str], anchor: Anchor) -> Window:
    return named_weekend(anchor)


def _ordinal(match: re.Match[str], anchor: Anchor) -> Window | None:
    number = int(match["n"])
    return named_day(anchor, number) if 1 <= number <= 31 else None


RULES: Final[tuple[Rule, ...]] = (
    rule(r"\b(?:yesterday|today|tomorrow|tmrw)\b", _yesterday),
    rule(r"\b(?:the )?day (?P<dir>before|after) (?:yesterday|tomorrow)\b", _day_but_one),
    rule(r"\b(?:this (?=[mae])(?P<p>(?:early )?morning|afternoon|evening)|(?P<q>tonight))\b", _this_part),
    rule(r"\blast night\b", _last_night),
    rule(r"\b(?P<when>earlier|later) today\b", _rest_of_today),
    rule(rf"\b(?P<rel>this past|this coming|last|past|previous|this|next|coming) {WEEKDAY}", _relative_weekday),
    rule(rf"\b{WEEKDAY} (?:of )?(?P<rel>last|this|next) week\b", _weekday_of_week),
    rule(rf"\b(?P<rel>last|this|next) week,? (?:on )?{WEEKDAY}", _weekday_of_week),
    rule(rf"{_NOT_REPEATED}\b(?P<wd>{_FULL})\b(?! school\b)", _weekday),
    rule(rf"\b(?:on|by|until|till|before|since) (?P<span>(?P<wd>{_SHORT})\b)", _weekday),
    rule(r"\b(?P<rel>last|previous|this|next|coming) week\b(?!-|end)", _week),
    rule(rf"\bthe (?:week(?P<u>end)?|(?P<wd>{_FULL})) (?P<dir>before|after) (?:last|next)\b", _week_but_one),
    rule(r"\b(?P<rel>this past|this coming|last|past|previous|this|next|coming) weekend\b", _weekend),
    rule(r"\b(?:on|at|over|during|for) (?P<span>the weekend)\b", _weekend_by_preference),
    rule(
        r"\b(?:on|by|until|till|before|since) (?P<span>the (?P<n>\d{1,2})(?:st|nd|rd|th))"
        r"(?=[.,;!?)]|\s*$|\s(?:at|for|to|we|i|and|with|in the)\b)",
        _ordinal,
    ),
)
