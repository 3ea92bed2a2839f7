"""A clock that moves only when told to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class SettableClock:
    """The port :class:`Clock` for tests."""

    def __init__(self, now: datetime) -> None:
        self.set(now)

    def now(self) -> datetime:
        """The time that was set, in UTC."""
        return self._now

    def set(self, now: datetime) -> None:
        """Sets the time. Raises: ValueError for a time without an offset."""
        if now.tzinfo is None:
            raise ValueError(f"a clock needs an aware time, got {now!r}")
        self._now = now.astimezone(UTC)

    def advance(self, by: timedelta) -> None:
        """Moves the time, backwards too."""
        self._now += by
