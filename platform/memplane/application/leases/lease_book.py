"""Who may write which shard: the decisions behind the lease authority."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from memplane.domain.clock import to_millis
from memplane.ports.clock import Clock
from memplane.ports.leases import Lease, LeaseStore


class LeaseBook:
    """Grants shards. Implements ``ports.leases.LeaseAuthority``; starts from the stored leases.

    A shard whose stored lease another owner holds is granted only after its ``until`` plus the margin; every new
    owner gets the next epoch. A grant is stored before it is answered.
    """

    def __init__(self, store: LeaseStore, *, clock: Clock, duration_s: float, margin_s: float) -> None:
        self._store = store
        self._clock = clock
        self._duration_ms = int(duration_s * 1000)
        self._margin_ms = int(margin_s * 1000)
        self._leases: dict[int, Lease] | None = None
        self._turn = asyncio.Lock()

    async def acquire(self, *, owner: str, shards: Sequence[int]) -> list[Lease]:
        """Grants or renews. Raises: StoreUnavailableError."""
        async with self._turn:
            leases = await self._known()
            now_ms = to_millis(self._clock.now())
            decided = [self._grant(leases.get(shard), shard, owner, now_ms) for shard in sorted(set(shards))]
            granted = [lease for lease in decided if lease is not None]
            await self._keep(granted)
            return granted

    async def release(self, *, owner: str, shards: Sequence[int]) -> None:
        """Ends the owner's leases now. Raises: StoreUnavailableError."""
        async with self._turn:
            leases = await self._known()
            now_ms = to_millis(self._clock.now())
            ended = [
                Lease(shard=shard, owner="", epoch=lease.epoch, until_ms=now_ms)
                for shard in shards
                if (lease := leases.get(shard)) is not None and lease.owner == owner
            ]
            await self._keep(ended)

    def _grant(self, known: Lease | None, shard: int, owner: str, now_ms: int) -> Lease | None:
        until_ms = now_ms + self._duration_ms
        if known is None:
            return Lease(shard=shard, owner=owner, epoch=1, until_ms=until_ms)
        if known.owner == owner:
            return Lease(shard=shard, owner=owner, epoch=known.epoch, until_ms=until_ms)
        free_from_ms = known.until_ms if known.owner == "" else known.until_ms + self._margin_ms
        if now_ms < free_from_ms:
            return None
        return Lease(shard=shard, owner=owner, epoch=known.epoch + 1, until_ms=until_ms)

    async def _known(self) -> dict[int, Lease]:
        if self._leases is None:
            self._leases = {lease.shard: lease for lease in await self._store.load()}
        return self._leases

    async def _keep(self, leases: list[Lease]) -> None:
        if not leases:
            return
        await self._store.save(leases=leases)
        known = await self._known()
        known.update({lease.shard: lease for lease in leases})
