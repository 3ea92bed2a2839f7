"""The ends of what a DateTime64(3) column holds, for windows that are open on a side."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from memplane.domain.clock import to_millis

EARLIEST_MS: Final = -2_208_988_800_000
"""1900-01-01."""
LATEST_MS: Final = 10_413_791_999_000
"""2299-12-31."""


def from_ms(moment: datetime | None) -> int:
    """The lower end of a window, in Unix milliseconds: within it."""
    return EARLIEST_MS if moment is None else to_millis(moment)


def to_ms(moment: datetime | None) -> int:
    """The upper end of a window, in Unix milliseconds: not within it."""
    return LATEST_MS if moment is None else to_millis(moment)
