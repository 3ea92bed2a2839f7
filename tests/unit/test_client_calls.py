"""The SDK against a stand-in transport: requests, typed errors, what is repeated and what is not."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from memplane import client as sdk
from memplane.api.schemas.events import EventsIn
from memplane.client import AsyncMemoryClient, MemoryClient, RetryPolicy
from memplane.client.answers import retry_after_s

QUICK = RetryPolicy(first_wait_s=0.001, longest_wait_s=0.01)
RECEIPT = {"operation_id": "op_1", "status": "completed", "items": []}
Handler = Callable[[httpx.Request], httpx.Response]


def problem(status: int, code: str, **more: object) -> httpx.Response:
    body = {
        "type": "about:blank",
        "title": code,
        "status": status,
        "code": code,
        "detail": "细节",
        "trace_id": "t1",
        **more,
    }
    return httpx.Response(status, json=body, headers={"content-type": "application/problem+json"})


class Script:
    """Answers requests one after the other and keeps them; the last answer repeats."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


def blocking(handler: Handler, *, retries: RetryPolicy = QUICK, timeout_s: float = 30.0) -> MemoryClient:
    return MemoryClient(
        "http://memplane.test/", "secret", retries=retries, timeout_s=timeout_s, transport=httpx.MockTransport(handler)
    )


def test_add_events_sends_the_contract_and_a_key() -> None:
    script = Script(httpx.Response(200, json=RECEIPT))
    with blocking(script) as client:
        receipt = client.add_events(
            "用户", [{"role": "user", "content": "我喜欢乌龙茶"}], session_id="s1", wait="indexed"
        )
    request = script.requests[0]
    assert receipt["operation_id"] == "op_1"
    assert request.url == "http://memplane.test/v1/events"
    assert request.headers["authorization"] == "Bearer secret"
    assert len(request.headers["idempotency-key"]) == 32
    assert json.loads(request.content) == {
        "user_id": "用户",
        "session_id": "s1",
        "wait": "indexed",
        "messages": [{"role": "user", "content": "我喜欢乌龙茶"}],
    }


def test_a_write_is_repeated_with_the_same_key() -> None:
    script = Script(httpx.ConnectError("refused"), problem(429, "overloaded"), httpx.Response(200, json=RECEIPT))
    with blocking(script) as client:
        client.remember("u", "Tea at five", event_time=datetime(2025, 6, 11, 8, tzinfo=UTC))
    keys = {request.headers["idempotency-key"] for request in script.requests}
    assert len(script.requests) == 3
    assert len(keys) == 1
    assert json.loads(script.requests[0].content)["event_time"] == "2025-06-11T08:00:00+00:00"


def test_reads_are_repeated_and_faults_are_not() -> None:
    answer = {"memories": [], "facts": [], "knowledge": []}
    script = Script(problem(503, "unavailable"), httpx.Response(200, json=answer))
    with blocking(script) as client:
        assert client.recall("u", "茶?", top_k=3, profile=None)["memories"] == []
    assert json.loads(script.requests[1].content) == {"user_id": "u", "query": "茶?", "top_k": 3}
    script = Script(problem(500, "internal"))
    with blocking(script) as client, pytest.raises(sdk.ServerFaultError):
        client.recall("u", "tea?")
    assert len(script.requests) == 1


def test_patience_through_a_restart_repeats_faults_and_foreign_answers() -> None:
    script = Script(
        httpx.Response(500, text="Internal Server Error"),
        httpx.Response(404, text="Path '/v1/events' not found"),
        httpx.ReadError("reset"),
        httpx.Response(200, json=RECEIPT),
    )
    patient = RetryPolicy(first_wait_s=0.001, longest_wait_s=0.01, through_restart=True)
    with blocking(script, retries=patient) as client:
        assert client.add_events("u", [{"role": "user", "content": "hi"}], session_id="s") == RECEIPT
    script = Script(problem(404, "not_found"))
    with blocking(script, retries=patient) as client, pytest.raises(sdk.NotFoundError):
        client.get_memory("mem_a/b")
    assert len(script.requests) == 1
    assert script.requests[0].url.raw_path == b"/v1/memories/mem_a%2Fb"


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "bad_json", sdk.InvalidRequestError),
        (401, "unauthenticated", sdk.AuthenticationError),
        (403, "forbidden", sdk.ForbiddenError),
        (404, "not_found", sdk.NotFoundError),
        (409, "idempotency_conflict", sdk.ConflictError),
        (413, "too_large", sdk.InvalidRequestError),
        (422, "invalid", sdk.InvalidRequestError),
        (429, "rate_limited", sdk.TooManyRequestsError),
        (500, "internal", sdk.ServerFaultError),
        (503, "writer_moved", sdk.UnavailableError),
    ],
)
def test_problem_documents_become_typed_errors(status: int, code: str, kind: type[sdk.ProblemError]) -> None:
    fields = [{"path": "messages.0.content", "code": "too_short", "message": "empty"}]
    with blocking(Script(problem(status, code, errors=fields))) as client, pytest.raises(kind) as raised:
        client.add_events("u", [], session_id="s")
    assert type(raised.value) is kind
    assert (raised.value.status, raised.value.code, raised.value.trace_id) == (status, code, "t1")
    assert raised.value.errors == fields
    assert "细节" in str(raised.value)


def test_retry_after_is_honoured_and_bounded_by_the_deadline() -> None:
    busy = httpx.Response(429, json={"code": "overloaded", "title": "busy"}, headers={"retry-after": "3600"})
    script = Script(busy)
    with blocking(script, timeout_s=5.0) as client, pytest.raises(sdk.TooManyRequestsError) as raised:
        client.get_memory("mem_1")
    assert len(script.requests) == 1, "waiting an hour does not fit the deadline"
    assert raised.value.retry_after_s == 3600
    assert RetryPolicy().wait_s(1, raised.value) == 3600
    assert RetryPolicy().wait_s(1, None) <= 0.1
    assert retry_after_s("Wed, 01 Jan 2020 00:00:00 GMT") == 0
    assert retry_after_s("soon") is None


def test_ends_after_its_attempts() -> None:
    script = Script(httpx.ConnectError("refused"))
    with blocking(script) as client, pytest.raises(sdk.PlatformUnreachableError, match=r"memplane\.test"):
        client.health()
    assert len(script.requests) == QUICK.attempts


def test_a_silent_platform_is_a_deadline() -> None:
    script = Script(httpx.ReadTimeout("slow"))
    with blocking(script) as client, pytest.raises(sdk.DeadlineError):
        client.operation("op_1")


def test_readiness_of_a_platform_that_is_down_is_an_answer() -> None:
    down = {"status": "down", "components": {"clickhouse": {"status": "down"}}}
    with blocking(Script(httpx.Response(503, json=down))) as client:
        assert client.health()["status"] == "down"


def test_a_time_without_zone_is_refused() -> None:
    with blocking(Script(httpx.Response(200, json=RECEIPT))) as client, pytest.raises(ValueError, match="time zone"):
        client.remember("u", "x", event_time=datetime(2025, 1, 1))  # noqa: DTZ001  that is the point


async def test_the_asynchronous_client_does_the_same() -> None:
    script = Script(problem(503, "writer_moved"), httpx.Response(200, json=RECEIPT), problem(404, "not_found"))
    async with AsyncMemoryClient(
        "http://memplane.test", "k", retries=QUICK, transport=httpx.MockTransport(script)
    ) as client:
        assert await client.delete_memory("mem_1") == RECEIPT
        with pytest.raises(sdk.NotFoundError):
            await client.delete_memory("mem_1")
    keys = [request.headers["idempotency-key"] for request in script.requests]
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("kind", [MemoryClient, AsyncMemoryClient])
def test_events_need_what_the_contract_needs(kind: type) -> None:
    parameters = inspect.signature(kind.add_events).parameters  # type: ignore[attr-defined]
    required = {name for name, field in EventsIn.model_fields.items() if field.is_required()}
    assert {name for name, one in parameters.items() if one.default is one.empty} - {"self"} == required


Answer = Callable[[], httpx.Response | Exception]
LOST: list[Answer] = [
    lambda: httpx.ReadError("reset"),
    lambda: httpx.ReadTimeout("slow"),
    lambda: problem(503, "writer_moved"),
]
NOT_DONE: list[Answer] = [lambda: httpx.ConnectError("refused"), lambda: problem(429, "overloaded")]


def gone() -> httpx.Response:
    return problem(404, "not_found")


@pytest.mark.parametrize("first", LOST)
async def test_a_deletion_whose_answer_was_lost_has_happened_when_the_repeat_finds_nothing(
    first: Answer,
) -> None:
    script = Script(first(), httpx.ConnectError("refused"), gone())
    with blocking(script) as client:
        receipt = client.delete_memory("mem_1")
    assert (receipt["status"], receipt["items"][0]["memory_ids"]) == ("completed", ["mem_1"])
    script = Script(first(), gone())
    async with AsyncMemoryClient(
        "http://memplane.test", "k", retries=QUICK, transport=httpx.MockTransport(script)
    ) as client_async:
        assert await client_async.delete_memory("mem_1") == receipt


@pytest.mark.parametrize("first", NOT_DONE)
def test_a_deletion_that_was_never_carried_out_finds_nothing(first: Answer) -> None:
    for script in (Script(gone()), Script(first(), gone())):
        with blocking(script) as client, pytest.raises(sdk.NotFoundError):
            client.delete_memory("mem_1")


def test_a_repeated_read_that_finds_nothing_is_an_error() -> None:
    with blocking(Script(httpx.ReadError("reset"), gone())) as client, pytest.raises(sdk.NotFoundError):
        client.get_memory("mem_1")


def test_key_files(tmp_path: Path) -> None:
    file = tmp_path / "key.json"
    file.write_text(json.dumps({"url": "http://h:1", "tenant_id": "default", "agent_key": "ak", "operator_key": "ok"}))
    keys = sdk.read_key_file(file)
    assert (keys.url, keys.agent_key, keys.operator_key) == ("http://h:1", "ak", "ok")
    assert "ak" not in repr(keys)
    with MemoryClient.from_key_file(file) as client:
        assert client.url == "http://h:1"
    file.write_text('{"url": 1}')
    with pytest.raises(ValueError, match="agent_key"):
        sdk.read_key_file(file)


def test_both_clients_offer_the_same_methods() -> None:
    def names(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert names(MemoryClient) - {"close"} == names(AsyncMemoryClient) - {"aclose"}
