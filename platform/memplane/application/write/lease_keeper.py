"""Holds this Writer's shard leases and renews them while it lives."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from memplane.domain.clock import to_millis
from memplane.domain.errors import UnavailableError, WriterMovedError
from memplane.ports.clock import Clock
from memplane.ports.leases import Lease, LeaseAuthority

RENEWALS_PER_LEASE = 3
logger = logging.getLogger(__name__)


class LeaseKeeper:
    """Leases of one Writer. ``on_gained`` is called with each shard whose epoch is new to this Writer."""

    def __init__(
        self,
        authority: LeaseAuthority,
        *,
        owner: str,
        clock: Clock,
        duration_s: float,
        on_gained: Callable[[int], None],
    ) -> None:
        self._authority = authority
        self._owner = owner
        self._clock = clock
        self._renew_every_s = duration_s / RENEWALS_PER_LEASE
        self._least_left_ms = int(duration_s * 1000 / RENEWALS_PER_LEASE)
        self._on_gained = on_gained
        self._held: dict[int, Lease] = {}
        self._asking = asyncio.Lock()

    @property
    def shards(self) -> tuple[int, ...]:
        """The shards held by the last word of the authority."""
        return tuple(self._held)

    async def hold(self, shard: int) -> Lease:
        """The lease of ``shard``, with at least a third of its time left.

        Raises: WriterMovedError if another Writer holds it; UnavailableError if the authority is away.
        """
        lease = self._fresh(shard)
        if lease is None:
            async with self._asking:
                lease = self._fresh(shard)
                if lease is None:
                    await self._acquire([shard])
                    lease = self._fresh(shard)
        if lease is None:
            raise WriterMovedError("another writer holds this shard", retry_after_s=1.0, data={"shard": shard})
        return lease

    async def hold_many(self, shards: list[int]) -> list[int]:
        """Acquires what can be had of ``shards``. Returns: those now held."""
        async with self._asking:
            await self._acquire([shard for shard in shards if self._fresh(shard) is None])
        return [shard for shard in shards if self._fresh(shard) is not None]

    async def run(self) -> None:
        """Renews until cancelled. An authority that is away is asked again: the leases run out by themselves."""
        while True:
            await asyncio.sleep(self._renew_every_s)
            try:
                async with self._asking:
                    await self._acquire(list(self._held))
            except UnavailableError as error:
                logger.warning("leases_not_renewed", extra={"reason": error.message})

    async def close(self) -> None:
        """Gives the leases back."""
        held, self._held = list(self._held), {}
        if held:
            await self._authority.release(owner=self._owner, shards=held)

    def _fresh(self, shard: int) -> Lease | None:
        lease = self._held.get(shard)
        if lease is None or lease.until_ms - to_millis(self._clock.now()) < self._least_left_ms:
            return None
        return lease

    async def _acquire(self, shards: list[int]) -> None:
        if not shards:
            return
        granted = {lease.shard: lease for lease in await self._authority.acquire(owner=self._owner, shards=shards)}
        for shard in shards:
            before = self._held.pop(shard, None)
            lease = granted.get(shard)
            if lease is None:
                continue
            self._held[shard] = lease
            if before is None or before.epoch != lease.epoch:
                self._on_gained(shard)
