"""English rules for dates, months, seasons and years: June 16, 2025; in March; last summer; since 2019."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.atoms import Anchor, Rule, Window, rule
from memplane.domain.timex.calendar import exact_day, month_at, month_part, months, season, year_part, years
from memplane.domain.timex.named import yearly
from memplane.domain.timex.numerals import en_number
from memplane.domain.timex.values import Grain, Kind

_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(?P<mo>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_NAME: Final = _MONTH.replace("?P<mo>", "?:")
# Month names that are no other word and no first name.
_PLAIN: Final = r"(?P<mo>january|february|july|september|october|november|december)\b"
_DAY: Final = r"(?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\b(?![:/%]|\.\d)"
_TO: Final = r"\s?(?:-|–|—|to|through|until)\s?"
_YEAR: Final = r"(?P<y>(?:19|20)\d\d)\b(?![-/]\d)"
_OWN_YEAR: Final = rf"(?:,?\s+(?:of\s+)?{_YEAR})"
_CUE: Final = r"(?:in|since|until|till|by|during|from|through|before|after|for|of|around|late|early|mid)[ -]"
_PARTS: Final = {
    "early": "early",
    "beginning of": "early",
    "start of": "early",
    "mid": "mid",
    "middle of": "mid",
    "late": "late",
    "end of": "late",
}
_RELATION: Final = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
_SEASONS: Final = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter"}
_SEASON: Final = r"(?P<s>spring|summer|autumn|fall|winter)(?:time)?\b"


def _month_number(match: re.Match[str]) -> int:
    return _NAMES.index(match["mo"][:3].lower()) + 1


def _date(match: re.Match[str], anchor: Anchor) -> Window:
    month, day, year = _month_number(match), int(match["d"]), match.groupdict().get("y")
    if year is not None:
        return exact_day(int(year), month, day)
    return yearly(anchor, lambda year: exact_day(year, month, day), 8 if (month, day) == (2, 29) else 1)


def _days(match: re.Match[str], anchor: Anchor) -> Window | None:
    first = _date(match, anchor)
    last = exact_day(first.lo.year, first.lo.month, int(match["e"]))
    return Window(first.lo, last.hi, Grain.DAY, Kind.RANGE) if first.lo < last.lo else None


def _month_of_year(match: re.Match[str], _: Anchor) -> Window:
    years(int(match["y"]))
    return month_part(months(int(match["y"]), _month_number(match), kind=Kind.ABSOLUTE), _part(match))


def _month(match: re.Match[str], anchor: Anchor) -> Window:
    number, part = _month_number(match), _part(match)
    return yearly(anchor, lambda year: month_part(months(year, number), part))


def _part(match: re.Match[str]) -> str | None:
    name = match.groupdict().get("part")
    return _PARTS[name.lower().replace("the ", "").strip(" -")] if name else None


def _near_month_name(match: re.Match[str], anchor: Anchor) -> Window:
    number, relation, today = _month_number(match), match["rel"].lower(), anchor.today
    if relation == "this":
        return months(today.year, number)
    if relation in {"next", "coming"}:
        return months(today.year + (number <= today.month), number)
    return months(today.year - (number >= today.month), number)


def _month_and_year(match: re.Match[str], anchor: Anchor) -> Window:
    return months(anchor.today.year + _RELATION[match["rel"].lower()], _month_number(match))


def _unit(match: re.Match[str], anchor: Anchor) -> Window:
    shift, today = _RELATION[match["rel"].lower()], anchor.today
    if match["u"].lower() == "month":
        return month_part(month_at(today, shift), _part(match))
    if match["u"].lower() == "quarter":
        return months(today.year, (today.month - 1) // 3 * 3 + 1 + 3 * shift, 3, Grain.QUARTER)
    return year_part(today.year + shift, _part(match))


def _this_unit(match: re.Match[str], anchor: Anchor) -> Window:
    if match["u"].lower() == "month":
        return month_part(month_at(anchor.today), _part(match))
    return year_part(anchor.today.year, _part(match))


def _year(match: re.Match[str], _: Anchor) -> Window:
    return years(int(match["y"]), Kind.ABSOLUTE)


def _year_range(match: re.Match[str], _: Anchor) -> Window | None:
    first, last = years(int(match["y"])), years(int(match["z"]))
    return Window(first.lo, last.hi, Grain.YEAR, Kind.RANGE) if first.lo < last.lo else None


def _decade(match: re.Match[str], _: Anchor) -> Window:
    number = int(match["n"])
    first = number if number >= 1900 else number + (1900 if number >= 30 else 2000)
    return months(years(first).lo.year, 1, 120, Grain.DECADE, Kind.ABSOLUTE)


def _quarter(match: re.Match[str], anchor: Anchor) -> Window:
    first = 3 * int(match["q"]) - 2
    if match["y"]:
        return months(int(match["y"]), first, 3, Grain.QUARTER, Kind.ABSOLUTE)
    return yearly(anchor, lambda year: months(year, first, 3, Grain.QUARTER))


def _season(match: re.Match[str], anchor: Anchor) -> Window:
    name = _SEASONS[match["s"].lower()]
    groups = match.groupdict()
    if groups.get("y"):
        return season(int(match["y"]), name, Kind.ABSOLUTE)
    relation, today = (groups.get("rel") or "").lower(), anchor.today
    if not relation:
        return yearly(anchor, lambda year: season(year, name))
    near = [season(today.year + shift, name) for shift in (-2, -1, 0, 1, 2)]
    if relation == "this":
        return min((window for window in near if window.hi.date() > today), key=lambda window: window.lo)
    if relation in {"next", "coming"}:
        return min((window for window in near if window.lo.date() > today), key=lambda window: window.lo)
    return max((window for window in near if window.hi.date() <= today), key=lambda window: window.lo)


def _ordinal_of_near_month(match: re.Match[str], anchor: Anchor) -> Window:
    month = month_at(anchor.today, _RELATION[match["rel"].lower()]).lo
    return exact_day(month.year, month.month, en_number(match["d"]))


_PART: Final = r"(?P<part>(?:the )?(?:early|mid|late|beginning of|start of|middle of|end of))[ -](?:the )?"
RULES: Final[tuple[Rule, ...]] = (
    rule(rf"\b{_MONTH} {_DAY}{_TO}(?P<e>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\b(?!:)(?:{_OWN_YEAR})?", _days),
    rule(
        rf"\b(?<![:/.-])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?{_TO}(?P<e>\d{{1,2}})(?:st|nd|rd|th)?"
        rf" (?:of )?{_MONTH}(?:{_OWN_YEAR})?",
        _days,
    ),
    rule(rf"\b{_MONTH} (?:the )?{_DAY}(?:{_OWN_YEAR})?", _date),
    rule(rf"\b(?<![:/.-])(?:the )?{_DAY} (?:of )?{_MONTH}(?:{_OWN_YEAR})?", _date),
    rule(rf"\b(?:{_PART})?{_MONTH}{_OWN_YEAR}", _month_of_year),
    rule(rf"\b{_PART}{_MONTH}(?! \d)", _month),
    rule(rf"\b{_CUE}(?P<span>{_MONTH})(?! \d)", _month),
    rule(rf"\b{_PLAIN}(?! \d)", _month),
    rule(rf"\b{_MONTH}(?={_TO}(?:{_NAME}))", _month),
    rule(rf"\b(?P<rel>last|past|this|next|coming) {_MONTH}(?! \d)", _near_month_name),
    rule(rf"\b{_MONTH},? (?:of )?(?P<rel>last|this|next) year\b", _month_and_year),
    rule(rf"\b(?P<rel>last|this|next) year,? in {_MONTH}", _month_and_year),
    rule(r"\bthe (?P<d>\d{1,2})(?:st|nd|rd|th) of (?P<rel>last|this|next) month\b", _ordinal_of_near_month),
    rule(rf"\b(?:{_PART})?(?P<rel>last|previous|this|next|coming) (?P<u>month|quarter|year)\b(?!-)", _unit),
    rule(r"\b(?P<part>the end of|the beginning of|the start of|the middle of) the (?P<u>month|year)\b", _this_unit),
    rule(
        rf"\b(?:in|since|until|till|by|during|from|before|after|year|(?:year|end|start|beginning|middle|class) of) "
        # "in 2025 users" counts users.
        rf"(?P<span>{_YEAR})(?!\s+(?!was|is|as|has|his|this|people)[a-z]+s\b|\s+people\b)",
        _year,
    ),
    rule(
        r"(?<![\d$.,/-])(?:from )?(?P<y>(?:19|20)\d\d)\s?(?:-|–|to|until|through)\s?(?P<z>(?:19|20)\d\d)\b(?![-/.]\d)",
        _year_range,
    ),
    rule(r"\b(?:the )?(?:early |mid-? ?|late )?(?P<n>(?:19|20)\d0|(?<=the )[2-9]0)'?s\b", _decade),
    rule(rf"\bQ(?P<q>[1-4])\b(?:[ ,/-]{{1,2}}(?:of )?{_YEAR})?", _quarter),
    rule(rf"\b(?P<rel>last|past|this|next|coming) {_SEASON}", _season),
    rule(rf"\b{_SEASON}(?: of)? {_YEAR}", _season),
    rule(rf"\b(?:in|during|over|since|until|by) (?P<span>the {_SEASON})(?!\s+of\b)", _season),
)
