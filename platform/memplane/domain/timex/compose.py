"""Atoms that stand together: "Friday afternoon at 3", "6月16日(周一)下午3点", "from June 1 to June 5"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from memplane.domain.timex.atoms import Atom, Clock, Window
from memplane.domain.timex.calendar import midnight
from memplane.domain.timex.dayparts import settled
from memplane.domain.timex.values import Grain, Kind

_TOUCHING: Final = re.compile(r"[\s,，(（]{0,3}(?:the )?")
_TO_CLOCK: Final = re.compile(
    r"[\s,，、)）]{0,3}(?:的|at|around|about|by|in the|from|between|@|T)?\s{0,2}", re.IGNORECASE
)
_TO_DAY: Final = re.compile(r"\s{0,2}(?:,? ?on|of|的)?\s{0,2}(?:the )?", re.IGNORECASE)
_JOIN: Final = re.compile(r"\s{0,2}(?:到|至|[-~–—－～]{1,2}|to|through|thru|until|till)\s{0,2}(?:the )?", re.IGNORECASE)
_AND: Final = re.compile(r"\s{0,2}(?:and|和|与)\s{0,2}(?:the )?", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\bbetween (?:the )?$", re.IGNORECASE)
# "Move it from Monday to Friday" names two days, not the time between them.
_MOVED: Final = re.compile(
    r"\b(?:mov|reschedul|postpon|shift|chang|push|delay|switch|swap)\w*\b[^.!?\n]{0,40}$|[改挪移换调推]\S{0,12}$",
    re.IGNORECASE,
)
_BACK: Final = 60
_NOON: Final = 12 * 60
_DAY: Final = 24 * 60

Merge = Callable[[str, Atom, Atom], Window | Clock | None]


def compose(view: str, atoms: list[Atom]) -> list[Atom]:
    """Join neighbours, in the order in which they depend on each other."""
    for merge in (_clock_in_part, _clock_range, _same_day, _day_with_clock, _window_range):
        atoms = _joined(view, atoms, merge)
    return atoms


def _joined(view: str, atoms: list[Atom], merge: Merge) -> list[Atom]:
    done: list[Atom] = []
    for atom in atoms:
        value = merge(view, done[-1], atom) if done else None
        if value is None:
            done.append(atom)
        else:
            done[-1] = Atom(done[-1].start, atom.end, value)
    return done


def _gap(view: str, first: Atom, second: Atom, pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(view, first.end, second.start) is not None


def _clock_in_part(view: str, first: Atom, second: Atom) -> Clock | None:
    """``9:30 in the morning``, ``evening at 7``: the part of the day says which half of the day is meant."""
    one, two = first.value, second.value
    if not (isinstance(one, Clock) and isinstance(two, Clock) and _gap(view, first, second, _TO_CLOCK)):
        return None
    if (one.grain is Grain.PART) == (two.grain is Grain.PART):
        return None
    part, clock = (one, two) if one.grain is Grain.PART else (two, one)
    return _in_half(clock, part.half)


def _in_half(clock: Clock, half: int | None) -> Clock:
    if clock.half is None and half == 12 and clock.lo < _NOON:
        return replace(clock, lo=clock.lo + _NOON, hi=clock.hi + _NOON, half=12)
    return clock if clock.half is not None else replace(clock, half=half)


def _clock_range(view: str, first: Atom, second: Atom) -> Clock | None:
    one, two = first.value, second.value
    if not (isinstance(one, Clock) and isinstance(two, Clock)) or Grain.PART in (one.grain, two.grain):
        return None
    if not _ranges(view, first, second):
        return None
    end = two.lo
    if end <= one.lo and two.half is None and one.half == 12:
        end += _NOON
    return replace(one, hi=end if end > one.lo else end + _DAY, grain=Grain.SPAN)


def _ranges(view: str, first: Atom, second: Atom) -> bool:
    before = view[max(0, first.start - _BACK) : first.start]
    if _gap(view, first, second, _AND):
        return bool(_BETWEEN.search(before)) or view.startswith(("之间", "间"), second.end)
    return _gap(view, first, second, _JOIN) and not _MOVED.search(before)


def _same_day(view: str, first: Atom, second: Atom) -> Window | None:
    """``Monday, June 16`` and ``6月16日(周一)`` are one day, and the date says which."""
    one, two = first.value, second.value
    if not (isinstance(one, Window) and isinstance(two, Window) and one.grain is two.grain is Grain.DAY):
        return None
    if Kind.RANGE in (one.kind, two.kind) or not _gap(view, first, second, _TOUCHING):
        return None
    absolute, other = (one, two) if one.kind is Kind.ABSOLUTE else (two, one)
    named = other.kind is Kind.RELATIVE and other.repeat is not None
    return absolute if absolute.kind is Kind.ABSOLUTE and (one.lo == two.lo or named) else None


def _day_with_clock(view: str, first: Atom, second: Atom) -> Window | None:
    one, two = first.value, second.value
    if isinstance(one, Window) and isinstance(two, Clock) and _gap(view, first, second, _TO_CLOCK):
        return _at(one, two)
    if isinstance(one, Clock) and isinstance(two, Window) and _gap(view, first, second, _TO_DAY):
        return _at(two, one)
    return None


def _at(day: Window, clock: Clock) -> Window | None:
    if day.grain is Grain.PART and clock.grain is not Grain.PART:
        clock = _in_half(clock, 12 if day.lo.hour >= 11 else 0)
        if day.lo.hour >= 18 and clock.lo // 60 == 12:  # Twelve at night ends the day.
            clock = replace(clock, lo=clock.lo + _NOON, hi=clock.hi + _NOON)
    elif day.grain is not Grain.DAY or day.kind is Kind.RANGE or day.hi - day.lo > timedelta(days=1):
        return None
    clock = settled(clock)
    repeat = day.repeat
    placed = _placed(day.lo.date(), clock, day.kind)
    return (
        placed
        if repeat is None
        else replace(placed, repeat=lambda start: _placed(repeat(start).lo.date(), clock, day.kind))
    )


def _placed(day: date, clock: Clock, kind: Kind) -> Window:
    start = midnight(day)
    return Window(start + timedelta(minutes=clock.lo), start + timedelta(minutes=clock.hi), clock.grain, kind)


def _window_range(view: str, first: Atom, second: Atom) -> Window | None:
    one, two = first.value, second.value
    if not (isinstance(one, Window) and isinstance(two, Window) and _ranges(view, first, second)):
        return None
    if two.repeat is not None:
        two = two.repeat(one.lo.date())
    elif one.repeat is not None:
        one = _latest_until(one.repeat, one, two.lo)
    hi = two.lo if two.grain in (Grain.MINUTE, Grain.HOUR) else two.hi
    return Window(one.lo, hi, two.grain, Kind.RANGE) if one.lo < hi else None


def _latest_until(repeat: Callable[[date], Window], fallback: Window, limit: datetime) -> Window:
    for back in (7, 366):
        window = repeat(limit.date() - timedelta(days=back))
        if window.lo <= limit:
            return window
    return fallback
