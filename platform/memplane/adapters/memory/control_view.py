"""A control snapshot that is refreshed when asked."""

from __future__ import annotations

from memplane.domain.control import SNAPSHOT_GOOD_FOR_S, ControlSnapshot
from memplane.domain.errors import UnavailableError
from memplane.ports.clock import Clock
from memplane.ports.control_store import ControlStore


class InMemoryControlView:
    """The port :class:`ControlView`, without the loop that refreshes the real one."""

    def __init__(self, *, store: ControlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._snapshot: ControlSnapshot | None = None

    def current(self) -> ControlSnapshot:
        """The last snapshot, at most :data:`SNAPSHOT_GOOD_FOR_S` old."""
        if self._snapshot is None:
            raise UnavailableError("no control data yet", retry_after_s=1.0, data={"component": "control"})
        age_s = (self._clock.now() - self._snapshot.taken_at).total_seconds()
        if age_s > SNAPSHOT_GOOD_FOR_S:
            raise UnavailableError(
                f"control data is {age_s:.0f} s old, good for {SNAPSHOT_GOOD_FOR_S:.0f} s",
                retry_after_s=1.0,
                data={"component": "control"},
            )
        return self._snapshot

    async def refresh(self) -> ControlSnapshot:
        """Reads the store anew."""
        self._snapshot = await self._store.snapshot()
        return self._snapshot
