"""Every error that memplane raises on purpose: one root, children by meaning.

A child carries a stable ``code`` (the contract with callers), whether a repeat may help (``retryable``,
``retry_after_s``) and data for the reader. Errors say nothing of HTTP: ``api/problems`` maps them. They pickle, since
Ray moves them between processes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

MAX_MESSAGE_CHARACTERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldIssue:
    """One thing wrong with one field of a request. ``path`` is dotted (``messages.0.content``)."""

    path: str
    code: str
    message: str


class MemplaneError(Exception):
    """Root of memplane's errors. ``data`` holds picklable facts for logs and answers, never memory text or secrets."""

    code: ClassVar[str] = "internal"
    retryable: ClassVar[bool] = False

    def __init__(
        self, message: str, *, retry_after_s: float | None = None, data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message[:MAX_MESSAGE_CHARACTERS])
        self.message = message[:MAX_MESSAGE_CHARACTERS]
        self.retry_after_s = retry_after_s
        self.data: dict[str, Any] = dict(data or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.message, self.retry_after_s, self.data))


def _rebuild(
    kind: type[MemplaneError], message: str, retry_after_s: float | None, data: dict[str, Any]
) -> MemplaneError:
    error = kind.__new__(kind)
    MemplaneError.__init__(error, message, retry_after_s=retry_after_s, data=data)
    return error


class UnauthenticatedError(MemplaneError):
    """No key, or one that is unknown, revoked or past its date."""

    code = "unauthenticated"


class TooLargeError(MemplaneError):
    """The request is over a size limit."""

    code = "too_large"


class UnsupportedMediaTypeError(MemplaneError):
    """The body is not JSON by its own declaration."""

    code = "unsupported_media_type"


class BadJsonError(MemplaneError):
    """The body does not parse."""

    code = "bad_json"


class InvalidError(MemplaneError):
    """Well-formed, and against the contract. ``issues`` names every field."""

    code = "invalid"

    def __init__(self, message: str, *, issues: Sequence[FieldIssue] = ()) -> None:
        super().__init__(message, data={"issues": tuple(issues)})

    @property
    def issues(self) -> tuple[FieldIssue, ...]:
        """The fields at fault, empty when the request as a whole is."""
        issues: tuple[FieldIssue, ...] = self.data.get("issues", ())
        return issues

    @classmethod
    def field(cls, path: str, code: str, message: str) -> InvalidError:
        """The common case: one field is wrong."""
        return cls(f"{path}: {message}", issues=(FieldIssue(path=path, code=code, message=message),))


class BadCursorError(MemplaneError):
    """A page cursor that was not made by this very query."""

    code = "bad_cursor"


class FilterTooBroadError(MemplaneError):
    """A deletion without a filter that narrows."""

    code = "filter_too_broad"


class ForbiddenError(MemplaneError):
    """A known caller, and not allowed to do this."""

    code = "forbidden"


class NotFoundError(MemplaneError):
    """No such thing in this tenant. The same answer for another tenant's things."""

    code = "not_found"


class ConflictError(MemplaneError):
    """The target changed or exists in another form."""

    code = "conflict"


class IdempotencyConflictError(ConflictError):
    """The same Idempotency-Key came with another body."""

    code = "idempotency_conflict"


class UserErasingError(ConflictError):
    """The user's erasure has not completed; writes wait for it."""

    code = "user_erasing"


class RateLimitedError(MemplaneError):
    """Too many requests in a span of time."""

    code = "rate_limited"
    retryable = True


class QuotaExceededError(MemplaneError):
    """The tenant's quota is used up."""

    code = "quota_exceeded"


class OverloadedError(MemplaneError):
    """A bounded queue is full; nothing was done."""

    code = "overloaded"
    retryable = True


class UnavailableError(MemplaneError):
    """Something this needs is away. ``data['component']`` names it."""

    code = "unavailable"
    retryable = True


class StoreUnavailableError(UnavailableError):
    """A store could not be reached, or did not answer in time: whether a write took place is unknown."""


class ModelUnavailableError(UnavailableError):
    """A model could not be reached or failed."""


class DeadlineExceededError(UnavailableError):
    """The deadline passed before the work was done."""


class WriterMovedError(UnavailableError):
    """Another Writer holds the lease of this scope's shard."""

    code = "writer_moved"


class StoreRejectedError(MemplaneError):
    """A store understood the request and refused its content; sending it again would be refused again."""


class CorruptDataError(MemplaneError):
    """Stored data breaks a rule that memplane itself keeps (a chain, a checksum, a dimension)."""
