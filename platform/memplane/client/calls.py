"""Requests as values: what each method of the clients asks, without sending it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote

from memplane.client.types import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request. ``repeatable`` says that sending it twice has the effect of sending it once."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    idempotency_key: str | None = None
    answers_with_503: bool = False
    """A 503 carries an answer too (readiness)."""

    @property
    def repeatable(self) -> bool:
        """Reads, and writes that carry an idempotency key."""
        return self.method == "GET" or self.path.startswith("/v1/recall") or self.idempotency_key is not None


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was left out; times as RFC 3339. Raises: ValueError for a time without an offset."""
    kept = {}
    for name, value in values.items():
        if value is None:
            continue
        if isinstance(value, datetime):
            if value.tzinfo is None:
                raise ValueError(f"{name} has no time zone: {value.isoformat()!r}")
            value = value.isoformat()  # noqa: PLW2901  the loop is about the plain form
        kept[name] = value
    return kept


def _write(path: str, body: Mapping[str, Any], idempotency_key: str | None) -> Call:
    return Call(method="POST", path=path, body=_plain(body), idempotency_key=idempotency_key or uuid.uuid4().hex)


def add_events(
    *, user_id: str, messages: Sequence[Message], idempotency_key: str | None, optional: Mapping[str, Any]
) -> Call:
    """``POST /v1/events``."""
    return _write("/v1/events", {"user_id": user_id, "messages": list(messages), **optional}, idempotency_key)


def remember(*, user_id: str, content: str, idempotency_key: str | None, optional: Mapping[str, Any]) -> Call:
    """``POST /v1/memories``."""
    return _write("/v1/memories", {"user_id": user_id, "content": content, **optional}, idempotency_key)


def recall(*, user_id: str, query: str, optional: Mapping[str, Any]) -> Call:
    """``POST /v1/recall``: reads only, so it is safe to repeat."""
    return Call(method="POST", path="/v1/recall", body=_plain({"user_id": user_id, "query": query, **optional}))


def context(*, user_id: str, query: str, optional: Mapping[str, Any]) -> Call:
    """``POST /v1/recall/context``."""
    return Call(method="POST", path="/v1/recall/context", body=_plain({"user_id": user_id, "query": query, **optional}))


def list_memories(*, user_id: str, optional: Mapping[str, Any]) -> Call:
    """``GET /v1/memories``."""
    return Call(method="GET", path="/v1/memories", query=_plain({"user_id": user_id, **optional}))


def get_memory(memory_id: str) -> Call:
    """``GET /v1/memories/{memory_id}``."""
    return Call(method="GET", path=f"/v1/memories/{quote(memory_id, safe='')}")


def delete_memory(memory_id: str, *, idempotency_key: str | None) -> Call:
    """``DELETE /v1/memories/{memory_id}``."""
    path = f"/v1/memories/{quote(memory_id, safe='')}"
    return Call(method="DELETE", path=path, idempotency_key=idempotency_key or uuid.uuid4().hex)


def operation(operation_id: str) -> Call:
    """``GET /v1/operations/{operation_id}``."""
    return Call(method="GET", path=f"/v1/operations/{quote(operation_id, safe='')}")


def health() -> Call:
    """``GET /v1/health/ready``."""
    return Call(method="GET", path="/v1/health/ready", answers_with_503=True)
