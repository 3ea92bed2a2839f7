"""``query_window``: the time that a question asks about."""

from __future__ import annotations

from datetime import datetime, tzinfo

from memplane.domain.timex.expiry import YEARLY
from memplane.domain.timex.find import find_times
from memplane.domain.timex.lean import lean_of
from memplane.domain.timex.open_ends import ends_with, opens_after, opens_before
from memplane.domain.timex.values import Kind, Prefer, TimeMention, TimeWindow


def query_window(query: str, reference: datetime, zone: tzinfo) -> TimeWindow | None:
    """Return the window that ``query`` names, or ``None`` where it names no day.

    Questions look back unless their words look ahead. Several expressions give the window that holds them all;
    "since March" and 6月以前 leave one side open. A time of day alone names no day, and a birthday no time of talk.
    """
    if YEARLY.search(query):
        return None
    prefer: Prefer = "future" if lean_of(query) == "future" else "past"
    mentions = find_times(query, reference=reference, zone=zone, prefer=prefer)
    windows = [_window(query, mention) for mention in mentions if mention.kind is not Kind.CLOCK]
    if not windows:
        return None
    starts, ends = [window.from_time for window in windows], [window.to_time for window in windows]
    return TimeWindow(
        from_time=None if None in starts else min(start for start in starts if start is not None),
        to_time=None if None in ends else max(end for end in ends if end is not None),
    )


def _window(query: str, mention: TimeMention) -> TimeWindow:
    if opens_after(query, mention):
        return TimeWindow(from_time=mention.from_time, to_time=None)
    if opens_before(query, mention):
        return TimeWindow(from_time=None, to_time=mention.from_time)
    if ends_with(query, mention):
        return TimeWindow(from_time=None, to_time=mention.to_time)
    return TimeWindow(from_time=mention.from_time, to_time=mention.to_time)
