"""Facts by key and by listing, as they stand now or stood at other times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memplane.application.cursors import open_cursor, seal_cursor
from memplane.application.scopes import scope_for, tenant_of
from memplane.application.visibility import may_see, owns_user, viewer_for
from memplane.domain.clock import to_millis
from memplane.domain.context import Principal
from memplane.domain.errors import ForbiddenError, NotFoundError
from memplane.domain.facts import FactKey
from memplane.domain.ids import UserId, derive_fact_memory_id
from memplane.domain.memory import Memory, Status
from memplane.ports.control_view import ControlView
from memplane.ports.memory_store import FactQuery, MemoryRef, MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFacts:
    """``GET /v1/users/{user_id}/facts`` after validation. ``as_of``: true then; ``known_at``: recorded by then."""

    user_id: UserId
    entity_type: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPage:
    """One page of facts. ``next_cursor`` is ``None`` on the last one."""

    items: tuple[Memory, ...]
    next_cursor: str | None


async def get_fact(
    view: ControlView,
    memories: MemoryStore,
    *,
    user_id: UserId,
    key: FactKey,
    principal: Principal,
    now: datetime,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> Memory:
    """The value of a fact: the current one, or the one of other times.

    Raises: ForbiddenError (bound to other users), NotFoundError (unknown, deleted, expired, not true or not recorded
    by then), UnavailableError.
    """
    _require_user(principal, user_id)
    scope = scope_for(view, tenant_id=principal.tenant_id, user_id=user_id)
    memory_id = derive_fact_memory_id(scope, fact_key=str(key))
    if as_of is None and known_at is None:
        ref = MemoryRef(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=memory_id)
        found = [memory for memory in await memories.current(refs=[ref]) if _is_in_force(memory, now)]
    else:
        query = FactQuery(
            scope=scope,
            now=now,
            as_of=as_of,
            known_at=known_at,
            memory_ids=(memory_id,),
            sees_private=True,  # may_see decides
            limit=1,
        )
        found = await memories.facts(query=query)
    if not found or found[0].scope != scope or not may_see(principal, found[0]):
        raise NotFoundError(f"no fact {str(key)!r}")
    return found[0]


async def list_facts(
    view: ControlView, memories: MemoryStore, *, asked: ListFacts, principal: Principal, now: datetime
) -> FactPage:
    """One page of a user's facts, newest first, with a cursor sealed to this query. A user without data has none.

    Raises: ForbiddenError (bound to other users), BadCursorError, UnavailableError.
    """
    _require_user(principal, asked.user_id)
    viewer = viewer_for(principal, None)
    tenant = tenant_of(view, tenant_id=principal.tenant_id)
    query = FactQuery(
        scope=scope_for(view, tenant_id=principal.tenant_id, user_id=asked.user_id),
        now=now,
        as_of=asked.as_of,
        known_at=asked.known_at,
        entity_type=asked.entity_type,
        viewer=viewer.agent_id,
        sees_private=viewer.sees_private,
        limit=asked.limit + 1,
    )
    bound_to = _identity(query)
    if asked.cursor is not None:
        query = replace(query, after=open_cursor(asked.cursor, secret=tenant.secret, query=bound_to))
    rows = await memories.facts(query=query)
    page, more = rows[: asked.limit], len(rows) > asked.limit
    following = seal_cursor(secret=tenant.secret, query=bound_to, after=_sort_key(page[-1])) if more else None
    return FactPage(items=tuple(page), next_cursor=following)


def _require_user(principal: Principal, user_id: UserId) -> None:
    if not owns_user(principal, user_id):
        raise ForbiddenError("this key is bound to other users")


def _is_in_force(memory: Memory, now: datetime) -> bool:
    ends = (memory.expires_at, memory.valid_to)
    return memory.status is Status.ACTIVE and all(end is None or end > now for end in ends)


def _sort_key(memory: Memory) -> tuple[int, str]:
    return to_millis(memory.valid_from), memory.memory_id


def _identity(query: FactQuery) -> dict[str, Any]:
    return {
        "list": "facts",
        "tenant_id": query.scope.tenant_id,
        "user_id": query.scope.user_id,
        "entity_type": query.entity_type,
        "as_of": None if query.as_of is None else query.as_of.timestamp(),
        "known_at": None if query.known_at is None else query.known_at.timestamp(),
        "viewer": query.viewer,
        "sees_private": query.sees_private,
    }
