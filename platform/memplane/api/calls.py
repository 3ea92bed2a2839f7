"""From an HTTP request to the context of the calls behind it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from starlette.requests import Request

from memplane.api.tracing import traceparent_of
from memplane.domain.context import CallContext, Principal, Role
from memplane.domain.errors import DeadlineExceededError, InvalidError, UnauthenticatedError

MEMORY_ROLES: Final = (Role.AGENT, Role.USER, Role.OPERATOR)
"""Who reads and writes memories; auditors read the audit log only."""

_MAX_IDEMPOTENCY_KEY_CHARACTERS: Final = 255


def call_context(request: Request, *, deadline_s: float) -> CallContext:
    """The context of a call that must be done within ``deadline_s``. Raises: UnauthenticatedError without a caller."""
    return CallContext(
        principal=caller_of(request), traceparent=traceparent_of(request.scope), deadline=time.time() + deadline_s
    )


def caller_of(request: Request) -> Principal:
    """The authenticated caller. Raises: UnauthenticatedError."""
    principal = request.scope.get("state", {}).get("principal")
    if not isinstance(principal, Principal):
        raise UnauthenticatedError("this needs a valid key")
    return principal


@asynccontextmanager
async def within(context: CallContext) -> AsyncIterator[None]:
    """Holds what is inside to the context's deadline. Raises: DeadlineExceededError."""
    try:
        async with asyncio.timeout(context.remaining_s()) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise DeadlineExceededError("the deadline of this request passed", retry_after_s=1.0) from error


def idempotency_key(request: Request) -> str | None:
    """The ``Idempotency-Key``, if one came.

    Raises: InvalidError unless it is one header of 1-255 visible ASCII characters.
    """
    values = request.headers.getlist("idempotency-key")
    if not values:
        return None
    key = values[0]
    is_visible = all("!" <= character <= "~" for character in key)
    if len(values) > 1 or not 1 <= len(key) <= _MAX_IDEMPOTENCY_KEY_CHARACTERS or not is_visible:
        raise InvalidError.field(
            "Idempotency-Key", "bad_idempotency_key", "must be one header of 1 to 255 visible ASCII characters"
        )
    return key
