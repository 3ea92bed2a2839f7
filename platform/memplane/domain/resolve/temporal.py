"""When each value of a slot was true: intervals that depend on what was said, never on the order in which it arrived.

The observations of a slot, sorted by (event_time, received_at, event_id), fall into runs that agree with each other. A
run holds from its first observation to the next run's first; only the last run is open. A value that comes back starts
a run of its own: re-occurring intervals stay separate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memplane.domain.ids import EventId, MemoryId


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class MemoryTime:
    """What orders statements: newer is greater."""

    event_time: datetime
    """When it was true: the event's time, default ``received_at``."""
    received_at: datetime
    event_id: EventId


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One memory of a slot, or the incoming statement (``memory_id`` None), with every time at which it was said."""

    memory_id: MemoryId | None
    text: str
    times: tuple[MemoryTime, ...]
    """At least one; the first is when it began to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Where a row holds. ``row`` is a position in the rows that were given."""

    row: int
    begins: MemoryTime
    ends: datetime | None
    """None: still true."""
    followed_by: int | None
    """Position of the row that took its place."""
    split: bool = False
    """Whether the row already holds in an earlier interval, so that this one needs a memory of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    time: MemoryTime
    row: int


def relink(rows: Sequence[Row], *, conflict: Callable[[Row, Row], bool]) -> tuple[Interval, ...]:
    """The intervals of a slot's rows, oldest first.

    Args:
        rows: the slot's memories, superseded ones too, and the incoming statement. Empty gives no intervals.
        conflict: whether a newer row (first argument) excludes an older one.
    """
    observations = sorted(
        (_Said(time=time, row=index) for index, row in enumerate(rows) for time in row.times),
        key=lambda one: (one.time, rows[one.row].memory_id or ""),
    )
    runs: list[list[_Said]] = []
    for one in observations:
        if not runs or any(conflict(rows[one.row], rows[row]) for row in {said.row for said in runs[-1]} - {one.row}):
            runs.append([])
        runs[-1].append(one)
    intervals: list[Interval] = []
    held: set[int] = set()
    for index, run in enumerate(runs):
        following = runs[index + 1][0] if index + 1 < len(runs) else None
        first_of_row = {one.row: one for one in reversed(run)}
        for row, one in sorted(first_of_row.items(), key=lambda item: item[1].time):
            intervals.append(
                Interval(
                    row=row,
                    begins=one.time,
                    ends=following.time.event_time if following else None,
                    followed_by=following.row if following else None,
                    split=row in held,
                )
            )
            held.add(row)
    return tuple(intervals)
