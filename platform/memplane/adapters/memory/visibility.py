"""Who sees which rows when: the conditions that the real stores write in SQL."""

from __future__ import annotations

from datetime import datetime

from memplane.domain.ids import AgentId
from memplane.domain.memory import Memory, Status, Visibility
from memplane.ports.retrieval import Visible


def may_see(memory: Memory, *, viewer: AgentId | None, sees_private: bool) -> bool:
    """Whether a reader may see a memory at all: a private one is for the agent that wrote it."""
    if sees_private or memory.visibility is Visibility.SHARED:
        return True
    return viewer is not None and memory.agent_id == viewer


def within(memory: Memory, *, from_time: datetime | None, to_time: datetime | None) -> bool:
    """Whether a memory's event time lies in ``from_time <= t < to_time``; ``None`` leaves a side open."""
    return (from_time is None or memory.event_time >= from_time) and (to_time is None or memory.event_time < to_time)


def is_visible(memory: Memory, visible: Visible) -> bool:
    """Whether a current row of the scope meets every condition of ``visible``."""
    statuses = {Status.ACTIVE, Status.ARCHIVED} if visible.include_archived else {Status.ACTIVE}
    return (
        memory.scope == visible.scope
        and memory.status in statuses
        and (memory.expires_at is None or memory.expires_at > visible.now)
        and (memory.valid_to is None or memory.valid_to > visible.now)
        and (not visible.kinds or memory.kind in visible.kinds)
        and (not visible.categories or memory.category in visible.categories)
        and within(memory, from_time=visible.from_time, to_time=visible.to_time)
        and may_see(memory, viewer=visible.viewer, sees_private=visible.sees_private)
    )
