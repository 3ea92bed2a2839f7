"""Control data, whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memplane.domain.control import ApiKey, ControlSnapshot, Generation, Tenant


class ControlStore(Protocol):
    """Raises, every method: StoreUnavailableError, StoreRejectedError."""

    async def snapshot(self) -> ControlSnapshot:
        """Everything, read at once."""

    async def put_tenants(self, *, tenants: Sequence[Tenant]) -> None:
        """Stores tenants; the greatest ``version`` of a tenant wins."""

    async def put_api_keys(self, *, api_keys: Sequence[ApiKey]) -> None:
        """Stores keys; the greatest ``version`` of a key wins."""

    async def put_generations(self, *, generations: Sequence[Generation]) -> None:
        """Stores generations; the greatest ``version`` of a generation wins."""
