"""A memory's versions: what it was, who changed it, and why."""

from __future__ import annotations

from dataclasses import dataclass

from memplane.application.cursors import open_cursor, seal_cursor
from memplane.application.read_memories import get_memory
from memplane.application.scopes import tenant_of
from memplane.domain.context import Principal
from memplane.domain.results import StoredMemory
from memplane.ports.control_view import ControlView
from memplane.ports.memory_store import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPage:
    """One page of versions, newest first, each with the memory's use counts. ``next_cursor`` ``None``: the last one."""

    versions: tuple[StoredMemory, ...]
    next_cursor: str | None


async def read_history(
    view: ControlView,
    memories: MemoryStore,
    *,
    memory_id: str,
    principal: Principal,
    limit: int = 50,
    cursor: str | None = None,
) -> HistoryPage:
    """The versions of a memory that the caller may see and that is not forgotten; ends of a fact show among them.

    Raises: NotFoundError, BadCursorError, UnavailableError.
    """
    stored = await get_memory(memories, memory_id=memory_id, principal=principal)
    memory = stored.memory
    secret = tenant_of(view, tenant_id=principal.tenant_id).secret
    bound_to = {"list": "history", "tenant_id": memory.scope.tenant_id, "memory_id": memory.memory_id}
    before = None
    if cursor is not None:
        (below,) = open_cursor(cursor, secret=secret, query=bound_to)
        before = int(below)
    found = await memories.history(scope=memory.scope, memory_id=memory.memory_id, before=before, limit=limit + 1)
    newest_first = found[::-1]
    page, more = newest_first[:limit], len(newest_first) > limit
    # As text: versions are beyond the numbers that canonical JSON carries.
    following = seal_cursor(secret=secret, query=bound_to, after=(str(page[-1].version),)) if more else None
    return HistoryPage(
        versions=tuple(StoredMemory(memory=version, access=stored.access) for version in page), next_cursor=following
    )
