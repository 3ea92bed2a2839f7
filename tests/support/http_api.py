"""A caller of the HTTP interface, as tests see it: every answer whole, nothing raised, nothing repeated."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

PAGE = 200


def fresh(prefix: str = "u") -> str:
    """An id that no other test uses."""
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


@dataclass(frozen=True, slots=True)
class Api:
    """One key on one platform. Connections are kept; ``close`` ends them."""

    url: str
    key: str = field(repr=False)
    tenant_id: str = ""
    http: httpx.Client = field(init=False, repr=False)

    def __post_init__(self) -> None:
        http = httpx.Client(base_url=self.url, headers=self.headers, timeout=60.0, trust_env=False)
        object.__setattr__(self, "http", http)

    @property
    def headers(self) -> dict[str, str]:
        """What authenticates a request."""
        return {"authorization": f"Bearer {self.key}"} if self.key else {}

    def close(self) -> None:
        """Closes the connections."""
        self.http.close()

    def parallel(self, *, connections: int = 32) -> httpx.AsyncClient:
        """The same caller for concurrent requests."""
        limits = httpx.Limits(max_connections=connections)
        return httpx.AsyncClient(base_url=self.url, headers=self.headers, timeout=120.0, limits=limits, trust_env=False)

    def post(self, path: str, body: Any, *, key: str | None = None, **headers: str) -> httpx.Response:
        """A POST of JSON; ``key`` is the Idempotency-Key."""
        sent = {**({"idempotency-key": key} if key else {}), **headers}
        return self.http.post(path, json=body, headers=sent)

    def events(self, user_id: str, messages: Sequence[Any], *, key: str | None = None, **fields: Any) -> httpx.Response:
        """Records turns; plain strings are the user's."""
        turns = [{"role": "user", "content": turn} if isinstance(turn, str) else turn for turn in messages]
        body = {"user_id": user_id, "session_id": "s-1", "messages": turns, **fields}
        return self.post("/v1/events", body, key=key)

    def remember(self, user_id: str, content: str, *, key: str | None = None, **fields: Any) -> httpx.Response:
        """Writes one statement."""
        return self.post("/v1/memories", {"user_id": user_id, "content": content, **fields}, key=key)

    def remembered(self, user_id: str, content: str, **fields: Any) -> str:
        """Writes one statement; returns the id of its memory."""
        response = self.remember(user_id, content, **fields)
        assert response.status_code == 200, response.text
        return str(response.json()["items"][0]["memory_ids"][0])

    def recall(self, user_id: str, query: str, **fields: Any) -> httpx.Response:
        """Recalls."""
        return self.post("/v1/recall", {"user_id": user_id, "query": query, "deadline_ms": 30_000, **fields})

    def recalled(self, user_id: str, query: str, **fields: Any) -> list[dict[str, Any]]:
        """The memories of a recall that lacked nothing, best first."""
        response = self.recall(user_id, query, **fields)
        assert response.status_code == 200, response.text
        assert response.json()["degraded"] == []
        found: list[dict[str, Any]] = response.json()["memories"]
        return found

    def memory(self, memory_id: str) -> httpx.Response:
        """One memory by id."""
        return self.http.get(f"/v1/memories/{quote(memory_id, safe='')}")

    def forget(self, memory_id: str) -> httpx.Response:
        """Deletes one memory."""
        return self.http.delete(f"/v1/memories/{quote(memory_id, safe='')}")

    def listing(self, **query: Any) -> httpx.Response:
        """One page of memories."""
        return self.http.get("/v1/memories", params=query)

    def all_memories(self, user_id: str, **query: Any) -> list[dict[str, Any]]:
        """All pages of a user's memories, newest first."""
        found: list[dict[str, Any]] = []
        cursor: Mapping[str, str] = {}
        while True:
            response = self.listing(user_id=user_id, limit=PAGE, **query, **cursor)
            assert response.status_code == 200, response.text
            found += response.json()["memories"]
            if response.json()["next_cursor"] is None:
                return found
            cursor = {"cursor": response.json()["next_cursor"]}

    def contents(self, user_id: str) -> list[str]:
        """The texts of a user's active memories, sorted: repeated if a memory is there twice."""
        return sorted(memory["content"] for memory in self.all_memories(user_id))


def assert_problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The answer is a problem document with this code, and tells nothing of the inside."""
    assert response.status_code == status, f"{response.status_code} {response.text[:500]}"
    assert response.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert document["code"] == code, document
    assert document["status"] == status
    assert document["trace_id"] == response.headers["x-trace-id"]
    assert document["type"].endswith(code)
    assert document["title"]
    assert document["detail"]
    assert "Traceback" not in response.text
    return document
