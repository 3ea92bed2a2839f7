"""Leases of shards in ClickHouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.table import TEXT, Table
from memplane.ports.leases import Lease

WRITER_LEASES: Final = Table(
    name="writer_leases",
    durable=True,
    columns={"shard": "UInt8", "owner": TEXT, "epoch": "UInt64", "until_ms": "UInt64"},
)


class ClickHouseLeaseStore:
    """Implements ``ports.leases.LeaseStore``. Of several rows of one epoch the last saved counts."""

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client

    async def load(self) -> list[Lease]:
        """See the port."""
        found = await self._client.query("leases_load", parameters={})
        return [Lease(**row) for row in found.dicts()]

    async def save(self, *, leases: Sequence[Lease]) -> None:
        """See the port."""
        await WRITER_LEASES.insert(
            self._client, [(lease.shard, lease.owner, lease.epoch, lease.until_ms) for lease in leases]
        )
