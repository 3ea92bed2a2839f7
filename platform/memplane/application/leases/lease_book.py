"""Who may write which shard: the decisions behind the lease authority."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from memplane.domain.clock import to_millis
from memplane.ports.clock import Clock
from memplane.ports.leases import Lease, LeaseStore


class LeaseBook:
    """Grants shards. Implements ``ports.leases.LeaseAuthority`` over any store.

    The store is asked on every call, so several authorities may share one. A lease that this authority did not write
    itself is honoured until its end and the margin more (its clock may be behind). A renewal keeps the epoch; every
    other grant has a greater one.
    """

    def __init__(self, store: LeaseStore, *, clock: Clock, duration_s: float, margin_s: float) -> None:
        self._store = store
        self._clock = clock
        self._duration_ms = int(duration_s * 1000)
        self._margin_ms = int(margin_s * 1000)
        self._own: dict[int, Lease] = {}
        self._turn = asyncio.Lock()

    async def acquire(self, *, owner: str, shards: Sequence[int]) -> list[Lease]:
        """Grants or renews, saved before it is answered."""
        async with self._turn:
            stored = {lease.shard: lease for lease in await self._store.load()}
            now_ms = to_millis(self._clock.now())
            decided = (self._decide(shard, owner, stored.get(shard), now_ms) for shard in dict.fromkeys(shards))
            granted = [lease for lease in decided if lease is not None]
            await self._save(granted)
            return granted

    async def release(self, *, owner: str, shards: Sequence[int]) -> None:
        """Ends those of ``shards`` that ``owner`` holds; the others stay as they are."""
        async with self._turn:
            now_ms = to_millis(self._clock.now())
            held = [lease for lease in await self._store.load() if lease.shard in shards and lease.owner == owner]
            await self._save([replace(lease, until_ms=now_ms) for lease in held if lease.until_ms > now_ms])

    def _decide(self, shard: int, owner: str, stored: Lease | None, now_ms: int) -> Lease | None:
        until_ms = now_ms + self._duration_ms
        if stored is None:
            return Lease(shard=shard, owner=owner, epoch=1, until_ms=until_ms)
        if stored.owner == owner and stored.until_ms > now_ms:
            # A clock that went back must not take away what was promised.
            return replace(stored, until_ms=max(until_ms, stored.until_ms))
        grace_ms = 0 if stored == self._own.get(shard) or stored.owner == owner else self._margin_ms
        if stored.until_ms + grace_ms > now_ms:
            return None
        return Lease(shard=shard, owner=owner, epoch=stored.epoch + 1, until_ms=until_ms)

    async def _save(self, leases: Sequence[Lease]) -> None:
        if not leases:
            return
        await self._store.save(leases=leases)
        self._own.update({lease.shard: lease for lease in leases})
