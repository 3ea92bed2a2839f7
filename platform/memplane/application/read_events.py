"""Events by listing: what was told, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memplane.application.cursors import open_cursor, seal_cursor
from memplane.application.scopes import scope_for, tenant_of
from memplane.application.visibility import owns_user, viewer_for
from memplane.domain.clock import to_millis
from memplane.domain.context import Principal
from memplane.domain.errors import ForbiddenError
from memplane.domain.ids import AgentId, SessionId, UserId
from memplane.domain.memory import Event, EventOutcome
from memplane.ports.control_view import ControlView
from memplane.ports.event_log import EventLog, EventQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class ListEvents:
    """``GET /v1/events`` after validation. Times are of ``event_time``: from inclusive, to exclusive."""

    user_id: UserId
    session_id: SessionId | None = None
    agent_id: AgentId | None = None
    roles: tuple[str, ...] = ()
    from_time: datetime | None = None
    to_time: datetime | None = None
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """One page of events with their outcomes (``None``: not known yet). ``next_cursor`` is ``None`` on the last one."""

    items: tuple[tuple[Event, EventOutcome | None], ...]
    next_cursor: str | None


async def list_events(view: ControlView, events: EventLog, *, asked: ListEvents, principal: Principal) -> EventPage:
    """One page of a user's events, newest first, with a cursor sealed to this query. A user without data has none.

    Raises: ForbiddenError (bound to other users or agents), BadCursorError, UnavailableError.
    """
    viewer = viewer_for(principal, asked.agent_id)
    if not owns_user(principal, asked.user_id):
        raise ForbiddenError("this key is bound to other users")
    if asked.agent_id is not None:
        principal.require_agent(asked.agent_id)
    tenant = tenant_of(view, tenant_id=principal.tenant_id)
    query = EventQuery(
        scope=scope_for(view, tenant_id=principal.tenant_id, user_id=asked.user_id),
        session_id=asked.session_id,
        roles=asked.roles,
        from_time=asked.from_time,
        to_time=asked.to_time,
        viewer=viewer.agent_id,
        sees_private=viewer.sees_private,
        limit=asked.limit + 1,
    )
    bound_to = _identity(query)
    if asked.cursor is not None:
        at_ms, seq, event_id = open_cursor(asked.cursor, secret=tenant.secret, query=bound_to)
        query = replace(query, after=(at_ms, int(seq), event_id))
    rows = await events.page(query=query)
    page, more = rows[: asked.limit], len(rows) > asked.limit
    following = seal_cursor(secret=tenant.secret, query=bound_to, after=_sort_key(page[-1][0])) if more else None
    return EventPage(items=tuple(page), next_cursor=following)


def _sort_key(event: Event) -> tuple[int, str, str]:
    """``seq`` as text: it is beyond the numbers that canonical JSON carries."""
    return to_millis(event.event_time), str(event.seq), event.event_id


def _identity(query: EventQuery) -> dict[str, Any]:
    return {
        "list": "events",
        "tenant_id": query.scope.tenant_id,
        "user_id": query.scope.user_id,
        "session_id": query.session_id,
        "roles": sorted(query.roles),
        "from": None if query.from_time is None else query.from_time.timestamp(),
        "to": None if query.to_time is None else query.to_time.timestamp(),
        "viewer": query.viewer,
        "sees_private": query.sees_private,
    }
