"""Memories by listing and by id."""

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
from memplane.domain.ids import AgentId, MemoryId, UserId, tag_of
from memplane.domain.memory import Memory, Status
from memplane.domain.results import MemoryPage, StoredMemory
from memplane.ports.control_view import ControlView
from memplane.ports.memory_store import MemoryQuery, MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMemories:
    """``GET /v1/memories`` after validation. Times are of ``event_time``: from inclusive, to exclusive."""

    user_id: UserId
    agent_id: AgentId | None = None
    statuses: tuple[str, ...] = (Status.ACTIVE.value,)
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    from_time: datetime | None = None
    to_time: datetime | None = None
    limit: int = 50
    cursor: str | None = None


async def list_memories(
    view: ControlView, memories: MemoryStore, *, asked: ListMemories, principal: Principal, now: datetime
) -> MemoryPage:
    """One page of a user's memories, newest first, with a cursor sealed to this query.

    A user without data has an empty page. A memory past its expiry is not active, whatever the nightly job has done;
    so a page can be shorter than its limit.

    Raises: ForbiddenError (bound to other users or agents), BadCursorError, UnavailableError.
    """
    viewer = viewer_for(principal, asked.agent_id)
    if not owns_user(principal, asked.user_id):
        raise ForbiddenError("this key is bound to other users")
    if asked.agent_id is not None:
        principal.require_agent(asked.agent_id)
    tenant = tenant_of(view, tenant_id=principal.tenant_id)
    query = MemoryQuery(
        scope=scope_for(view, tenant_id=principal.tenant_id, user_id=asked.user_id),
        statuses=asked.statuses,
        kinds=asked.kinds,
        categories=asked.categories,
        from_time=asked.from_time,
        to_time=asked.to_time,
        viewer=viewer.agent_id,
        sees_private=viewer.sees_private,
        limit=asked.limit + 1,
    )
    bound_to = _identity(query)
    if asked.cursor is not None:
        query = replace(query, after=open_cursor(asked.cursor, secret=tenant.secret, query=bound_to))
    rows = (await memories.list(query=query)).items
    page, more = rows[: asked.limit], len(rows) > asked.limit
    following = seal_cursor(secret=tenant.secret, query=bound_to, after=_sort_key(page[-1])) if more else None
    return MemoryPage(items=tuple(row for row in page if not _has_expired(row.memory, now)), next_cursor=following)


async def get_memory(
    memories: MemoryStore, *, memory_id: str, principal: Principal, with_forgotten: bool = False
) -> StoredMemory:
    """A memory by id, whatever its status but ``forgotten`` (``with_forgotten``: that too, to repeat an old answer).

    Raises: NotFoundError for all that is not there for this caller: unknown, forgotten, of another tenant, of a user
    or agent that the key is not bound to. UnavailableError.
    """
    tag = tag_of(memory_id)
    if tag is None or not memory_id.startswith("mem_"):
        raise NotFoundError(f"no memory {memory_id[:64]!r}")
    stored = await memories.get(tenant_id=principal.tenant_id, scope_tag=tag, memory_id=MemoryId(memory_id))
    if stored is None or not may_see(principal, stored.memory):
        raise NotFoundError(f"no memory {memory_id!r}")
    if stored.memory.status is Status.FORGOTTEN and not with_forgotten:
        raise NotFoundError(f"no memory {memory_id!r}")
    return stored


def _sort_key(row: StoredMemory) -> tuple[int, str]:
    return to_millis(row.memory.event_time), row.memory.memory_id


def _has_expired(memory: Memory, now: datetime) -> bool:
    return memory.status is Status.ACTIVE and memory.expires_at is not None and memory.expires_at <= now


def _identity(query: MemoryQuery) -> dict[str, Any]:
    """What makes two listings the same query: everything but the size of the page and its place."""
    return {
        "tenant_id": query.scope.tenant_id,
        "user_id": query.scope.user_id,
        "statuses": sorted(query.statuses),
        "kinds": sorted(query.kinds),
        "categories": sorted(query.categories),
        "from": None if query.from_time is None else query.from_time.timestamp(),
        "to": None if query.to_time is None else query.to_time.timestamp(),
        "viewer": query.viewer,
        "sees_private": query.sees_private,
    }
