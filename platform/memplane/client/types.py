"""Shapes of answers, as type checkers see them: plain dictionaries at run time, so new fields break nobody."""

from __future__ import annotations

from typing import Any, NotRequired, Required, TypedDict


class Message(TypedDict, total=False):
    """One turn to be written. ``at`` is RFC 3339 with an offset."""

    role: Required[str]
    content: Required[str]
    at: str
    event_id: str
    metadata: dict[str, Any]


class ReceiptItem(TypedDict):
    """What became of one thing that was sent."""

    index: int
    event_id: str | None
    outcome: str
    memory_ids: list[str]
    reason: NotRequired[str | None]


class Receipt(TypedDict):
    """The answer of a write."""

    operation_id: str
    status: str
    items: list[ReceiptItem]


class ScoreParts(TypedDict):
    """The parts of a score, each in 0..1."""

    relevance: float
    importance: float
    recency: float
    frequency: float


class Memory(TypedDict, total=False):
    """A memory. All fields of the platform come along; these are the ones most callers read."""

    memory_id: Required[str]
    version: str
    user_id: str
    agent_id: str | None
    session_id: str | None
    kind: Required[str]
    category: str | None
    content: Required[str]
    summary: str
    importance: float
    status: str
    event_time: str
    valid_from: str
    recorded_at: str
    metadata: dict[str, Any]


class RecalledMemory(Memory, total=False):
    """A memory with the reasons why it was recalled."""

    score: Required[float]
    scores: Required[ScoreParts]
    arms: Required[list[str]]


class RecallResult(TypedDict):
    """The answer of a recall."""

    memories: list[RecalledMemory]
    facts: list[dict[str, Any]]
    knowledge: list[dict[str, Any]]
    route: str
    plan: str
    rewritten_query: str
    degraded: list[str]
    trace_id: str
    took_ms: float


class Citation(TypedDict):
    """A reference in a context block, and the memory behind it."""

    ref: str
    memory_id: str
    score: float


class ContextBlock(TypedDict):
    """A block ready for a prompt."""

    context: str
    citations: list[Citation]
    tokens: int
    degraded: list[str]
    trace_id: str


class MemoryPage(TypedDict):
    """One page of a listing."""

    memories: list[Memory]
    next_cursor: str | None


class MemoryVersion(Memory, total=False):
    """One version of a memory: what made it, who asked for that, and why."""

    op: Required[str]
    changed_by: Required[str]
    reason: Required[str | None]


class History(TypedDict):
    """Versions of a memory, newest first."""

    versions: list[MemoryVersion]
    next_cursor: str | None


class Event(TypedDict):
    """One event, and what became of it. ``outcome`` is ``pending`` until that is known."""

    event_id: str
    role: str
    content: str
    at: str
    received_at: str
    session_id: str | None
    agent_id: str | None
    metadata: dict[str, Any]
    outcome: str
    reason: str | None
    memory_ids: list[str]


class EventPage(TypedDict):
    """One page of events, newest first."""

    events: list[Event]
    next_cursor: str | None


class Fact(TypedDict):
    """One value of a fact. ``valid_to`` is when the next one took over, where another time than now is asked for."""

    entity_type: str
    entity: str
    attribute: str
    value: Any
    memory_id: str
    version: str
    valid_from: str
    valid_to: str | None
    recorded_at: str


class FactPage(TypedDict):
    """One page of facts, newest first."""

    facts: list[Fact]
    next_cursor: str | None


class Readiness(TypedDict):
    """``/v1/health/ready``: ``status`` is ``ready``, ``degraded`` or ``down``."""

    status: str
    components: dict[str, dict[str, Any]]
    generation: NotRequired[Any]
