"""One trace over all processes: a write and a recall leave their stages in ``otel_traces``, and no text of anybody."""

from __future__ import annotations

import json
import secrets
from typing import Any

import pytest

from tests.support.http_api import fresh
from tests.support.platform import Platform, eventually

TEXT = {"zh": "用户的暗号是青花瓷里的蓝莓。", "en": "The password hint is blueberries in porcelain."}
WORDS = {"zh": ["青花瓷", "蓝莓", "暗号"], "en": ["blueberries", "porcelain", "password"]}
WRITE_STAGES = {"http.request", "embed", "commit"}
RECALL_STAGES = {"http.request", "recall", "embed"}


@pytest.fixture(autouse=True)
def local(platform: Platform) -> None:
    if platform.data_dir is None:
        pytest.skip("the traces of this platform are not within reach")


def spans_of(platform: Platform, trace_id: str, *, stages: set[str]) -> list[dict[str, Any]]:
    """The spans of a trace, once its stages have all been exported."""

    def exported() -> list[dict[str, Any]] | None:
        rows = platform.clickhouse(
            "SELECT * FROM otel_traces WHERE TraceId = {trace_id:String} ORDER BY Timestamp", trace_id=trace_id
        )
        return rows if stages <= {row["SpanName"] for row in rows} else None

    rows: list[dict[str, Any]] = eventually(exported, timeout_s=30, what=f"spans {sorted(stages)}", every_s=0.5)
    return rows


def caller_trace() -> tuple[str, str, dict[str, str]]:
    """A caller's own trace: its id, the id of the caller's span, and the header."""
    trace_id, span_id = secrets.token_hex(16), secrets.token_hex(8)
    return trace_id, span_id, {"traceparent": f"00-{trace_id}-{span_id}-01"}


def assert_one_tree(spans: list[dict[str, Any]], caller_span: str) -> None:
    """Every span hangs below the caller's, by way of spans of the same trace."""
    parents = {span["SpanId"]: span["ParentSpanId"] for span in spans}
    assert len(parents) == len(spans)
    for span in spans:
        at, steps = span["SpanId"], 0
        while at != caller_span:
            assert at in parents, f"{span['SpanName']} has lost its parent"
            at, steps = parents[at], steps + 1
            assert steps <= len(spans)
    assert all(int(span["Duration"]) >= 0 for span in spans)


def assert_tells_no_secret(spans: list[dict[str, Any]], platform: Platform, *, user: str, language: str) -> None:
    told = json.dumps(spans, ensure_ascii=False)
    for secret in (*WORDS[language], user, platform.agent_key, platform.operator_key):
        assert secret not in told


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_write_leaves_its_stages(platform: Platform, language: str) -> None:
    user, (trace_id, caller_span, header) = fresh(), caller_trace()
    body = {
        "user_id": user,
        "session_id": f"session-{user}",
        "messages": [{"role": "user", "content": TEXT[language], "metadata": {"note": TEXT[language]}}],
        "wait": "indexed",
    }
    answer = platform.agent.post("/v1/events", body, **header)
    assert answer.status_code == 200
    assert answer.headers["x-trace-id"] == trace_id
    spans = spans_of(platform, trace_id, stages=WRITE_STAGES)
    assert_one_tree(spans, caller_span)
    assert_tells_no_secret(spans, platform, user=user, language=language)
    assert {"memplane-ingest", "memplane-writer"} <= {span["ServiceName"] for span in spans}
    (request,) = (span for span in spans if span["SpanName"] == "http.request")
    assert request["SpanAttributes"]["http.request.method"] == "POST"
    assert request["SpanAttributes"]["http.route"] == "/v1/events"
    assert request["SpanAttributes"]["http.response.status_code"] == "200"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("plan", ["exact", "index"])
def test_a_recall_leaves_its_stages(platform: Platform, language: str, plan: str) -> None:
    user, (trace_id, caller_span, header) = fresh(), caller_trace()
    platform.agent.remembered(user, TEXT[language], wait="indexed")
    body = {"user_id": user, "query": TEXT[language], "plan": plan, "deadline_ms": 30_000}
    answer = platform.agent.post("/v1/recall", body, **header)
    assert answer.status_code == 200
    assert answer.json()["trace_id"] == answer.headers["x-trace-id"] == trace_id
    stages = RECALL_STAGES | ({"index"} if plan == "index" else set())
    spans = spans_of(platform, trace_id, stages=stages)
    assert_one_tree(spans, caller_span)
    assert_tells_no_secret(spans, platform, user=user, language=language)
    (recall,) = (span for span in spans if span["SpanName"] == "recall")
    assert recall["SpanAttributes"]["memplane.plan"] == plan
    assert recall["SpanAttributes"]["memplane.returned"] == "1"


def test_paths_of_spans_hold_no_ids(platform: Platform) -> None:
    user, (trace_id, _, header) = fresh(), caller_trace()
    memory_id = platform.agent.remembered(user, TEXT["zh"])
    assert platform.agent.http.get(f"/v1/memories/{memory_id}", headers=header).status_code == 200
    spans = spans_of(platform, trace_id, stages={"http.request"})
    assert memory_id not in json.dumps(spans)
    assert {span["SpanAttributes"]["http.route"] for span in spans} == {"/v1/memories/{memory_id}"}


def test_a_refused_request_leaves_a_trace_without_its_content(platform: Platform) -> None:
    user, (trace_id, _, header) = fresh(), caller_trace()
    body = {"user_id": user, "content": TEXT["en"], "mood": "blueberries"}
    assert platform.agent.post("/v1/memories", body, **header).status_code == 422
    spans = spans_of(platform, trace_id, stages={"http.request"})
    assert {span["SpanAttributes"]["http.response.status_code"] for span in spans} == {"422"}
    assert_tells_no_secret(spans, platform, user=user, language="en")


def test_the_lookup_by_trace_id_is_filled(platform: Platform) -> None:
    trace_id, _, header = caller_trace()
    platform.agent.http.get("/v1/memories", params={"user_id": fresh()}, headers=header)
    spans_of(platform, trace_id, stages={"http.request"})
    rows = platform.clickhouse(
        "SELECT count() AS n FROM otel_traces_trace_id_ts WHERE TraceId = {trace_id:String}", trace_id=trace_id
    )
    assert int(rows[0]["n"]) >= 1
