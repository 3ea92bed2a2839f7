"""Parts of the day as windows of the wall clock. A night belongs to the day on which it begins, and ends with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from memplane.domain.timex.atoms import Clock, Window
from memplane.domain.timex.calendar import midnight
from memplane.domain.timex.values import Grain

_HOURS: Final = {
    "凌晨": (0, 6), "清晨": (5, 8), "早晨": (5, 12), "早上": (5, 12), "早": (5, 12), "上午": (6, 12), "中午": (11, 14),
    "正午": (12, 13), "午后": (12, 18), "下午": (12, 18), "傍晚": (17, 20), "晚上": (18, 24), "晚间": (18, 24),
    "晚": (18, 24), "夜里": (18, 24), "夜晚": (18, 24), "深夜": (22, 24), "半夜": (0, 6), "夜间": (18, 24),
    "early morning": (4, 8), "morning": (5, 12), "noon": (12, 13), "midday": (11, 14), "lunchtime": (11, 14),
    "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24), "tonight": (18, 24), "midnight": (0, 1),
}  # fmt: skip
_AFTER_NOON: Final = 11
ZH_PARTS: Final = r"(?:凌晨|清晨|早晨|早上|上午|中午|正午|午后|下午|傍晚|晚上|晚间|夜里|夜晚|深夜|半夜|夜间|早|晚)"


def clock_of(name: str) -> Clock:
    """The window of a part of the day."""
    lo, hi = _HOURS[name.lower()]
    return Clock(lo * 60, hi * 60, Grain.PART, 12 if lo >= _AFTER_NOON else 0)


def part_of(day: date, name: str) -> Window:
    """A part of a day."""
    clock = clock_of(name)
    start = midnight(day)
    return Window(start + timedelta(minutes=clock.lo), start + timedelta(minutes=clock.hi), Grain.PART)


def settled(clock: Clock) -> Clock:
    """A time of day that stays without its half of the day: "at 4", "三点" are after noon, "9点" is before."""
    if clock.guess and clock.half is None and 60 <= clock.lo < 6 * 60:
        return replace(clock, lo=clock.lo + 12 * 60, hi=clock.hi + 12 * 60, half=12)
    return clock


def in_part(hour: int, name: str) -> int:
    """The hour of the 24-hour clock that is meant by ``hour`` in a part of the day (晚上12点 is 24, 下午3点 is 15)."""
    lo, _ = _HOURS[name.lower()]
    if name in {"晚上", "晚间", "晚", "夜里", "深夜", "夜晚", "夜间", "night", "tonight"}:
        if hour == 12:
            return 24
        return hour + 24 if hour < 5 else hour + 12 if hour < 12 else hour
    if lo >= _AFTER_NOON:
        return hour + 12 if hour < (10 if lo == _AFTER_NOON else 12) else hour
    return 0 if hour == 12 and lo == 0 else hour
