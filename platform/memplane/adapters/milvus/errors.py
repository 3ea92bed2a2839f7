"""What pymilvus and gRPC raise, as memplane's errors. The cause is kept; no other file looks into a vendor's error."""

from __future__ import annotations

from typing import Final

import grpc
from pymilvus.exceptions import DataNotMatchException, MilvusException, ParamError

from memplane.domain.errors import DeadlineExceededError, MemplaneError, StoreRejectedError, StoreUnavailableError

VENDOR_ERRORS: Final = (MilvusException, grpc.RpcError, grpc.FutureTimeoutError)
"""Everything that a call of pymilvus raises for reasons outside this process."""

COLLECTION_NOT_FOUND: Final = 100
COLLECTION_NOT_LOADED: Final = 101
_ILLEGAL_ARGUMENT_LITE = 6
_PARAMETER_CODES = range(1100, 1200)
_FIELD_CODES = range(1700, 1800)
_REFUSED_STATUSES = frozenset({grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.OUT_OF_RANGE})
_RETRY_AFTER_S = 1.0


def code_of(error: BaseException) -> int | grpc.StatusCode | None:
    """Milvus's error number, or gRPC's status, whichever the error carries."""
    code = getattr(error, "code", None)
    if callable(code):
        code = code()
    return code if isinstance(code, int | grpc.StatusCode) else None


def is_not_found(error: BaseException) -> bool:
    """Whether the collection does not exist."""
    return code_of(error) == COLLECTION_NOT_FOUND


def is_not_loaded(error: BaseException) -> bool:
    """Whether the collection exists and is not loaded."""
    return code_of(error) == COLLECTION_NOT_LOADED


def translate(error: BaseException, *, operation: str, deadline_is_callers: bool) -> MemplaneError:
    """The error to raise in place of ``error``.

    ``deadline_is_callers`` tells a search (its time-out is the caller's deadline: DeadlineExceededError) from
    everything else (no answer in time: StoreUnavailableError). Refused content becomes StoreRejectedError. A refused
    token is no fault of the content, so it counts as unavailable, as does all that is unknown.
    """
    code = code_of(error)
    if code is grpc.StatusCode.DEADLINE_EXCEEDED or isinstance(error, grpc.FutureTimeoutError):
        return timed_out(operation=operation, deadline_is_callers=deadline_is_callers)
    data = {"component": "milvus", "operation": operation, "vendor_code": str(code)}
    if _is_refusal(error, code):
        # The vendor's message may quote values of rows, so it stays in the cause and out of ours.
        return StoreRejectedError(f"Milvus refused {operation} (code {code}); see the cause", data=data)
    return StoreUnavailableError(
        f"Milvus did not carry out {operation} (code {code})", retry_after_s=_RETRY_AFTER_S, data=data
    )


def timed_out(*, operation: str, deadline_is_callers: bool) -> MemplaneError:
    """The error for a call that ran out of time."""
    kind = DeadlineExceededError if deadline_is_callers else StoreUnavailableError
    data = {"component": "milvus", "operation": operation}
    return kind(f"Milvus did not answer {operation} in time", retry_after_s=_RETRY_AFTER_S, data=data)


def _is_refusal(error: BaseException, code: int | grpc.StatusCode | None) -> bool:
    if isinstance(code, grpc.StatusCode):
        return code in _REFUSED_STATUSES
    if isinstance(error, ParamError | DataNotMatchException) or getattr(error, "is_input_error", False):
        return True
    if isinstance(error.__cause__, ValueError | TypeError):
        return True  # pymilvus could not put the values on the wire
    return code == _ILLEGAL_ARGUMENT_LITE or code in _PARAMETER_CODES or code in _FIELD_CODES
