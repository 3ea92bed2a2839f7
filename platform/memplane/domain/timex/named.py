"""Expressions that leave their week, month or year open: which Friday, which weekend, which 16th, which March.

The preference of the anchor decides; the functions raise ``ValueError`` where no such day is near.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from memplane.domain.timex.atoms import Anchor, Window
from memplane.domain.timex.calendar import DAY, days, midnight, weekday_on_or_after, weekend
from memplane.domain.timex.values import Grain, Kind


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


def named_weekend(anchor: Anchor) -> Window:
    """A weekend without its week: the one of this week while it lasts, before it the last one if the past is meant."""
    passed = anchor.prefer == "past" and anchor.today.weekday() < 5
    return weekend(anchor.today, -1 if passed else 0)


def named_day(anchor: Anchor, number: int) -> Window:
    """A day of the month without its month, by preference; today counts as past and as future."""
    today = anchor.today
    near: list[date] = []
    for shift in range(-2, 3):
        month = today.month - 1 + shift
        try:
            near.append(date(today.year + month // 12, month % 12 + 1, number))
        except ValueError:
            continue
    if anchor.prefer == "past":
        day = max(day for day in near if day <= today)
    elif anchor.prefer == "future":
        day = min(day for day in near if day >= today)
    else:
        day = min(near, key=lambda day: (abs(day - today), day < today))
    return Window(midnight(day), midnight(day + DAY), Grain.DAY, Kind.ABSOLUTE)
