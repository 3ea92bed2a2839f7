"""Dates in digits, the same in every language: ISO 8601, year first, and day and month where their order is certain."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from memplane.domain.timex.atoms import Anchor, Clock, Rule, Window, rule
from memplane.domain.timex.calendar import exact_day, months
from memplane.domain.timex.named import yearly
from memplane.domain.timex.values import Grain, Kind

# Not inside a word, a code, a path, a version or a longer number.
_LEFT: Final = r"(?<![A-Za-z0-9_])(?<![A-Za-z0-9_][-/.:#+])(?<![#$¥€£.])"
_RIGHT: Final = r"(?![A-Za-z0-9_]|[-/.:][A-Za-z0-9])"


def _timestamp(match: re.Match[str], anchor: Anchor) -> Window:
    moment = datetime.fromisoformat(match.group().replace(" ", "T").replace("z", "Z"))
    local = moment.astimezone(anchor.zone).replace(tzinfo=None, second=0, microsecond=0)
    return Window(local, local + timedelta(minutes=1), Grain.MINUTE, Kind.ABSOLUTE)


def _year_first(match: re.Match[str], _: Anchor) -> Window:
    return exact_day(int(match["y"]), int(match["m"]), int(match["d"]))


def _year_month(match: re.Match[str], _: Anchor) -> Window:
    return months(int(match["y"]), int(match["mo"]), kind=Kind.ABSOLUTE)


def _year_last(match: re.Match[str], _: Anchor) -> Window | None:
    order = _month_and_day(int(match["a"]), int(match["b"]))
    return exact_day(int(match["y"]), *order) if order else None


def _no_year(match: re.Match[str], anchor: Anchor) -> Window | None:
    order = _month_and_day(int(match["a"]), int(match["b"]))
    return yearly(anchor, lambda year: exact_day(year, *order)) if order else None


def _month_and_day(first: int, second: int) -> tuple[int, int] | None:
    """Month and day, where the order follows from the numbers: 6/16 and 16/6 do, 12/03 does not."""
    if first > 12 >= second:
        return second, first
    if second > 12 >= first or first == second:
        return first, second
    return None


def _clock(match: re.Match[str], _: Anchor) -> Clock:
    start = int(match["h"]) * 60 + int(match["mi"])
    return Clock(start, start + 1, Grain.MINUTE)


RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"{_LEFT}\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{{1,6}})?)?(?:Z|[+-]\d\d:?\d\d)(?![A-Za-z0-9])",
        _timestamp,
    ),
    rule(
        rf"{_LEFT}(?P<y>(?:19|20)\d\d)(?P<s>[-/.])(?P<m>0?[1-9]|1[0-2])(?P=s)(?P<d>0?[1-9]|[12]\d|3[01])(?:(?=T\d\d:)|{_RIGHT})",
        _year_first,
    ),
    rule(rf"{_LEFT}(?P<y>(?:19|20)\d\d)-(?P<mo>0[1-9]|1[0-2]){_RIGHT}", _year_month),
    rule(rf"{_LEFT}(?P<a>\d{{1,2}})(?P<s>[/.])(?P<b>\d{{1,2}})(?P=s)(?P<y>(?:19|20)\d\d){_RIGHT}", _year_last),
    rule(rf"\b(?:on|by|before|after|since|until|till) (?P<span>(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})){_RIGHT}", _no_year),
    rule(
        r"(?:(?<![A-Za-z0-9_.,:/-])|(?<=\dT))(?<!比分)(?<!score )(?P<h>[01]?\d|2[0-3]):(?P<mi>[0-5]\d)(?::[0-5]\d)?"
        r"(?![\d:.]?\d|\s*[ap]\.?m\b)",
        _clock,
    ),
)
