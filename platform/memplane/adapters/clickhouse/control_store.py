"""Control data in ClickHouse."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.control_rows import (
    API_KEYS,
    GENERATIONS,
    TENANTS,
    api_key_of,
    api_key_row,
    generation_of,
    generation_row,
    tenant_of,
    tenant_row,
)
from memplane.domain.control import ApiKey, ControlSnapshot, Generation, Tenant


class ClickHouseControlStore:
    """Implements ``ports.control_store.ControlStore``."""

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client

    async def snapshot(self) -> ControlSnapshot:
        """See the port. ``taken_at`` is the time before the question was sent."""
        taken_at = datetime.now(UTC)
        found = await self._client.query("control_snapshot", parameters={})
        tenants, api_keys, generations = found.rows[0]
        return ControlSnapshot(
            taken_at=taken_at,
            tenants=tuple(tenant_of(values) for values in tenants),
            api_keys=tuple(api_key_of(values) for values in api_keys),
            generations=tuple(generation_of(values) for values in generations),
        )

    async def put_tenants(self, *, tenants: Sequence[Tenant]) -> None:
        """See the port."""
        await TENANTS.insert(self._client, [tenant_row(tenant) for tenant in tenants])

    async def put_api_keys(self, *, api_keys: Sequence[ApiKey]) -> None:
        """See the port."""
        await API_KEYS.insert(self._client, [api_key_row(key) for key in api_keys])

    async def put_generations(self, *, generations: Sequence[Generation]) -> None:
        """See the port."""
        await GENERATIONS.insert(self._client, [generation_row(generation) for generation in generations])
