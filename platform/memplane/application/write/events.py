"""From a command to its events, stamped under the scope's lease."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memplane.domain.clock import VersionClock, to_millis, truncate_to_millis
from memplane.domain.commands import IngestEvents, RememberStatement
from memplane.domain.drafting import ORIGIN_EVENTS, ORIGIN_MEMORIES
from memplane.domain.ids import EventId, OperationId, derive_event_id, draw_event_id
from memplane.domain.memory import Event
from memplane.ports.leases import Lease


def events_of(
    command: IngestEvents | RememberStatement,
    *,
    operation_id: OperationId,
    lease: Lease,
    clock: VersionClock,
    now: datetime,
) -> tuple[Event, ...]:
    """The events of a command, in order, each with its ``seq``. Raises: WriterMovedError at the lease's end."""
    now = truncate_to_millis(now)

    def stamped(index: int, *, event_id: EventId | None, **fields: Any) -> Event:
        return Event(
            scope=command.scope,
            event_id=event_id or _event_id(command, index),
            seq=clock.draw(now_ms=to_millis(now), lease_until_ms=lease.until_ms),
            received_at=now,
            agent_id=command.agent_id,
            session_id=command.session_id,
            operation_id=operation_id,
            item_index=index,
            **fields,
        )

    if isinstance(command, RememberStatement):
        return (
            stamped(
                0,
                event_id=None,
                role="user",
                content=command.content,
                event_time=truncate_to_millis(command.event_time or now),
                metadata=command.metadata,
                origin=ORIGIN_MEMORIES,
                directives=_directives(command),
            ),
        )
    return tuple(
        stamped(
            index,
            event_id=turn.event_id,
            role=turn.role,
            content=turn.content,
            event_time=truncate_to_millis(turn.at or now),
            metadata=turn.metadata,
            origin=ORIGIN_EVENTS,
        )
        for index, turn in enumerate(command.turns)
    )


def _event_id(command: IngestEvents | RememberStatement, index: int) -> EventId:
    if command.idempotency is None:
        return draw_event_id(command.scope)
    return derive_event_id(command.scope, idempotency_key=f"{command.route}\n{command.idempotency.key}", index=index)


def _directives(command: RememberStatement) -> dict[str, Any]:
    decided: dict[str, Any] = {
        "kind": command.kind,
        "category": command.category,
        "importance": command.importance,
        "visibility": command.visibility.value,
        "pinned": command.pinned,
        "expires_at": None if command.expires_at is None else truncate_to_millis(command.expires_at).isoformat(),
    }
    return {key: value for key, value in decided.items() if value is not None}
