"""What callers ask to be written. Admission builds these; the scope's Writer carries them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from memplane.domain.control import ApiKey, Policy, Tenant
from memplane.domain.facts import FactKey
from memplane.domain.ids import AgentId, EventId, MemoryId, Scope, SessionId
from memplane.domain.memory import Visibility


class Wait(StrEnum):
    """How far a write goes before its answer: journaled, in ClickHouse, or also in the index."""

    NONE = "none"
    COMMITTED = "committed"
    INDEXED = "indexed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Idempotency:
    """A caller's key and the hash of the canonical body (without ``wait``) that came with it."""

    key: str
    body_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn as the caller sent it. ``at`` is when it was said; ``None`` means: on arrival."""

    role: str
    content: str
    at: datetime | None = None
    event_id: EventId | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestEvents:
    """``POST /v1/events``: turns of one session."""

    scope: Scope
    turns: tuple[Turn, ...]
    policy: Policy
    session_id: SessionId | None = None
    agent_id: AgentId | None = None
    idempotency: Idempotency | None = None
    wait: Wait = Wait.COMMITTED
    route: str = "events"


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberStatement:
    """``POST /v1/memories`` with content: kept whatever its importance. ``None`` means: decide by the rules."""

    scope: Scope
    content: str
    policy: Policy
    kind: str | None = None
    category: str | None = None
    importance: float | None = None
    event_time: datetime | None = None
    expires_at: datetime | None = None
    agent_id: AgentId | None = None
    session_id: SessionId | None = None
    visibility: Visibility = Visibility.SHARED
    pinned: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)
    idempotency: Idempotency | None = None
    wait: Wait = Wait.COMMITTED
    route: str = "memories"


@dataclass(frozen=True, slots=True, kw_only=True)
class PutFact:
    """``PUT /v1/users/{user_id}/facts/...``, and ``POST /v1/memories`` with a fact. ``value``: JSON.

    ``valid_from`` is since when it is true; ``None`` means: from its arrival on.
    """

    scope: Scope
    key: FactKey
    value: Any
    policy: Policy
    valid_from: datetime | None = None
    category: str | None = None
    importance: float | None = None
    expires_at: datetime | None = None
    agent_id: AgentId | None = None
    session_id: SessionId | None = None
    pinned: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)
    idempotency: Idempotency | None = None
    wait: Wait = Wait.COMMITTED
    route: str = "facts.put"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteFact:
    """``DELETE /v1/users/{user_id}/facts/...``: the fact is no longer true from now on."""

    scope: Scope
    key: FactKey
    policy: Policy
    agent_id: AgentId | None = None
    session_id: SessionId | None = None
    idempotency: Idempotency | None = None
    wait: Wait = Wait.COMMITTED
    route: str = "facts.delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviseMemory:
    """``PATCH /v1/memories/{memory_id}``: a new version with another content, other fields, or both.

    ``content`` ``None``: it stays. ``fields``: by their names in :class:`~memplane.domain.memory.Memory`, of
    :data:`REVISABLE`. ``visibility`` is the memory's own: the event that tells its new content is no more visible.
    """

    scope: Scope
    memory_id: MemoryId
    policy: Policy
    content: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    visibility: Visibility = Visibility.SHARED
    agent_id: AgentId | None = None
    session_id: SessionId | None = None
    idempotency: Idempotency | None = None
    wait: Wait = Wait.COMMITTED
    route: str = "memories.update"


REVISABLE: Final = ("importance", "category", "pinned", "metadata", "expires_at")
"""What of a memory a caller may change besides its content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetMemory:
    """``DELETE /v1/memories/{memory_id}``. Another agent's private memory is not found: the Writer asks the key."""

    scope_tag: str
    memory_id: MemoryId
    reason: str = "deleted by caller"
    route: str = "memories.delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeControl:
    """A change of control data, audited in the tenant's control scope. Exactly the given rows are written."""

    scope: Scope
    action: str
    tenants: tuple[Tenant, ...] = ()
    api_keys: tuple[ApiKey, ...] = ()
    route: str = "control"


EventCommand = IngestEvents | RememberStatement | PutFact | DeleteFact | ReviseMemory
"""Commands that are kept as events: a repeat of one is recognised, and one that was cut off is driven again."""
WriteCommand = EventCommand | ForgetMemory | ChangeControl
