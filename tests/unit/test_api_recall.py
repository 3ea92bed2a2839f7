"""``POST /v1/recall`` and ``POST /v1/recall/context``."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest

from memplane.api.schemas.recall import ContextOut, RecallOut
from memplane.domain.queries import Consistency, Plan, Profile
from tests.support.api_fakes import OTHER, Platform, start_platform


@pytest.fixture
async def platform() -> Platform:
    return await start_platform()


async def test_the_prefix_itself_is_the_address(platform: Platform) -> None:
    """Serve hands the application an empty path then; a redirect would lose the body."""
    for path in ("/v1/recall", "/v1/recall/"):
        assert (await platform.call("POST", path, json={"user_id": "u", "query": "q"})).status_code == 200


async def test_an_answer_has_the_shape_of_the_contract(platform: Platform) -> None:
    memory = await platform.store("u", "用户偏好简洁回答")
    await platform.store("u", "foreign", tenant_id=OTHER)
    answer = await platform.call("POST", "/v1/recall", json={"user_id": "u", "query": "怎么回答"})
    body = answer.json()
    RecallOut.model_validate(body, strict=True)
    (found,) = body["memories"]
    assert (found["memory_id"], found["score"], found["arms"]) == (memory.memory_id, 0.72, ["dense"])
    assert found["scores"] == {"relevance": 0.9, "importance": 0.8, "recency": 0.5, "frequency": 0.2}
    assert (body["facts"], body["knowledge"], body["degraded"]) == ([], [], ["reranker"])
    assert (body["route"], body["plan"], body["rewritten_query"]) == ("long_term_memory", "exact", "怎么回答")
    assert body["trace_id"] == answer.headers["x-trace-id"]
    assert "explain" not in body


async def test_every_parameter_reaches_the_use_case(platform: Platform) -> None:
    body = {
        "user_id": "u",
        "query": "q",
        "session_id": "s",
        "agent_id": "agent-1",
        "top_k": 7,
        "kinds": ["semantic", "fact"],
        "categories": ["preference"],
        "time": {"from": "2026-01-01T00:00:00+08:00", "to": "2026-02-01T00:00:00Z", "mode": "hard"},
        "profile": "fresh",
        "min_relevance": 0.25,
        "consistency": "strong",
        "plan": "index",
        "include_archived": True,
        "deadline_ms": 300,
        "explain": True,
    }
    before = time.time()
    answer = await platform.call("POST", "/v1/recall", json=body)
    assert answer.json()["explain"] == {"stages": {"dense": 1}}
    request, context = platform.recalls[0]
    assert request.scope == platform.scope("u")
    assert (request.text, request.session_id, request.agent_id, request.top_k) == ("q", "s", "agent-1", 7)
    assert (request.kinds, request.categories) == (("semantic", "fact"), ("preference",))
    assert request.from_time == datetime(2025, 12, 31, 16, tzinfo=UTC)
    assert request.to_time == datetime(2026, 2, 1, tzinfo=UTC)
    assert (request.profile, request.consistency, request.plan) == (Profile.FRESH, Consistency.STRONG, Plan.INDEX)
    assert (request.min_relevance, request.include_archived, request.deadline_ms) == (0.25, True, 300)
    assert before + 0.3 <= context.deadline <= time.time() + 0.3


async def test_messages_are_a_query_of_their_last_turns(platform: Platform) -> None:
    messages = [{"role": "user", "content": f"turn {index}"} for index in range(5)]
    messages.append({"role": "tool", "content": "noise"})
    await platform.call("POST", "/v1/recall", json={"user_id": "u", "messages": messages})
    assert platform.recalls[0][0].text == "turn 2\nturn 3\nturn 4"


async def test_a_long_conversation_keeps_its_end(platform: Platform) -> None:
    messages = [{"role": "assistant", "content": "长" * 20_000}, {"role": "user", "content": "那家店叫什么"}]
    await platform.call("POST", "/v1/recall", json={"user_id": "u", "messages": messages})
    assert platform.recalls[0][0].text.endswith("那家店叫什么")
    assert len(platform.recalls[0][0].text) == 8_000


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"query": None}, "", "missing"),
    ({"query": " "}, "query", "blank"),
    ({"query": "x" * 8_001}, "", "too_long"),
    ({"messages": [{"role": "user", "content": "x"}]}, "", "ambiguous"),
    ({"query": None, "messages": [{"role": "tool", "content": "x"}]}, "", "blank"),
    ({"query": None, "messages": []}, "messages", "too_short"),
    ({"top_k": 0}, "top_k", "out_of_range"),
    ({"top_k": 101}, "top_k", "out_of_range"),
    ({"top_k": 2.5}, "top_k", "wrong_type"),
    ({"top_k": True}, "top_k", "wrong_type"),
    ({"top_k": 10**40}, "top_k", "out_of_range"),
    ({"kinds": ["any"]}, "kinds.0", "unknown_value"),
    ({"kinds": "fact"}, "kinds", "wrong_type"),
    ({"profile": "best"}, "profile", "unknown_value"),
    ({"plan": "milvus"}, "plan", "unknown_value"),
    ({"consistency": "weak"}, "consistency", "unknown_value"),
    ({"min_relevance": 1.5}, "min_relevance", "out_of_range"),
    ({"deadline_ms": 0}, "deadline_ms", "out_of_range"),
    ({"deadline_ms": 30_001}, "deadline_ms", "out_of_range"),
    ({"time": {"from": "2026-02-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}}, "time", "out_of_range"),
    ({"time": {"from": "now"}}, "time.from", "bad_time"),
    ({"time": {"mode": "soft"}}, "time.mode", "not_supported"),
    ({"time": {"since": "x"}}, "time.since", "unknown_field"),
    ({"filter": {"field": {"eq": 1}}}, "filter.field", "unknown_field"),
    ({"filter": {"kind": {"is": "fact"}}}, "filter.kind.is", "unknown_operator"),
    ({"as_of": "2026-01-01T00:00:00Z"}, "as_of", "not_supported"),
    ({"known_at": "2026-01-01T00:00:00Z"}, "known_at", "not_supported"),
    ({"weights": {"relevance": -1}}, "weights.relevance", "out_of_range"),
    ({"weights": {}}, "weights", "out_of_range"),
    ({"weights": {"relevance": 1, "tau_days": 0}}, "weights.tau_days", "out_of_range"),
    ({"relax": False}, "relax", "not_supported"),
    ({"tenant_id": "other"}, "tenant_id", "unknown_field"),
]


@pytest.mark.parametrize(("change", "path", "code"), FAULTS)
async def test_faults_are_named_and_nothing_is_recalled(
    platform: Platform, change: dict[str, Any], path: str, code: str
) -> None:
    answer = await platform.call("POST", "/v1/recall", json={"user_id": "u", "query": "q"} | change)
    assert answer.status_code == 422, answer.text
    assert (answer.json()["errors"][0]["path"], answer.json()["errors"][0]["code"]) == (path, code)
    assert platform.recalls == []


async def test_a_context_takes_its_budgets_and_the_tenants_language(platform: Platform) -> None:
    body = {"user_id": "u", "query": "q", "budget_tokens": 100, "window_tokens": 1_000, "prompt_tokens": 10}
    answer = await platform.call("POST", "/v1/recall/context", json=body | {"citation_style": "id"})
    ContextOut.model_validate(answer.json(), strict=True)
    assert answer.json()["citations"] == [{"ref": "mem-1", "memory_id": "mem_x", "score": 0.5}]
    request, _ = platform.contexts[0]
    assert (request.budget_tokens, request.window_tokens, request.prompt_tokens) == (100, 1_000, 10)
    assert (request.language, request.citation_style) == ("zh", "id")
    await platform.call("POST", "/v1/recall/context", json=body | {"language": "en"})
    assert platform.contexts[1][0].language == "en"


async def test_a_context_without_a_query_opens_a_session(platform: Platform) -> None:
    assert (await platform.call("POST", "/v1/recall/context", json={"user_id": "u"})).status_code == 200
    assert platform.contexts[0][0].recall.text == ""


@pytest.mark.parametrize(
    "change",
    [{"budget_tokens": 0}, {"window_tokens": 0}, {"prompt_tokens": -1}, {"language": "fr"}, {"citation_style": "long"}],
)
async def test_faults_of_a_context_are_refused(platform: Platform, change: dict[str, Any]) -> None:
    answer = await platform.call("POST", "/v1/recall/context", json={"user_id": "u", "query": "q"} | change)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


@pytest.mark.parametrize("path", ["/v1/recall", "/v1/recall/context"])
async def test_keys_recall_only_within_their_bindings(platform: Platform, path: str) -> None:
    tries = {
        ("user", "u", None): 200,
        ("user", "v", None): 403,
        ("bound", "u", None): 200,
        ("bound", "u", "agent-2"): 403,
        ("several", "u", None): 403,
        ("several", "u", "agent-2"): 200,
        ("auditor", "u", None): 403,
        ("operator", "u", None): 200,
    }
    for (key, user_id, agent_id), status in tries.items():
        body = {"user_id": user_id, "query": "q", "agent_id": agent_id}
        assert (await platform.call("POST", path, key=key, json=body)).status_code == status, (key, user_id, agent_id)
