"""Answers: a JSON object, or a typed error."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from memplane.client.calls import Call
from memplane.client.errors import (
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    ProblemError,
    ServerFaultError,
    TooManyRequestsError,
    UnavailableError,
)

_BY_STATUS: dict[int, type[ProblemError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: TooManyRequestsError,
    503: UnavailableError,
}
_LONGEST_FOREIGN_TEXT = 200


def read_answer(call: Call, response: httpx.Response, *, repeat_of_unknown: bool = False) -> dict[str, Any]:
    """The body of a good answer. Raises: ProblemError (a child by status) for every other one.

    ``repeat_of_unknown``: an earlier sending of the call may have been carried out.
    """
    body = _json_object(response)
    if response.is_success and body is not None:
        return body
    if call.answers_with_503 and response.status_code == 503 and body is not None and "components" in body:
        return body
    problem = _problem(response, body)
    if repeat_of_unknown and call.answer_when_gone is not None and problem.code == "not_found":
        return dict(call.answer_when_gone)
    raise problem


def _json_object(response: httpx.Response) -> dict[str, Any] | None:
    try:
        body = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        return None
    return body if isinstance(body, dict) else None


def _problem(response: httpx.Response, body: dict[str, Any] | None) -> ProblemError:
    status = response.status_code
    fallback = ServerFaultError if status >= 500 else ProblemError
    problem = body or {}
    code = problem.get("code")
    return _BY_STATUS.get(status, fallback)(
        status=status,
        code=code if isinstance(code, str) else "",
        title=str(problem.get("title") or response.reason_phrase or "error"),
        detail=str(problem.get("detail") or "" if body else response.text[:_LONGEST_FOREIGN_TEXT]),
        trace_id=problem.get("trace_id") or response.headers.get("x-trace-id"),
        errors=[error for error in problem.get("errors") or [] if isinstance(error, dict)],
        retry_after_s=retry_after_s(response.headers.get("retry-after")),
    )


def retry_after_s(value: str | None) -> float | None:
    """``Retry-After`` in seconds, from seconds or an HTTP date; ``None`` when absent or unreadable."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
