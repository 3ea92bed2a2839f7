"""Leases of shards: who may write now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to write a shard until ``until_ms`` (Unix milliseconds). A greater ``epoch`` of a shard ends all
    smaller ones.
    """

    shard: int
    owner: str
    epoch: int
    until_ms: int


class LeaseAuthority(Protocol):
    """Grants and renews leases.

    Raises, every method: UnavailableError when the authority or its store is away.
    """

    async def acquire(self, *, owner: str, shards: Sequence[int]) -> list[Lease]:
        """Grants or renews those of ``shards`` that no one else holds. Shards that another holds are absent from the
        answer.
        """

    async def release(self, *, owner: str, shards: Sequence[int]) -> None:
        """Ends leases early (on a graceful stop)."""


class LeaseStore(Protocol):
    """Where the authority keeps leases, so that the next authority knows of them. Raises: StoreUnavailableError."""

    async def load(self) -> list[Lease]:
        """The greatest epoch of every shard that ever had one."""

    async def save(self, *, leases: Sequence[Lease]) -> None:
        """Stores leases in one insert."""
