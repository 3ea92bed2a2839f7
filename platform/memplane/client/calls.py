"""Requests as values: what each method of the clients asks, without sending it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote

from memplane.client.types import Message

FactName = tuple[str, str, str]
"""``(entity_type, entity, attribute)``."""


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
    answer_when_gone: Mapping[str, Any] | None = None
    """What a repeat answers that finds nothing any more: an earlier sending, whose answer got lost, has done it."""

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
    *,
    user_id: str,
    session_id: str,
    messages: Sequence[Message],
    idempotency_key: str | None,
    optional: Mapping[str, Any],
) -> Call:
    """``POST /v1/events``."""
    body = {"user_id": user_id, "session_id": session_id, "messages": list(messages), **optional}
    return _write("/v1/events", body, idempotency_key)


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
    item = {
        "index": 0,
        "event_id": None,
        "outcome": "superseded",
        "memory_ids": [memory_id],
        "reason": "forgotten by an earlier sending, whose answer was lost",
    }
    return Call(
        method="DELETE",
        path=f"/v1/memories/{quote(memory_id, safe='')}",
        idempotency_key=idempotency_key or uuid.uuid4().hex,
        answer_when_gone={"operation_id": "", "status": "completed", "items": [item]},
    )


def update_memory(
    memory_id: str, *, clear_expiry: bool, idempotency_key: str | None, optional: Mapping[str, Any]
) -> Call:
    """``PATCH /v1/memories/{memory_id}``. ``clear_expiry``: it no longer expires."""
    body = _plain(optional) | ({"expires_at": None} if clear_expiry else {})
    path = f"/v1/memories/{quote(memory_id, safe='')}"
    return Call(method="PATCH", path=path, body=body, idempotency_key=idempotency_key or uuid.uuid4().hex)


def memory_history(memory_id: str, *, optional: Mapping[str, Any]) -> Call:
    """``GET /v1/memories/{memory_id}/history``."""
    path = f"/v1/memories/{quote(memory_id, safe='')}/history"
    return Call(method="GET", path=path, query=_plain(optional))


def list_events(*, user_id: str, optional: Mapping[str, Any]) -> Call:
    """``GET /v1/events``."""
    return Call(method="GET", path="/v1/events", query=_plain({"user_id": user_id, **optional}))


def put_fact(
    user_id: str, fact: FactName, value: Any, *, idempotency_key: str | None, optional: Mapping[str, Any]
) -> Call:
    """``PUT /v1/users/{user_id}/facts/…``. ``value`` is any JSON, ``None`` included."""
    body = {"value": value, **_plain(optional)}
    path = _facts_path(user_id, *fact)
    return Call(method="PUT", path=path, body=body, idempotency_key=idempotency_key or uuid.uuid4().hex)


def get_fact(user_id: str, fact: FactName, *, optional: Mapping[str, Any]) -> Call:
    """``GET /v1/users/{user_id}/facts/…``."""
    return Call(method="GET", path=_facts_path(user_id, *fact), query=_plain(optional))


def list_facts(user_id: str, *, optional: Mapping[str, Any]) -> Call:
    """``GET /v1/users/{user_id}/facts``."""
    return Call(method="GET", path=_facts_path(user_id), query=_plain(optional))


def delete_fact(user_id: str, fact: FactName, *, idempotency_key: str | None) -> Call:
    """``DELETE /v1/users/{user_id}/facts/…``."""
    path = _facts_path(user_id, *fact)
    return Call(method="DELETE", path=path, idempotency_key=idempotency_key or uuid.uuid4().hex)


def _facts_path(user_id: str, *parts: str) -> str:
    return "/".join(["/v1/users", quote(user_id, safe=""), "facts", *(quote(part, safe="") for part in parts)])


def operation(operation_id: str) -> Call:
    """``GET /v1/operations/{operation_id}``."""
    return Call(method="GET", path=f"/v1/operations/{quote(operation_id, safe='')}")


def health() -> Call:
    """``GET /v1/health/ready``."""
    return Call(method="GET", path="/v1/health/ready", answers_with_503=True)
