"""The lease authority: one named, detached Ray actor per cluster, backed by the rows of ``writer_leases``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import ray
from ray.exceptions import RayError, RayTaskError

from memplane.domain.errors import MemplaneError, UnavailableError
from memplane.ports.leases import Lease, LeaseAuthority

ACTOR_NAME: Final = "memplane-leases"
ACTOR_NAMESPACE: Final = "memplane"
CALL_TIMEOUT_S: Final = 8.0


class RayLeaseAuthority:
    """Asks the lease actor. Implements ``ports.leases.LeaseAuthority`` in Writers."""

    def __init__(self, find_actor: Any) -> None:
        self._find_actor = find_actor

    async def acquire(self, *, owner: str, shards: Sequence[int]) -> list[Lease]:
        """Grants or renews. Raises: UnavailableError."""
        leases: list[Lease] = await self._call("acquire", owner=owner, shards=list(shards))
        return leases

    async def release(self, *, owner: str, shards: Sequence[int]) -> None:
        """Ends leases early. Raises: UnavailableError."""
        await self._call("release", owner=owner, shards=list(shards))

    async def _call(self, method: str, **arguments: Any) -> Any:
        try:
            actor = await asyncio.to_thread(self._find_actor)
            async with asyncio.timeout(CALL_TIMEOUT_S):
                return await getattr(actor, method).remote(**arguments)
        except RayTaskError as error:
            if isinstance(error.cause, MemplaneError):
                raise error.cause from error
            raise _away() from error
        except (RayError, TimeoutError, ValueError) as error:
            raise _away() from error


def start_lease_actor(build_book: Any) -> Any:
    """The lease actor, started unless it runs. ``build_book()`` makes its lease book in the actor's process."""
    return (
        ray.remote(_LeaseActor)
        .options(
            name=ACTOR_NAME,
            namespace=ACTOR_NAMESPACE,
            lifetime="detached",
            get_if_exists=True,
            max_restarts=-1,
            max_task_retries=0,
            num_cpus=0,
        )
        .remote(build_book)
    )


class _LeaseActor:
    """The actor's shell around the real authority."""

    def __init__(self, build_book: Any) -> None:
        self._book: LeaseAuthority = build_book()

    async def acquire(self, owner: str, shards: list[int]) -> list[Lease]:
        return await self._book.acquire(owner=owner, shards=shards)

    async def release(self, owner: str, shards: list[int]) -> None:
        await self._book.release(owner=owner, shards=shards)


def _away() -> UnavailableError:
    return UnavailableError("the lease authority did not answer", retry_after_s=1.0, data={"component": "leases"})
