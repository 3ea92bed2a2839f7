"""The control data that requests read: a snapshot at most seconds old, at hand without I/O."""

from __future__ import annotations

from typing import Protocol

from memplane.domain.control import ControlSnapshot


class ControlView(Protocol):
    """A refreshed snapshot."""

    def current(self) -> ControlSnapshot:
        """The snapshot. Raises: UnavailableError when there is none, or it is older than it may be."""

    async def refresh(self) -> ControlSnapshot:
        """Reads anew at once (after a change of one's own). Raises: StoreUnavailableError."""
