"""Chinese rules for dates, months, seasons and years: 2025年6月16日, 6月1日到5日, 上个月底, 去年夏天."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.atoms import Anchor, Rule, Window, rule
from memplane.domain.timex.calendar import (
    exact_day,
    month_at,
    month_part,
    month_start,
    months,
    season,
    year_part,
    years,
)
from memplane.domain.timex.named import yearly
from memplane.domain.timex.numerals import zh_number, zh_year
from memplane.domain.timex.values import Grain, Kind

_YEARS: Final = {
    "大前年": -3,
    "前年": -2,
    "去年": -1,
    "上年": -1,
    "今年": 0,
    "本年": 0,
    "明年": 1,
    "来年": 1,
    "后年": 2,
}
_MONTHS: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_SEASONS: Final = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_LEFT: Final = r"(?<![A-Za-z0-9_.一二三四五六七八九十])"
_YEAR: Final = (
    r"(?:(?P<y>(?:19|20)\d\d|[一二][九〇零][零〇一二三四五六七八九]{2})\s?年"
    r"|(?P<yr>大前年|前年|去年|今年|明年|来年|后年|本年)的?)"
)
_SHORT_YEAR: Final = r"(?P<y>\d\d)年"
_MONTH: Final = r"(?P<mo>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?"
_NUMBER: Final = r"3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九]"
_DAY: Final = rf"(?P<d>{_NUMBER})\s?[日号]"
_TO: Final = r"(?:\s?[日号]?\s?(?:到|至|[-~—－～]{1,2})\s?)"
_DAYS: Final = rf"(?P<d>{_NUMBER}){_TO}(?P<e>{_NUMBER})\s?[日号]"
_PART: Final = r"(?P<p>初|上旬|中旬|下旬|中|底|末)"
_MONTH_PARTS: Final = {
    "初": "early",
    "上旬": "early",
    "中": "mid",
    "中旬": "mid",
    "下旬": "late",
    "底": "late",
    "末": "late",
}
_HALVES: Final = {"上半年": 1, "下半年": 7}


def _year_of(match: re.Match[str], anchor: Anchor) -> int | None:
    groups = match.groupdict()
    if groups.get("y"):
        return zh_year(match["y"])
    return anchor.today.year + _YEARS[match["yr"]] if groups.get("yr") else None


def _date(match: re.Match[str], anchor: Anchor) -> Window:
    month, day = zh_number(match["mo"]), zh_number(match["d"])
    year = _year_of(match, anchor)
    if year is None:
        return yearly(anchor, lambda year: exact_day(year, month, day), 8 if (month, day) == (2, 29) else 1)
    return exact_day(year, month, day)


def _days(match: re.Match[str], anchor: Anchor) -> Window | None:
    first = _date(match, anchor)
    last = exact_day(first.lo.year, first.lo.month, zh_number(match["e"]))
    return Window(first.lo, last.hi, Grain.DAY, Kind.RANGE) if first.lo < last.hi else None


def _part(match: re.Match[str]) -> str | None:
    name = match.groupdict().get("p")
    return _MONTH_PARTS[name] if name else None


def _month(match: re.Match[str], anchor: Anchor) -> Window:
    month = zh_number(match["mo"])
    part = _part(match)
    year = _year_of(match, anchor)
    kind = Kind.RELATIVE if match.groupdict().get("yr") else Kind.ABSOLUTE
    if year is None:
        return yearly(anchor, lambda year: month_part(months(year, month), part))
    years(year)
    return month_part(months(year, month, kind=kind), part)


def _near_month(match: re.Match[str], anchor: Anchor) -> Window:
    return month_part(month_at(anchor.today, _MONTHS[match["w"]]), _part(match))


def _this_month_part(match: re.Match[str], anchor: Anchor) -> Window:
    return month_part(month_at(anchor.today), _part(match))


def _near_month_day(match: re.Match[str], anchor: Anchor) -> Window:
    first = month_start(anchor.today.year, anchor.today.month + _MONTHS[match["w"]])
    return exact_day(first.year, first.month, zh_number(match["d"]))


def _year(match: re.Match[str], anchor: Anchor) -> Window:
    year = _year_of(match, anchor)
    return years(anchor.today.year if year is None else year, Kind.RELATIVE if match["yr"] else Kind.ABSOLUTE)


def _year_part(match: re.Match[str], anchor: Anchor) -> Window:
    year = _year_of(match, anchor)
    whole = years(anchor.today.year if year is None else year)
    half = _HALVES.get(match["p"])
    if half is not None:
        return months(whole.lo.year, half, 6, Grain.QUARTER)
    return year_part(whole.lo.year, _MONTH_PARTS[match["p"][-1]])


def _quarter(match: re.Match[str], anchor: Anchor) -> Window:
    year = _year_of(match, anchor)
    number = zh_number(match["q"])
    if year is None:
        return yearly(anchor, lambda year: months(year, 3 * number - 2, 3, Grain.QUARTER))
    return months(year, 3 * number - 2, 3, Grain.QUARTER)


def _near_quarter(match: re.Match[str], anchor: Anchor) -> Window:
    first = (anchor.today.month - 1) // 3 * 3 + 1 + 3 * _MONTHS[match["w"]]
    return months(anchor.today.year, first, 3, Grain.QUARTER)


def _season(match: re.Match[str], anchor: Anchor) -> Window:
    year = _year_of(match, anchor)
    name = _SEASONS[match["s"]]
    return yearly(anchor, lambda year: season(year, name)) if year is None else season(year, name)


def _decade(match: re.Match[str], _: Anchor) -> Window:
    number = int(match["n"]) if match["n"].isdigit() else zh_number(match["n"])
    century = 1900 if number >= 30 else 2000
    return months(century + number, 1, 120, Grain.DECADE, Kind.ABSOLUTE)


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_LEFT}{_YEAR}\s?{_MONTH}\s?{_DAYS}", _days),
    rule(rf"{_LEFT}{_YEAR}\s?{_MONTH}\s?{_DAY}", _date),
    rule(rf"{_LEFT}{_YEAR}\s?{_MONTH}{_PART}?", _month),
    rule(rf"{_LEFT}{_SHORT_YEAR}{_MONTH}\s?{_DAY}", _date),
    rule(rf"{_LEFT}{_SHORT_YEAR}{_MONTH}", _month),
    rule(rf"{_LEFT}{_MONTH}\s?{_DAYS}", _days),
    rule(rf"{_LEFT}{_MONTH}\s?{_DAY}", _date),
    rule(rf"{_LEFT}{_MONTH}(?:{_PART}(?![国间]))?(?![饼亮球])", _month),
    rule(rf"(?P<w>上上|下下|上|下|这|本)个?月的?\s?{_DAY}", _near_month_day),
    rule(
        rf"(?P<w>上上|下下|上|下|这|本)(?:(?<=[上下这])个|(?<=[上下本]))月(?:的?{_PART}(?!国))?(?![饼亮球台])",
        _near_month,
    ),
    rule(r"(?<![A-Za-z0-9_上下本这每个整满累岁蜜一二三四五六七八九十])月(?P<p>初|中旬|底|末)", _this_month_part),
    rule(rf"{_LEFT}{_YEAR}(?<!的)", _year),
    rule(rf"{_LEFT}{_YEAR}?(?P<p>上半年|下半年|年初|年中|年底|年末|(?<=年)[初中底末])(?![级国])", _year_part),
    rule(rf"{_LEFT}{_YEAR}?第?(?P<q>[一二三四1-4])季度", _quarter),
    rule(r"(?P<w>上上|下下|上|下|这|本)个?季度", _near_quarter),
    rule(rf"(?<![立一青思怀早初暮仲深])(?:{_YEAR})?(?P<s>[春夏秋冬])(?:天|季)", _season),
    rule(r"(?<!\d)(?P<n>[2-9]0|[二三四五六七八九]十)年代", _decade),
)
