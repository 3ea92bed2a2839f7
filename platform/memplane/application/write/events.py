"""From a command to its events, stamped under the scope's lease."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memplane.domain.clock import VersionClock, to_millis, truncate_to_millis
from memplane.domain.commands import (
    DeleteFact,
    EventCommand,
    IngestEvents,
    PutFact,
    RememberStatement,
    ReviseMemory,
)
from memplane.domain.control import Policy
from memplane.domain.drafting import ORIGIN_EVENTS, ORIGIN_FACTS, ORIGIN_MEMORIES, ORIGIN_REVISIONS
from memplane.domain.facts import render_fact, render_removal
from memplane.domain.ids import EventId, OperationId, derive_event_id, draw_event_id
from memplane.domain.memory import Event
from memplane.domain.pii import mask
from memplane.ports.leases import Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What an event says, before it is stamped. ``at`` ``None``: on arrival."""

    role: str
    content: str
    origin: str
    at: datetime | None = None
    event_id: EventId | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    directives: Mapping[str, Any] = field(default_factory=dict)


def events_of(
    command: EventCommand,
    *,
    operation_id: OperationId,
    lease: Lease,
    clock: VersionClock,
    now: datetime,
) -> tuple[Event, ...]:
    """The events of a command, in order, each with its ``seq``, personal data masked: nothing else is ever stored.

    Raises: WriterMovedError at the lease's end.
    """
    now = truncate_to_millis(now)
    return tuple(
        Event(
            scope=command.scope,
            event_id=told.event_id or _event_id(command, index),
            seq=clock.draw(now_ms=to_millis(now), lease_until_ms=lease.until_ms),
            role=told.role,
            content=told.content,
            event_time=truncate_to_millis(told.at or now),
            received_at=now,
            agent_id=command.agent_id,
            session_id=command.session_id,
            metadata=told.metadata,
            operation_id=operation_id,
            item_index=index,
            origin=told.origin,
            directives=told.directives,
        )
        for index, told in enumerate(_told(command))
    )


def _told(command: EventCommand) -> Iterator[_Told]:
    match command:
        case IngestEvents():
            for turn in command.turns:
                yield _Told(
                    role=turn.role,
                    content=_masked(turn.content, command.policy),
                    origin=ORIGIN_EVENTS,
                    at=turn.at,
                    event_id=turn.event_id,
                    metadata=turn.metadata,
                )
        case RememberStatement():
            yield _Told(
                role="user",
                content=_masked(command.content, command.policy),
                origin=ORIGIN_MEMORIES,
                at=command.event_time,
                metadata=command.metadata,
                directives=_given(
                    _decided(command) | {"kind": command.kind, "visibility": command.visibility.value},
                ),
            )
        case PutFact():
            yield _Told(
                role="event",
                content=render_fact(command.key, command.value, language=command.policy.language),
                origin=ORIGIN_FACTS,
                at=command.valid_from,
                metadata=command.metadata,
                directives={
                    **_given(_decided(command)),
                    "fact_key": str(command.key),
                    "fact_value": command.value,
                },
            )
        case DeleteFact():
            yield _Told(
                role="event",
                content=render_removal(command.key, language=command.policy.language),
                origin=ORIGIN_FACTS,
                directives={"fact_key": str(command.key), "removes": True},
            )
        case ReviseMemory():
            yield _Told(
                role="event",
                content=f"updated: {', '.join(command.fields)}"
                if command.content is None
                else _masked(command.content, command.policy),
                origin=ORIGIN_REVISIONS,
                directives={
                    "memory_id": command.memory_id,
                    "replaces_content": command.content is not None,
                    "fields": {name: _json(value) for name, value in command.fields.items()},
                    "visibility": command.visibility.value,
                },
            )


def _masked(text: str, policy: Policy) -> str:
    return mask(text, disabled=policy.unmasked_pii).text


def _event_id(command: EventCommand, index: int) -> EventId:
    if command.idempotency is None:
        return draw_event_id(command.scope)
    return derive_event_id(command.scope, idempotency_key=f"{command.route}\n{command.idempotency.key}", index=index)


def _decided(command: RememberStatement | PutFact) -> dict[str, Any]:
    return {
        "category": command.category,
        "importance": command.importance,
        "pinned": command.pinned,
        "expires_at": _json(command.expires_at),
    }


def _given(decided: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in decided.items() if value is not None}


def _json(value: Any) -> Any:
    return truncate_to_millis(value).isoformat() if isinstance(value, datetime) else value
