"""Windows of the calendar on the local wall clock: days, weeks from Monday, months, seasons, years.

Seasons are those of the northern hemisphere by month: spring from March, winter from December to February and named
after the year in which it begins. Functions raise ``ValueError`` or ``OverflowError`` for dates that do not exist.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Final

from memplane.domain.timex.atoms import Anchor, Window
from memplane.domain.timex.values import Grain, Kind

DAY: Final = timedelta(days=1)
FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2100
_MONTH_PARTS: Final = {"early": (0, 10), "mid": (10, 20), "late": (20, 31)}
SEASON_START: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def midnight(day: date) -> datetime:
    """The first moment of ``day``."""
    return datetime.combine(day, time())


def days(first: date, count: int, grain: Grain = Grain.DAY, kind: Kind = Kind.RELATIVE) -> Window:
    """``count`` whole days from ``first`` on."""
    return Window(midnight(first), midnight(first + count * DAY), grain, kind)


def monday(day: date) -> date:
    """The Monday of the calendar week of ``day``."""
    return day - day.weekday() * DAY


def week(day: date, shift: int = 0) -> Window:
    """The calendar week ``shift`` weeks after that of ``day``."""
    return days(monday(day) + shift * 7 * DAY, 7, Grain.WEEK)


def weekend(day: date, shift: int = 0) -> Window:
    """Saturday and Sunday of the calendar week ``shift`` weeks after that of ``day``."""
    return days(monday(day) + (shift * 7 + 5) * DAY, 2, Grain.WEEKEND)


def month_start(year: int, month: int) -> date:
    """The first day of a month; months below 1 and above 12 run into the neighbouring years."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def months(year: int, month: int, count: int = 1, grain: Grain = Grain.MONTH, kind: Kind = Kind.RELATIVE) -> Window:
    """``count`` whole months from a month on."""
    return Window(midnight(month_start(year, month)), midnight(month_start(year, month + count)), grain, kind)


def month_at(day: date, shift: int = 0) -> Window:
    """The month ``shift`` months after that of ``day``."""
    return months(day.year, day.month + shift)


def years(year: int, kind: Kind = Kind.RELATIVE) -> Window:
    """One calendar year; ``ValueError`` outside the years that people talk about."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(f"year {year} is outside {FIRST_YEAR}-{LAST_YEAR}")
    return months(year, 1, 12, Grain.YEAR, kind)


def season(year: int, name: str, kind: Kind = Kind.RELATIVE) -> Window:
    """A season of the year in which it begins."""
    return months(year, SEASON_START[name], 3, Grain.SEASON, kind)


def exact_day(year: int, month: int, day: int) -> Window:
    """A day of the calendar."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(f"year {year} is outside {FIRST_YEAR}-{LAST_YEAR}")
    return days(date(year, month, day), 1, Grain.DAY, Kind.ABSOLUTE)


def weekday_on_or_after(day: date, weekday: int) -> date:
    """The first day with ``weekday`` (Monday is 0) that is not before ``day``."""
    return day + (weekday - day.weekday()) % 7 * DAY


def month_part(month: Window, part: str | None) -> Window:
    """Ten days of a month (``early``, ``mid``), or what is left of it (``late``); all of it for ``None``."""
    if part is None:
        return month
    lo, hi = _MONTH_PARTS[part]
    return replace(month, lo=month.lo + lo * DAY, hi=min(month.lo + hi * DAY, month.hi))


def year_part(year: int, part: str | None) -> Window:
    """Three months of a year (``early``, ``late``), June and July (``mid``), or all of it (``None``)."""
    if part is None:
        return years(year)
    first, count = {"early": (1, 3), "mid": (6, 2), "late": (10, 3)}[part]
    return months(years(year).lo.year, first, count, Grain.QUARTER)


def shifted(anchor: Anchor, unit: str, count: int) -> Window:
    """The calendar unit that lies ``count`` units from the reference: "two weeks ago" is a week, "a year ago" a year.

    ``unit``: minute, hour, day, weekend, week, month, year or decade.
    """
    today = anchor.today
    if unit in {"minute", "hour"}:
        moment = anchor.now.replace(second=0, microsecond=0) + timedelta(**{f"{unit}s": count})
        start = moment if unit == "minute" else moment.replace(minute=0)
        return Window(start, start + timedelta(**{f"{unit}s": 1}), Grain(unit))
    if unit == "day":
        return days(today + count * DAY, 1)
    if unit in {"week", "weekend"}:
        return (week if unit == "week" else weekend)(today, count)
    if unit == "month":
        return month_at(today, count)
    return years(today.year + count * (10 if unit == "decade" else 1))


def rolling(anchor: Anchor, unit: str, count: int) -> Window:
    """The last (``count`` < 0) or next ``count`` units, today included: "the last three days", "未来两周"."""
    today = anchor.today
    if unit in {"minute", "hour"}:
        edge = anchor.now.replace(microsecond=0) + timedelta(**{f"{unit}s": count})
        lo, hi = sorted((edge, anchor.now.replace(microsecond=0)))
        return Window(lo, hi + timedelta(seconds=1), Grain.SPAN, Kind.RANGE)
    if unit in {"day", "week", "weekend"}:
        edge_day = today + count * (1 if unit == "day" else 7) * DAY
    else:
        step = {"month": 1, "year": 12, "decade": 120}[unit] * count
        first = month_start(today.year, today.month + step)
        last = (month_start(first.year, first.month + 1) - DAY).day
        edge_day = first.replace(day=min(today.day, last))
    lo_day, hi_day = sorted((edge_day, today))
    return Window(midnight(lo_day), midnight(hi_day + DAY), Grain.SPAN, Kind.RANGE)
