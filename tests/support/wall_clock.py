"""The real time, for stores whose contract speaks of now."""

from __future__ import annotations

from datetime import UTC, datetime


class WallClock:
    """The port ``Clock``."""

    def now(self) -> datetime:
        """Aware UTC."""
        return datetime.now(UTC)
