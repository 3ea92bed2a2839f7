"""What the rules yield before it is composed: windows of local time, times of day, and the rule type itself.

Local times are naive on purpose: calendar arithmetic is done on the wall clock, and only the result becomes UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from memplane.domain.timex.values import Grain, Kind, Prefer


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """From where an expression is seen: the local time of the speaker."""

    now: datetime
    zone: tzinfo
    prefer: Prefer

    @property
    def today(self) -> date:
        """The local day of the reference."""
        return self.now.date()


@dataclass(frozen=True, slots=True)
class Window:
    """``[lo, hi)`` on the local wall clock."""

    lo: datetime
    hi: datetime
    grain: Grain
    kind: Kind = Kind.RELATIVE
    repeat: Callable[[date], Window] | None = None
    """Of an expression without year or week: its first occurrence that starts on or after a day."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in minutes since midnight; 1,440 and more reach into the next day."""

    lo: int
    hi: int
    grain: Grain
    half: int | None = None
    """0: before noon or on the 24-hour clock, 12: after noon, ``None``: not said."""
    guess: bool = False
    """Whether a time said without its half of the day is likely meant after noon where it is one to five o'clock."""
    weak: bool = False
    """Whether the words mean a time only beside a day."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A window or a time of day at ``[start, end)`` of the text."""

    start: int
    end: int
    value: Window | Clock


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and its meaning. A group ``span`` narrows what is marked; ``None`` as meaning rejects the match."""

    pattern: re.Pattern[str]
    build: Callable[[re.Match[str], Anchor], Window | Clock | None]


def rule(pattern: str, build: Callable[[re.Match[str], Anchor], Window | Clock | None]) -> Rule:
    """A rule whose pattern ignores case."""
    return Rule(re.compile(pattern, re.IGNORECASE), build)
