"""Expressions whose width is ours: recently is thirty days, a few is two to five."""

from __future__ import annotations

from typing import Final

from memplane.domain.timex.atoms import Anchor, Window
from memplane.domain.timex.calendar import rolling, shifted
from memplane.domain.timex.values import Grain, Kind

RECENT_DAYS: Final = 30
_FEW: Final = (2, 5)


def recent(anchor: Anchor) -> Window:
    """Thirty days up to today, or from today on where the future is meant ("近期打算换车")."""
    window = rolling(anchor, "day", RECENT_DAYS if anchor.prefer == "future" else -RECENT_DAYS)
    return Window(window.lo, window.hi, Grain.SPAN, Kind.VAGUE)


def few(anchor: Anchor, unit: str, direction: int) -> Window:
    """From two to five units before (-1) or after (1) the reference."""
    ends = [shifted(anchor, unit, direction * count) for count in _FEW]
    return Window(min(end.lo for end in ends), max(end.hi for end in ends), ends[0].grain, Kind.VAGUE)
