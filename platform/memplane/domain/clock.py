"""Versions: a hybrid logical clock whose readings order every change of a scope.

A version is a UInt64: Unix milliseconds in the upper 48 bits, a counter in the lower 16. A Writer draws versions
inside its lease: greater than every version they replace and never later than the lease's end, so what a paused
Writer still sends loses to the next holder (who starts after that end).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from memplane.domain.errors import WriterMovedError

COUNTER_BITS: Final = 16
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_millis(moment: datetime) -> int:
    """Unix milliseconds of an aware time, rounded down. Negative before 1970."""
    delta = moment - _EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1000 + delta.microseconds // 1000


def from_millis(millis: int) -> datetime:
    """The aware UTC time of Unix milliseconds."""
    from_seconds, rest = divmod(millis, 1000)
    return datetime.fromtimestamp(from_seconds, UTC).replace(microsecond=rest * 1000)


def truncate_to_millis(moment: datetime) -> datetime:
    """``moment`` as the stores keep it: UTC, whole milliseconds."""
    moment = moment.astimezone(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def version_millis(version: int) -> int:
    """The wall-clock part of a version, in Unix milliseconds."""
    return version >> COUNTER_BITS


def version_floor(millis: int) -> int:
    """The smallest version of a millisecond."""
    return max(0, millis) << COUNTER_BITS


def rank_of(*, version: int, valid_from: datetime | None) -> int:
    """What decides between versions of one memory (UInt128): ``valid_from_ms << 64 | version`` for keyed facts, else
    ``version``.

    ``valid_from`` is given for keyed facts only. Times before 1970 rank as 1970.
    """
    if valid_from is None:
        return version
    return max(0, to_millis(valid_from)) << 64 | version


class VersionClock:
    """Draws strictly growing versions. One instance per Writer process; not thread-safe (the event loop owns it)."""

    def __init__(self) -> None:
        self._last = 0

    def draw(self, *, now_ms: int, above: int = 0, lease_until_ms: int) -> int:
        """The next version: > all drawn before, > ``above``, and inside the lease.

        Raises: WriterMovedError when that would lie at or past ``lease_until_ms``.
        """
        version = max(version_floor(now_ms), self._last + 1, above + 1)
        if version_millis(version) >= lease_until_ms:
            raise WriterMovedError("the lease of this shard ends before the change could be stamped", retry_after_s=1.0)
        self._last = version
        return version
