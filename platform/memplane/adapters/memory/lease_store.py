"""Leases in a dictionary."""

from __future__ import annotations

from collections.abc import Sequence

from memplane.ports.leases import Lease


class InMemoryLeaseStore:
    """The port :class:`LeaseStore`. Of one epoch the row saved last counts, so a release may end it earlier."""

    def __init__(self) -> None:
        self._leases: dict[int, Lease] = {}

    async def load(self) -> list[Lease]:
        """The greatest epoch of every shard, in order of shards."""
        return [lease for _, lease in sorted(self._leases.items())]

    async def save(self, *, leases: Sequence[Lease]) -> None:
        """Stores leases; a smaller epoch never replaces a greater one."""
        for lease in leases:
            stored = self._leases.get(lease.shard)
            if stored is None or lease.epoch >= stored.epoch:
                self._leases[lease.shard] = lease
