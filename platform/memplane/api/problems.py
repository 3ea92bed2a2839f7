"""Errors as RFC 9457 problem documents: one table from error to HTTP status, looked up along the class's ancestry."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from memplane.api.tracing import trace_id_of
from memplane.domain.errors import (
    BadCursorError,
    BadJsonError,
    ConflictError,
    FieldIssue,
    FilterTooBroadError,
    ForbiddenError,
    InvalidError,
    MemplaneError,
    ModelUnavailableError,
    NotFoundError,
    OverloadedError,
    QuotaExceededError,
    RateLimitedError,
    StoreUnavailableError,
    TooLargeError,
    UnauthenticatedError,
    UnavailableError,
    UnsupportedMediaTypeError,
)

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
DEFAULT_RETRY_AFTER_S: Final = 1.0
MAX_ISSUES: Final = 50

STATUS_BY_ERROR: Final[Mapping[type[MemplaneError], int]] = {
    UnauthenticatedError: 401,
    TooLargeError: 413,
    UnsupportedMediaTypeError: 415,
    BadJsonError: 400,
    InvalidError: 422,
    BadCursorError: 422,
    FilterTooBroadError: 422,
    ForbiddenError: 403,
    NotFoundError: 404,
    ConflictError: 409,
    RateLimitedError: 429,
    QuotaExceededError: 429,
    OverloadedError: 429,
    UnavailableError: 503,
}
TITLES: Final[Mapping[int, str]] = {
    400: "The body is not JSON",
    401: "A valid key is needed",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    415: "The body must be application/json",
    422: "The request breaks the contract",
    429: "Too much at once",
    500: "Internal error",
    503: "Not available at the moment",
}
_CODE_BY_STATUS: Final[Mapping[int, str]] = {404: "not_found", 405: "method_not_allowed"}
_SPARE_DETAIL: Final = (StoreUnavailableError, ModelUnavailableError)

_log = logging.getLogger(__name__)


def status_of(error: MemplaneError) -> int:
    """The HTTP status of an error: that of its nearest ancestor in the table, 500 if none is."""
    return next((STATUS_BY_ERROR[kind] for kind in type(error).__mro__ if kind in STATUS_BY_ERROR), 500)


def problem(
    *,
    status: int,
    code: str,
    detail: str,
    trace_id: str,
    issues: Sequence[FieldIssue] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A problem document. ``issues`` become its ``errors``."""
    document: dict[str, Any] = {
        "type": f"urn:memplane:problem:{code}",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "code": code,
        "detail": detail,
        "trace_id": trace_id,
    }
    if issues:
        document["errors"] = [{"path": i.path, "code": i.code, "message": i.message} for i in issues[:MAX_ISSUES]]
    return Response(
        orjson.dumps(document), status_code=status, media_type=PROBLEM_MEDIA_TYPE, headers=dict(headers or {})
    )


def problem_of(error: Exception, *, trace_id: str) -> Response:
    """The answer to an error. Unknown ones are logged with their traceback and told by nothing but the trace id."""
    known = _leading(error)
    status = 500 if known is None else status_of(known)
    if known is None or status == 500:
        _log.error("request_failed", exc_info=error, extra={"trace_id": trace_id})
        return problem(
            status=500,
            code="internal",
            detail="something went wrong here; the trace id names it in the log",
            trace_id=trace_id,
        )
    return problem(
        status=status,
        code=known.code,
        detail=_detail(known),
        trace_id=trace_id,
        issues=known.issues if isinstance(known, InvalidError) else (),
        headers=_headers(known, status),
    )


def install_problem_handlers(app: FastAPI) -> None:
    """Turns the framework's own refusals (no such route, wrong method) into problem documents as well."""

    async def refuse(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            raise error
        code = _CODE_BY_STATUS.get(error.status_code, "invalid" if error.status_code < 500 else "internal")
        detail = f"no {request.method} here" if error.status_code == 405 else "no such address"
        headers = {"allow": _allowed(request)} if error.status_code == 405 else error.headers
        return problem(
            status=error.status_code,
            code=code,
            detail=detail if error.status_code in _CODE_BY_STATUS else TITLES.get(error.status_code, "Error"),
            trace_id=trace_id_of(request.scope),
            headers=headers,
        )

    app.add_exception_handler(HTTPException, refuse)


def _allowed(request: Request) -> str:
    """Every method of the path. Each method is a route of its own, and the framework names those of one route."""
    methods: set[str] = set()
    for route in request.app.routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            methods |= route.methods or set()
    return ", ".join(sorted(methods))


def _leading(error: BaseException) -> MemplaneError | None:
    """The error itself, or the first of ours in a group of failed siblings."""
    if isinstance(error, MemplaneError):
        return error
    if isinstance(error, BaseExceptionGroup):
        return next((found for child in error.exceptions if (found := _leading(child)) is not None), None)
    return None


def _detail(error: MemplaneError) -> str:
    """The error's message, except for errors of stores and models: theirs may name hosts."""
    if isinstance(error, _SPARE_DETAIL):
        return f"{error.data.get('component', 'a part of the platform')} does not answer; try again"
    return error.message


def _headers(error: MemplaneError, status: int) -> dict[str, str]:
    if status == 401:
        return {"www-authenticate": "Bearer"}
    if status in {429, 503}:
        return {"retry-after": str(max(1, math.ceil(error.retry_after_s or DEFAULT_RETRY_AFTER_S)))}
    return {}
