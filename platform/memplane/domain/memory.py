"""The values that memplane keeps: events, memories and what became of each event, by the names of the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from memplane.domain.ids import AgentId, EventId, MemoryId, OperationId, Scope, SessionId

MAX_CONTENT_CHARACTERS: Final = 32_000
MAX_SUMMARY_CHARACTERS: Final = 100
NO_OPERATION: Final = OperationId("")


class Kind(StrEnum):
    """What sort of statement a memory is."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    FACT = "fact"
    SUMMARY = "summary"
    CHUNK = "chunk"


class Status(StrEnum):
    """Where a memory stands. Only ``active`` ones are recalled (``archived`` on a keyword hit or on request)."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    ARCHIVED = "archived"
    PENDING_REVIEW = "pending_review"
    FORGOTTEN = "forgotten"


class Visibility(StrEnum):
    """Who of a user's agents sees a memory: all of them, or only the one that wrote it (others by grant)."""

    SHARED = "shared"
    PRIVATE = "private"


class Op(StrEnum):
    """What a version did to its memory."""

    ADD = "add"
    OVERWRITE = "overwrite"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    EXPIRE = "expire"
    ARCHIVE = "archive"
    REVIVE = "revive"
    REVIEW = "review"
    UPDATE = "update"
    FORGET = "forget"


CATEGORIES: Final = ("preference", "attribute", "event", "decision", "state", "relation", "skill", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One raw turn or business event, verbatim. ``seq`` orders a scope's events by arrival (a version of the Writer's
    clock).

    ``operation_id`` is the write that brought it, ``item_index`` its place there, ``origin`` that write's route
    (``events``, ``memories``) and ``directives`` what the caller decided for the memory (kind, category, importance and
    the like; JSON values): all that driving the event again needs.
    """

    scope: Scope
    event_id: EventId
    seq: int
    role: str
    content: str
    event_time: datetime
    received_at: datetime
    agent_id: AgentId | None = None
    session_id: SessionId | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    operation_id: OperationId = NO_OPERATION
    item_index: int = 0
    origin: str = "events"
    directives: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One version of one memory, as stored. Times are aware UTC with whole milliseconds.

    ``content`` is shown to the model; ``summary`` (at most 100 characters) is embedded; ``terms`` feed the keyword arm.
    ``speaker``, ``is_question`` and ``has_time`` are traits that a ranking weighs (``domain.traits``). ``rank`` decides
    which version is current. ``audit_chain`` and ``audit_seq`` name the audit row of this version.
    """

    scope: Scope
    memory_id: MemoryId
    version: int
    rank: int
    kind: Kind
    category: str
    status: Status
    status_at: datetime
    content: str
    summary: str
    summary_hash: str
    terms: tuple[str, ...]
    content_hash: str
    importance: float
    event_time: datetime
    valid_from: datetime
    recorded_at: datetime
    updated_at: datetime
    status_reason: str | None = None
    fact_key: str | None = None
    fact_value: Any = None
    pinned: bool = False
    agent_id: AgentId | None = None
    visibility: Visibility = Visibility.SHARED
    session_id: SessionId | None = None
    source_event_ids: tuple[EventId, ...] = ()
    derived_from: tuple[MemoryId, ...] = ()
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    superseded_by: MemoryId | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    speaker: str = ""
    is_question: bool = False
    has_time: bool = False
    op: Op = Op.ADD
    changed_by: str = ""
    audit_chain: str = ""
    audit_seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAccess:
    """How often and when a memory was used. Joined to memories on reading."""

    access_count: int = 0
    last_accessed_at: datetime | None = None


class EventState(StrEnum):
    """What became of an event. ``failed`` is tried again at ``next_try_at``; ``dead`` waits for an operator."""

    KEPT = "kept"
    PROCESSED = "processed"
    REJECTED = "rejected"
    FAILED = "failed"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOutcome:
    """The verdict on one event. Final states carry the greatest ``attempt_version``, so that the last word stays.

    ``item_outcome`` is the word of the receipt (added, kept, rejected, ...).
    """

    scope: Scope
    event_id: EventId
    operation_id: OperationId
    attempt_version: int
    state: EventState
    item_outcome: str
    recorded_at: datetime
    reason: str | None = None
    memory_ids: tuple[MemoryId, ...] = ()
    attempts: int = 1
    next_try_at: datetime | None = None


FINAL_ATTEMPT_BIT: Final = 1 << 63
"""Set in ``attempt_version`` of final outcomes: no later attempt can outrank them."""
