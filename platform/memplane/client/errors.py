"""What a call can end with, other than its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class ClientError(Exception):
    """Root of the SDK's errors."""


class PlatformUnreachableError(ClientError):
    """No connection, or it broke, and repeating did not help or was not safe."""


class DeadlineError(ClientError):
    """The call's time was over. A write may still have happened: repeat it with the same idempotency key."""


class ProblemError(ClientError):
    """The platform answered with an error.

    ``code`` is stable (``not_found``, ``overloaded``, …), ``trace_id`` names the request in traces and logs, ``errors``
    lists ``{path, code, message}`` for each wrong field, ``retry_after_s`` is the wait that the platform asked for.
    ``code`` is empty when the answer is not the platform's own (a proxy's, or that of a platform which is starting).
    """

    def __init__(
        self,
        *,
        status: int,
        code: str,
        title: str,
        detail: str,
        trace_id: str | None = None,
        errors: Sequence[Mapping[str, Any]] = (),
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(f"{status} {code or title}: {detail or title}")
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.trace_id = trace_id
        self.errors = [dict(error) for error in errors]
        self.retry_after_s = retry_after_s


class AuthenticationError(ProblemError):
    """401: no key, or one that is not valid."""


class ForbiddenError(ProblemError):
    """403: the key's role or bounds do not allow it."""


class NotFoundError(ProblemError):
    """404: nothing by this id that the caller may see."""


class ConflictError(ProblemError):
    """409: the idempotency key came with another body, or the state of things forbids it."""


class InvalidRequestError(ProblemError):
    """400, 413, 415 or 422: the request itself is wrong; ``errors`` says where."""


class TooManyRequestsError(ProblemError):
    """429: over a rate, a quota, or what the platform can take now."""


class UnavailableError(ProblemError):
    """503: for the moment; ``retry_after_s`` says how long."""


class ServerFaultError(ProblemError):
    """Any other 5xx; ``trace_id`` is what an operator needs."""
