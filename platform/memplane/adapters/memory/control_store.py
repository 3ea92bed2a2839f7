"""Control data in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from memplane.domain.control import ApiKey, ControlSnapshot, Generation, Tenant
from memplane.domain.ids import GenerationId, KeyId, TenantId
from memplane.ports.clock import Clock


class InMemoryControlStore:
    """The port :class:`ControlStore`. Without a ``clock`` snapshots carry the real time."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock
        self._tenants: dict[TenantId, Tenant] = {}
        self._api_keys: dict[KeyId, ApiKey] = {}
        self._generations: dict[GenerationId, Generation] = {}

    async def snapshot(self) -> ControlSnapshot:
        """Everything, in order of ids."""
        return ControlSnapshot(
            taken_at=datetime.now(UTC) if self._clock is None else self._clock.now(),
            tenants=tuple(row for _, row in sorted(self._tenants.items())),
            api_keys=tuple(row for _, row in sorted(self._api_keys.items())),
            generations=tuple(row for _, row in sorted(self._generations.items())),
        )

    async def put_tenants(self, *, tenants: Sequence[Tenant]) -> None:
        """Stores tenants; an older version never replaces a newer one."""
        for row in tenants:
            stored = self._tenants.get(row.tenant_id)
            if stored is None or row.version >= stored.version:
                self._tenants[row.tenant_id] = row

    async def put_api_keys(self, *, api_keys: Sequence[ApiKey]) -> None:
        """Stores keys; an older version never replaces a newer one."""
        for row in api_keys:
            stored = self._api_keys.get(row.key_id)
            if stored is None or row.version >= stored.version:
                self._api_keys[row.key_id] = row

    async def put_generations(self, *, generations: Sequence[Generation]) -> None:
        """Stores generations; an older version never replaces a newer one."""
        for row in generations:
            stored = self._generations.get(row.generation_id)
            if stored is None or row.version >= stored.version:
                self._generations[row.generation_id] = row
