"""What a time expression means: a half-open window of instants, and how exactly it was said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

Prefer = Literal["past", "future", "nearest"]
"""Where an expression that names no year or week ("Friday", "6月16日") is looked for, seen from the reference."""


class Grain(StrEnum):
    """How wide the unit is that was named."""

    MINUTE = "minute"
    HOUR = "hour"
    PART = "part_of_day"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"
    SPAN = "span"


class Kind(StrEnum):
    """How it was said."""

    ABSOLUTE = "absolute"
    """A date of the calendar, perhaps without its year."""
    RELATIVE = "relative"
    """Counted from the reference: yesterday, 下周三, in two weeks."""
    RANGE = "range"
    """From one time to another, or a span up to or from the reference ("the last three days")."""
    VAGUE = "vague"
    """Recently, 近期, a few days ago: a width that is ours."""
    CLOCK = "clock"
    """A time of day without a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeMention:
    """One time expression in a text."""

    start: int
    """First character of the expression in the text."""
    end: int
    """One past its last character."""
    text: str
    """The expression as it stands in the text."""
    from_time: datetime
    """First instant of the window, aware UTC."""
    to_time: datetime
    """First instant after the window, aware UTC; always later than ``from_time``."""
    grain: Grain
    """The unit that was named; of a range, that of its end."""
    kind: Kind
    """How it was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWindow:
    """What a question asks about: instants in ``[from_time, to_time)``, aware UTC; ``None`` is without limit."""

    from_time: datetime | None
    to_time: datetime | None
