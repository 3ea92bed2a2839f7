"""Errors as problem documents: every code, the order of checks, and what is never told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from memplane.api.problems import STATUS_BY_ERROR, problem_of, status_of
from memplane.api.schemas.answers import ProblemOut
from memplane.api.services import ApiLimits
from memplane.domain import errors
from memplane.domain.errors import (
    CorruptDataError,
    DeadlineExceededError,
    FieldIssue,
    IdempotencyConflictError,
    InvalidError,
    MemplaneError,
    OverloadedError,
    QuotaExceededError,
    RateLimitedError,
    StoreRejectedError,
    StoreUnavailableError,
    UnavailableError,
    UserErasingError,
    WriterMovedError,
)
from tests.support.api_fakes import Platform, start_platform

JSON = {"content-type": "application/json"}
TEXT = {"content-type": "text/plain"}
GOOD = b'{"user_id": "u", "content": "hello"}'


@pytest.fixture
async def platform() -> Platform:
    return await start_platform()


def _all_errors(root: type[MemplaneError] = MemplaneError) -> list[type[MemplaneError]]:
    return [root, *(found for child in root.__subclasses__() for found in _all_errors(child))]


@pytest.mark.parametrize("kind", _all_errors(), ids=lambda kind: kind.__name__)
async def test_every_error_of_the_writer_becomes_a_problem_document(
    platform: Platform, kind: type[MemplaneError]
) -> None:
    platform.writer.fails_with = kind("the reason")
    answer = await platform.call("POST", "/v1/memories", content=GOOD, headers=JSON)
    problem = ProblemOut.model_validate(answer.json(), strict=True)
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem.status == answer.status_code == status_of(kind("x"))
    assert problem.code == ("internal" if answer.status_code == 500 else kind.code)
    assert problem.trace_id == answer.headers["x-trace-id"]
    assert ("retry-after" in answer.headers) == (answer.status_code in {429, 503})


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (IdempotencyConflictError("x"), 409, "idempotency_conflict"),
        (UserErasingError("x"), 409, "user_erasing"),
        (RateLimitedError("x"), 429, "rate_limited"),
        (QuotaExceededError("x"), 429, "quota_exceeded"),
        (OverloadedError("x"), 429, "overloaded"),
        (WriterMovedError("x"), 503, "writer_moved"),
        (DeadlineExceededError("x"), 503, "unavailable"),
        (StoreRejectedError("x"), 500, "internal"),
        (CorruptDataError("x"), 500, "internal"),
    ],
)
async def test_statuses_of_the_contract(platform: Platform, error: MemplaneError, status: int, code: str) -> None:
    platform.recall_fails_with = error
    answer = await platform.call("POST", "/v1/recall", json={"user_id": "u", "query": "q"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_every_error_of_the_domain_is_in_the_table_or_meant_to_be_internal() -> None:
    internal = {kind for kind in _all_errors() if not any(base in STATUS_BY_ERROR for base in kind.__mro__)}
    ours = {kind for kind in internal if kind.__module__ == errors.__name__}
    assert ours == {MemplaneError, StoreRejectedError, CorruptDataError}


async def test_retry_after_is_whole_seconds_rounded_up(platform: Platform) -> None:
    platform.writer.fails_with = OverloadedError("full", retry_after_s=2.2)
    answer = await platform.call("POST", "/v1/memories", content=GOOD, headers=JSON)
    assert answer.headers["retry-after"] == "3"


@pytest.mark.parametrize("group", [False, True])
async def test_unknown_errors_tell_nothing_but_the_trace(
    platform: Platform, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, group: bool
) -> None:
    monkeypatch.setattr(logging.getLogger("memplane"), "propagate", True)
    error: Exception = RuntimeError("secret host 10.0.0.1")
    platform.writer.fails_with = ExceptionGroup("several", [error]) if group else error
    answer = await platform.call("POST", "/v1/memories", content=GOOD, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert caplog.records[-1].exc_info is not None
    assert caplog.records[-1].trace_id == answer.headers["x-trace-id"]  # type: ignore[attr-defined]


async def test_failed_siblings_answer_with_the_error_of_ours_among_them(platform: Platform) -> None:
    platform.recall_fails_with = ExceptionGroup("arms", [OverloadedError("full")])
    answer = await platform.call("POST", "/v1/recall", json={"user_id": "u", "query": "q"})
    assert (answer.status_code, answer.json()["code"]) == (429, "overloaded")


def test_errors_of_stores_do_not_tell_addresses() -> None:
    error = StoreUnavailableError("connect to 10.0.0.1:8123 failed", data={"component": "clickhouse"})
    body = bytes(problem_of(error, trace_id="t").body)
    assert b"10.0.0.1" not in body
    assert b"clickhouse" in body


def test_issues_are_told_and_bounded() -> None:
    issues = [FieldIssue(path=f"f{index}", code="bad", message="no") for index in range(500)]
    body = bytes(problem_of(InvalidError("many", issues=issues), trace_id="t").body)
    assert body.count(b'"path"') == 50


# Each row breaks its own check and all later ones: the first in the contract's order must answer.
ORDER: list[tuple[str, dict[str, Any], int, str]] = [
    ("key", {"key": "mp_wrong", "content": b"[" * 300_000, "headers": TEXT}, 401, "unauthenticated"),
    ("size", {"key": "auditor", "content": b"[" * 300_000, "headers": TEXT}, 413, "too_large"),
    ("type", {"key": "auditor", "content": b"[", "headers": TEXT}, 415, "unsupported_media_type"),
    ("json", {"key": "auditor", "content": b"[", "headers": JSON}, 400, "bad_json"),
    ("contract", {"key": "auditor", "content": b'{"user_id": "/"}', "headers": JSON}, 422, "invalid"),
    ("role", {"key": "auditor", "content": GOOD, "headers": JSON}, 403, "forbidden"),
]


@pytest.mark.parametrize(("request_args", "status", "code"), [row[1:] for row in ORDER], ids=[row[0] for row in ORDER])
@pytest.mark.parametrize("path", ["/v1/events", "/v1/memories", "/v1/recall", "/v1/recall/context", "/admin/v1/keys"])
async def test_checks_come_in_the_order_of_the_contract(
    platform: Platform, path: str, request_args: dict[str, Any], status: int, code: str
) -> None:
    good = {
        "/v1/memories": GOOD,
        "/v1/events": b'{"user_id": "u", "session_id": "s", "messages": [{"role": "user", "content": "hi"}]}',
        "/v1/recall": b'{"user_id": "u", "query": "q"}',
        "/v1/recall/context": b'{"user_id": "u", "query": "q"}',
        "/admin/v1/keys": b'{"tenant_id": "default", "role": "agent"}',
    }[path]
    sent = request_args | ({"content": good} if request_args["content"] == GOOD else {})
    answer = await platform.call("POST", path, **sent)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert platform.writer.commands == []


async def test_a_conflict_is_told_before_an_overload_and_after_a_refusal(platform: Platform) -> None:
    platform.writer.fails_with = IdempotencyConflictError("x")
    refused = await platform.call("POST", "/v1/memories", key="auditor", content=GOOD, headers=JSON)
    assert refused.status_code == 403
    assert (await platform.call("POST", "/v1/memories", content=GOOD, headers=JSON)).status_code == 409


async def test_the_body_is_limited_while_it_is_read(platform: Platform) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield b" " * 10_000

    answer = await platform.call("POST", "/v1/memories", content=endless(), headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert taken <= 22


async def test_a_declared_size_is_refused_before_a_byte_is_read(platform: Platform) -> None:
    taken = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal taken
        taken += 1
        yield GOOD

    for declared in ("200001", "9" * 40):
        headers = JSON | {"content-length": declared}
        answer = await platform.call("POST", "/v1/memories", content=body(), headers=headers)
        assert answer.status_code == 413
    assert taken == 0


async def test_a_body_that_trickles_in_ends_at_the_deadline() -> None:
    platform = await start_platform(limits=ApiLimits(request_deadline_s=0.05))

    async def stuck() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(60)

    answer = await platform.call("POST", "/v1/memories", content=stuck(), headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "application/json; charset=utf-8"}, 200),
        ({"content-type": 'Application/JSON; charset="UTF-8"'}, 200),
        ({"content-type": "application/json; charset=latin-1"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "text/json"}, 415),
        ({}, 415),
        ({"content-type": "application/json", "content-encoding": "gzip"}, 415),
    ],
)
async def test_only_plain_json_is_read(platform: Platform, headers: dict[str, str], status: int) -> None:
    answer = await platform.call("POST", "/v1/memories", content=GOOD, headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nothing", 404, "not_found"),
        ("GET", "/v1/memories/", 404, "not_found"),
        ("GET", "/v1", 404, "not_found"),
        ("PUT", "/v1/memories", 405, "method_not_allowed"),
        ("GET", "/v1/recall", 405, "method_not_allowed"),
        ("GET", "/admin/v1/tenants", 405, "method_not_allowed"),
    ],
)
async def test_the_frameworks_own_answers_are_problem_documents(
    platform: Platform, method: str, path: str, status: int, code: str
) -> None:
    answer = await platform.call(method, path)
    ProblemOut.model_validate(answer.json(), strict=True)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert ("allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/memories", {"GET", "POST"}),
        ("PUT", "/v1/memories/mem_1", {"GET", "PATCH", "DELETE"}),
        ("POST", "/v1/memories/mem_1/history", {"GET"}),
        ("GET", "/v1/recall", {"POST"}),
    ],
)
async def test_a_refused_method_names_all_that_the_path_has(
    platform: Platform, method: str, path: str, allowed: set[str]
) -> None:
    answer = await platform.call(method, path)
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == allowed


async def test_a_trace_is_taken_up_and_told(platform: Platform) -> None:
    traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    answer = await platform.call("POST", "/v1/memories", content=GOOD, headers=JSON | {"traceparent": traceparent})
    assert answer.headers["x-trace-id"] == "4bf92f3577b34da6a3ce929d0e0e4736"
    assert platform.writer.contexts[0].trace_id == "4bf92f3577b34da6a3ce929d0e0e4736"
    span = platform.tracer.spans[-1]
    assert span.attributes["http.route"] == "/v1/memories"
    assert span.attributes["http.response.status_code"] == 200


@pytest.mark.parametrize("traceparent", ["", "x", "00-" + "0" * 32 + "-" + "0" * 16 + "-01", "00-" + "Z" * 32 + "-1-1"])
async def test_a_bad_trace_is_replaced(platform: Platform, traceparent: str) -> None:
    answer = await platform.call("GET", "/v1/nothing", headers={"traceparent": traceparent})
    assert len(answer.headers["x-trace-id"]) == 32
    assert answer.headers["x-trace-id"] != "0" * 32
    assert platform.tracer.spans[-1].attributes["http.route"] == ""


async def test_spans_name_the_template_and_never_the_path(platform: Platform) -> None:
    await platform.call("GET", "/v1/memories/mem_secret")
    assert platform.tracer.spans[-1].attributes["http.route"] == "/v1/memories/{memory_id}"


@pytest.mark.parametrize("path", ["/v1/health/live", "/v1/memories", "/v1/nothing", "/v1/docs"])
async def test_every_answer_carries_the_safety_headers(platform: Platform, path: str) -> None:
    answer = await platform.call("GET", path, key=None)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-trace-id"]


async def test_without_control_data_the_answer_is_503(platform: Platform) -> None:
    platform.view._snapshot = None
    answer = await platform.call("GET", "/v1/memories?user_id=u")
    assert (answer.status_code, answer.json()["code"]) == (503, UnavailableError.code)
    assert (await platform.call("GET", "/v1/health/live")).status_code == 200
