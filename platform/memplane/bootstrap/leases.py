"""The lease authority's book, built inside its actor."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from memplane.adapters.clickhouse import ClickHouseLeaseStore
from memplane.adapters.ray.leases import start_lease_actor
from memplane.application.leases import LeaseBook
from memplane.bootstrap.clock import SystemClock
from memplane.bootstrap.stores import clickhouse
from memplane.ports.leases import Lease
from memplane.settings import Settings, load_settings


def find_lease_actor() -> Any:
    """The cluster's lease actor, started unless it runs."""
    return start_lease_actor(build_lease_book)


def build_lease_book() -> LeaseBook:
    """A book over ClickHouse. Connects on the first call, in the actor's event loop."""
    settings = load_settings()
    return LeaseBook(
        _LazyLeaseStore(settings),
        clock=SystemClock(),
        duration_s=settings.leases.duration_s,
        margin_s=settings.leases.margin_s,
    )


class _LazyLeaseStore:
    """Makes its client in the running event loop: the actor's constructor has none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store: ClickHouseLeaseStore | None = None
        self._opening = asyncio.Lock()

    async def load(self) -> list[Lease]:
        return await (await self._opened()).load()

    async def save(self, *, leases: Sequence[Lease]) -> None:
        await (await self._opened()).save(leases=leases)

    async def _opened(self) -> ClickHouseLeaseStore:
        async with self._opening:
            if self._store is None:
                self._store = ClickHouseLeaseStore(await clickhouse(self._settings))
        return self._store
