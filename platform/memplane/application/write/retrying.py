"""Sending again what may not have arrived. Safe because every table collapses repeats on deterministic keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from memplane.domain.errors import StoreUnavailableError

T = TypeVar("T")

ATTEMPTS = 4
FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 1.0


async def send_until_known(send: Callable[[], Awaitable[T]]) -> T:
    """Runs ``send`` again while its outcome is unknown. Raises: StoreUnavailableError after the last attempt."""
    retrying = AsyncRetrying(
        retry=retry_if_exception_type(StoreUnavailableError),
        stop=stop_after_attempt(ATTEMPTS),
        wait=wait_random_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S),
        reraise=True,
    )

    async def once() -> T:  # tenacity awaits coroutine functions only, and callers pass lambdas
        return await send()

    return await retrying(once)
