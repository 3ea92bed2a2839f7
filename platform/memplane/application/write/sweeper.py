"""Drives again what was journaled and never finished: a background loop beside every Writer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from itertools import groupby

from memplane.application.write.group_writer import GroupWriter
from memplane.application.write.lease_keeper import LeaseKeeper
from memplane.domain.context import CallContext
from memplane.domain.errors import MemplaneError
from memplane.domain.ids import SHARD_COUNT, ScopeTag, TenantId
from memplane.domain.memory import Event
from memplane.ports.clock import Clock
from memplane.ports.event_log import EventLog

BATCH_EVENTS = 256
logger = logging.getLogger(__name__)


class Sweeper:
    """Finds events older than ``age`` without an outcome in shards that this Writer has, or can get, the lease of."""

    def __init__(
        self,
        *,
        events: EventLog,
        writer: GroupWriter,
        leases: LeaseKeeper,
        clock: Clock,
        age: timedelta,
        interval_s: float,
        new_context: Callable[[TenantId], CallContext],
    ) -> None:
        self._events = events
        self._writer = writer
        self._leases = leases
        self._clock = clock
        self._age = age
        self._interval_s = interval_s
        self._new_context = new_context

    async def run(self) -> None:
        """Sweeps until cancelled. A store that is away is asked again next time."""
        while True:
            try:
                while await self.sweep_once() >= BATCH_EVENTS:
                    pass
            except MemplaneError as error:
                logger.warning("sweep_postponed", extra={"reason": error.message})
            await asyncio.sleep(self._interval_s)

    async def sweep_once(self) -> int:
        """One batch. Returns: how many events were driven again."""
        pending = await self._events.pending(
            shards=range(SHARD_COUNT), received_before=self._clock.now() - self._age, limit=BATCH_EVENTS
        )
        if not pending:
            return 0
        held = set(await self._leases.hold_many(sorted({event.scope.shard for event in pending})))
        mine = sorted((event for event in pending if event.scope.shard in held), key=_scope_key)
        driven = 0
        for (tenant_id, _), members in groupby(mine, key=_scope_key):
            driven += await self._writer.redrive(list(members), self._new_context(tenant_id))
        if driven:
            logger.info("events_driven_again", extra={"count": driven})
        return driven


def _scope_key(event: Event) -> tuple[TenantId, ScopeTag]:
    return event.scope.tenant_id, event.scope.tag
