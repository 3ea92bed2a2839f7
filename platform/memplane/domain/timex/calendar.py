"""Windows of the calendar on the local wall clock: days, weeks from Monday, months, seasons, years.

Seasons are those of the northern hemisphere by month: spring from March, winter from December to February and named
after the year in which it begins. Functions raise ``ValueError`` or ``OverflowError`` for dates that do not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final

from memplane.domain.timex.atoms import Anchor, Window
from memplane.domain.timex.values import Grain, Kind

DAY: Final = timedelta(days=1)
FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2100
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


def named_weekday(anchor: Anchor, weekday: int) -> Window:
    """A weekday without its week: never today, unless the nearest is asked for (today is called today)."""
    today = anchor.today
    near = [today + shift * DAY for shift in range(-7, 8) if (today + shift * DAY).weekday() == weekday]
    if anchor.prefer == "past":
        day = max(day for day in near if day < today)
    elif anchor.prefer == "future":
        day = min(day for day in near if day > today)
    else:
        day = min(near, key=lambda day: (abs(day - today), day < today))
    window = days(day, 1)
    return Window(
        window.lo, window.hi, Grain.DAY, Kind.RELATIVE, lambda start: days(weekday_on_or_after(start, weekday), 1)
    )


def yearly(anchor: Anchor, in_year: Callable[[int], Window], reach: int = 1) -> Window:
    """An expression without its year, by preference; what holds today counts as past and as future.

    ``in_year`` gives its window in a year or raises ``ValueError`` (29 February); ``reach``: years to look each way.
    """
    today = midnight(anchor.today)
    near = _existing(in_year, range(anchor.today.year - reach, anchor.today.year + reach + 1))
    if anchor.prefer == "past":
        chosen = max((window for window in near if window.lo <= today), key=lambda window: window.lo)
    elif anchor.prefer == "future":
        chosen = min((window for window in near if window.hi > today), key=lambda window: window.lo)
    else:
        chosen = min(
            near, key=lambda window: (max(window.lo - today, today + DAY - window.hi, timedelta()), window.lo < today)
        )
    return Window(chosen.lo, chosen.hi, chosen.grain, Kind.ABSOLUTE, lambda start: _first_from(in_year, start, reach))


def _first_from(in_year: Callable[[int], Window], start: date, reach: int) -> Window:
    near = _existing(in_year, range(start.year, start.year + reach + 1))
    return min((window for window in near if window.lo >= midnight(start)), key=lambda window: window.lo)


def _existing(in_year: Callable[[int], Window], candidates: range) -> list[Window]:
    found: list[Window] = []
    for year in candidates:
        try:
            found.append(in_year(year))
        except ValueError:
            continue
    return found


def shifted(anchor: Anchor, unit: str, count: int) -> Window:
    """The calendar unit that lies ``count`` units from the reference: "two weeks ago" is a week, "a year ago" a year."""
    now, today = anchor.now, anchor.today
    if unit == "minute":
        start = now.replace(second=0, microsecond=0) + timedelta(minutes=count)
        return Window(start, start + timedelta(minutes=1), Grain.MINUTE)
    if unit == "hour":
        start = (now + timedelta(hours=count)).replace(minute=0, second=0, microsecond=0)
        return Window(start, start + timedelta(hours=1), Grain.HOUR)
    if unit == "day":
        return days(today + count * DAY, 1)
    if unit == "weekend":
        return weekend(today, count)
    if unit == "week":
        return week(today, count)
    if unit == "month":
        return month_at(today, count)
    if unit == "decade":
        return years(today.year + 10 * count)
    return years(today.year + count)


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
