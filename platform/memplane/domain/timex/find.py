"""``find_times``: the time expressions of a text, as windows in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from memplane.domain.timex.atoms import Anchor, Atom, Clock, Window
from memplane.domain.timex.calendar import DAY, midnight
from memplane.domain.timex.compose import compose
from memplane.domain.timex.dayparts import settled
from memplane.domain.timex.lexer import lex
from memplane.domain.timex.values import Grain, Kind, Prefer, TimeMention

MAX_CHARACTERS: Final = 20_000
"""Expressions behind it are not looked for: a turn is shorter, and the work stays bounded."""
_VIEW: Final = str.maketrans(
    {chr(0xFF10 + digit): str(digit) for digit in range(10)} | {"：": ":", "’": "'", "\u00a0": " "}
)
_REPEATED: Final = re.compile(
    r"每\S{0,8}\s?$|(?:\b(?:every|each|most)\s(?:\w+\s){0,2}|\bdaily\s)(?:at |on |in the )?$", re.IGNORECASE
)
_BACK: Final = 40


def find_times(text: str, *, reference: datetime, zone: tzinfo, prefer: Prefer = "nearest") -> tuple[TimeMention, ...]:
    """Return the time expressions of ``text`` in order, without overlaps.

    ``reference``: when the text was said (aware); ``zone``: where the speaker lives: days, weeks (from Monday) and
    months are theirs. ``prefer`` decides where a Friday or a 6月16日 without week or year lies. "Next Friday" and
    下周五 are the Friday of the following calendar week; "last Friday" is the most recent one, 上周五 that of the
    previous week; "two weeks ago" is a week, "a year ago" a year. Repeated times ("every Friday", 每周五) and
    durations ("for three years") are none.

    Never raises for any text; a reference without a zone is a ``ValueError``.
    """
    if reference.tzinfo is None:
        raise ValueError("reference must be aware: a time without a zone names no instant")
    view = text[:MAX_CHARACTERS].translate(_VIEW)
    try:
        anchor = Anchor(now=reference.astimezone(zone).replace(tzinfo=None), zone=zone, prefer=prefer)
        atoms = compose(view, lex(view, anchor))
    except OverflowError:
        return ()  # The reference stands at an end of the calendar.
    mentions = (_mention(text, atom, anchor) for atom in atoms if not _is_repeated(view, atom))
    return tuple(mention for mention in mentions if mention is not None)


def _is_repeated(view: str, atom: Atom) -> bool:
    return _REPEATED.search(view, max(0, atom.start - _BACK), atom.start) is not None


def _mention(text: str, atom: Atom, anchor: Anchor) -> TimeMention | None:
    try:
        window = atom.value if isinstance(atom.value, Window) else _today_at(atom.value, anchor)
        if window is None:
            return None
        lo, hi = _utc(window.lo, anchor.zone), _utc(window.hi, anchor.zone)
        if hi <= lo:  # The clocks go forward inside the window.
            hi = lo + (window.hi - window.lo)
    except (ValueError, OverflowError):
        return None
    return TimeMention(
        start=atom.start, end=atom.end, text=text[atom.start : atom.end], from_time=lo, to_time=hi,
        grain=window.grain, kind=window.kind,
    )  # fmt: skip


def _today_at(clock: Clock, anchor: Anchor) -> Window | None:
    """A time of day without a day: today, or the day before or after where the preference says so."""
    if clock.grain is Grain.PART or clock.weak:
        return None  # "In the morning" alone says how, not when.
    clock = settled(clock)
    day = midnight(anchor.today)
    if anchor.prefer == "future" and day + timedelta(minutes=clock.hi) <= anchor.now:
        day += DAY
    if anchor.prefer == "past" and day + timedelta(minutes=clock.lo) > anchor.now:
        day -= DAY
    return Window(day + timedelta(minutes=clock.lo), day + timedelta(minutes=clock.hi), clock.grain, Kind.CLOCK)


def _utc(local: datetime, zone: tzinfo) -> datetime:
    """The instant of a wall-clock time: the earlier of two, and for one that is skipped the end of the gap."""
    return local.replace(tzinfo=zone).astimezone(UTC)
