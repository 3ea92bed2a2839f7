"""The SDK's calls of facts, histories, changes and events: what they send, and that both clients send the same."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from memplane.client import AsyncMemoryClient, MemoryClient, RetryPolicy

QUICK = RetryPolicy(first_wait_s=0.001, longest_wait_s=0.01)
NOON = datetime(2025, 6, 12, 12, tzinfo=UTC)
NAME = ("order", "ORD 1/甲", "status")
FACT_PATH = "/v1/users/u%2F1/facts/order/ORD%201%2F%E7%94%B2/status"

CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], str, str, Any]] = [
    ("put_fact", ("u/1", *NAME, None), {}, "PUT", FACT_PATH, {"value": None}),
    (
        "put_fact",
        ("u/1", *NAME, {"a": 1}),
        {"valid_from": NOON, "agent_id": "a", "wait": "indexed"},
        "PUT",
        FACT_PATH,
        {"value": {"a": 1}, "valid_from": "2025-06-12T12:00:00+00:00", "agent_id": "a", "wait": "indexed"},
    ),
    ("get_fact", ("u/1", *NAME), {}, "GET", FACT_PATH, None),
    ("get_fact", ("u", "a", "b", "c"), {"as_of": NOON}, "GET",
     "/v1/users/u/facts/a/b/c?as_of=2025-06-12T12%3A00%3A00%2B00%3A00", None),
    ("list_facts", ("u",), {"entity_type": "订单", "limit": 2}, "GET",
     "/v1/users/u/facts?entity_type=%E8%AE%A2%E5%8D%95&limit=2", None),
    ("delete_fact", ("u/1", *NAME), {}, "DELETE", FACT_PATH, None),
    ("memory_history", ("mem_1",), {"limit": 3, "cursor": "c"}, "GET",
     "/v1/memories/mem_1/history?limit=3&cursor=c", None),
    ("update_memory", ("mem_1",), {"importance": 0.2, "pinned": False}, "PATCH", "/v1/memories/mem_1",
     {"importance": 0.2, "pinned": False}),
    ("update_memory", ("mem_1",), {"clear_expiry": True}, "PATCH", "/v1/memories/mem_1", {"expires_at": None}),
    ("list_events", ("u",), {"role": ["user", "tool"], "session_id": None}, "GET",
     "/v1/events?user_id=u&role=user&role=tool", None),
]  # fmt: skip


@pytest.mark.parametrize(("method", "arguments", "fields", "verb", "path", "body"), CALLS)
async def test_calls_send_the_contract(
    method: str, arguments: tuple[Any, ...], fields: dict[str, Any], verb: str, path: str, body: Any
) -> None:
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(503 if len(requests) % 2 else 200, json={"code": "unavailable", "title": "busy"})

    transport = httpx.MockTransport(answer)
    with MemoryClient("http://memplane.test", "k", retries=QUICK, transport=transport) as client:
        getattr(client, method)(*arguments, **fields)
    async with AsyncMemoryClient("http://memplane.test", "k", retries=QUICK, transport=transport) as client:
        await getattr(client, method)(*arguments, **fields)
    assert len(requests) == 4, "each was repeated once"
    for request in requests:
        assert (request.method, request.url.raw_path.decode()) == (verb, path)
        assert (json.loads(request.content) if request.content else None) == body
    keys = [request.headers.get("idempotency-key") for request in requests]
    assert keys[0] == keys[1]
    assert (keys[0] is None) == (verb == "GET")
