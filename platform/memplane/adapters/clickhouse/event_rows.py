"""Events and outcomes as rows, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from memplane.adapters.clickhouse.table import (
    NAME,
    OPTIONAL_NAME,
    OPTIONAL_TEXT,
    OPTIONAL_TIME,
    TEXT,
    TEXTS,
    TIME,
    Table,
    json_text,
)
from memplane.domain.ids import AgentId, EventId, MemoryId, OperationId, Scope, ScopeTag, SessionId, TenantId, UserId
from memplane.domain.memory import Event, EventOutcome, EventState

EVENTS: Final = Table(
    name="events",
    durable=True,
    columns={
        "tenant_id": NAME,
        "user_id": TEXT,
        "scope_tag": TEXT,
        "event_id": TEXT,
        "seq": "UInt64",
        "role": NAME,
        "content": TEXT,
        "agent_id": OPTIONAL_NAME,
        "session_id": OPTIONAL_TEXT,
        "event_time": TIME,
        "received_at": TIME,
        "metadata": TEXT,
        "operation_id": TEXT,
        "item_index": "UInt32",
        "origin": NAME,
        "directives": TEXT,
    },
)
OUTCOMES: Final = Table(
    name="event_outcomes",
    durable=False,
    columns={
        "tenant_id": NAME,
        "user_id": TEXT,
        "scope_tag": TEXT,
        "event_id": TEXT,
        "operation_id": TEXT,
        "attempt_version": "UInt64",
        "state": NAME,
        "item_outcome": NAME,
        "reason": OPTIONAL_TEXT,
        "memory_ids": TEXTS,
        "attempts": "UInt32",
        "next_try_at": OPTIONAL_TIME,
        "recorded_at": TIME,
    },
)
"""Not fsynced: an outcome that is lost makes ``sweep`` drive its event again, which changes nothing."""


def event_row(event: Event) -> tuple[Any, ...]:
    """Values in the order of ``EVENTS.columns``."""
    scope = event.scope
    return (
        scope.tenant_id, scope.user_id, scope.tag, event.event_id, event.seq, event.role, event.content, event.agent_id,
        event.session_id, event.event_time, event.received_at, json_text(event.metadata), event.operation_id,
        event.item_index, event.origin, json_text(event.directives),
    )  # fmt: skip


def event_of(row: Mapping[str, Any]) -> Event:
    """The event that a row by column name holds."""
    return Event(
        scope=scope_of_row(row),
        event_id=EventId(row["event_id"]),
        seq=row["seq"],
        role=row["role"],
        content=row["content"],
        event_time=row["event_time"],
        received_at=row["received_at"],
        agent_id=None if row["agent_id"] is None else AgentId(row["agent_id"]),
        session_id=None if row["session_id"] is None else SessionId(row["session_id"]),
        metadata=orjson.loads(row["metadata"]),
        operation_id=OperationId(row["operation_id"]),
        item_index=row["item_index"],
        origin=row["origin"],
        directives=orjson.loads(row["directives"]),
    )


def outcome_row(outcome: EventOutcome) -> tuple[Any, ...]:
    """Values in the order of ``OUTCOMES.columns``."""
    scope = outcome.scope
    return (
        scope.tenant_id, scope.user_id, scope.tag, outcome.event_id, outcome.operation_id, outcome.attempt_version,
        outcome.state.value, outcome.item_outcome, outcome.reason, list(outcome.memory_ids), outcome.attempts,
        outcome.next_try_at, outcome.recorded_at,
    )  # fmt: skip


def outcome_of(row: Mapping[str, Any]) -> EventOutcome:
    """The outcome that a row by column name holds."""
    return EventOutcome(
        scope=scope_of_row(row),
        event_id=EventId(row["event_id"]),
        operation_id=OperationId(row["operation_id"]),
        attempt_version=row["attempt_version"],
        state=EventState(row["state"]),
        item_outcome=row["item_outcome"],
        recorded_at=row["recorded_at"],
        reason=row["reason"],
        memory_ids=tuple(MemoryId(memory_id) for memory_id in row["memory_ids"]),
        attempts=row["attempts"],
        next_try_at=row["next_try_at"],
    )


def scope_of_row(row: Mapping[str, Any]) -> Scope:
    """The scope that a row belongs to."""
    return Scope(tenant_id=TenantId(row["tenant_id"]), user_id=UserId(row["user_id"]), tag=ScopeTag(row["scope_tag"]))
