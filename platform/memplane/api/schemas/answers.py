"""Parts that several answers share. These models document and test answers; ``api/render`` makes them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class AnswerModel(BaseModel):
    """An answer: exactly these fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ReceiptItemOut(AnswerModel):
    """What became of one item of a write."""

    index: int = Field(description="Place in the request.")
    event_id: str | None
    outcome: str = Field(description="added, touched, merged, superseded, fact_set, kept, rejected, pending or failed.")
    memory_ids: list[str]
    reason: str | None = None


class ReceiptOut(AnswerModel):
    """The answer of a write. Repeating a keyed write gives the same receipt, byte for byte."""

    operation_id: str
    status: str = Field(description="completed, pending or journaled.")
    items: list[ReceiptItemOut]


class MemoryOut(AnswerModel):
    """One memory. Times are UTC with milliseconds; ``null`` is written, never left out."""

    tenant_id: str
    user_id: str
    scope_tag: str
    memory_id: str
    version: str = Field(description="A 64-bit number as a string.")
    rank: str = Field(description="A 128-bit number as a string: the greatest is current.")
    kind: str
    category: str
    status: str
    status_at: str
    status_reason: str | None
    content: str
    summary: str
    summary_hash: str
    fact_key: str | None
    fact_value: Any
    importance: float
    pinned: bool
    agent_id: str | None
    visibility: str
    session_id: str | None
    source_event_ids: list[str]
    derived_from: list[str]
    event_time: str
    valid_from: str
    valid_to: str | None
    recorded_at: str
    updated_at: str
    expires_at: str | None
    superseded_by: str | None
    metadata: dict[str, Any]
    access_count: int
    last_accessed_at: str | None


class MemoryPageOut(AnswerModel):
    """One page of memories, newest first."""

    memories: list[MemoryOut]
    next_cursor: str | None


class MemoryVersionOut(MemoryOut):
    """One version of a memory, with what made it."""

    op: str = Field(description="add, overwrite, merge, supersede, expire, archive, revive, review, update or forget.")
    changed_by: str = Field(description="The id of the key that asked for it.")
    reason: str | None


class HistoryOut(AnswerModel):
    """Versions of a memory, newest first."""

    versions: list[MemoryVersionOut]
    next_cursor: str | None


class EventOut(AnswerModel):
    """One event, and what became of it. ``outcome`` is `pending` until that is known."""

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


class EventPageOut(AnswerModel):
    """One page of events, newest first."""

    events: list[EventOut]
    next_cursor: str | None


class FactOut(AnswerModel):
    """One value of a fact. ``valid_to`` is when the next one took over, where another time than now is asked for."""

    entity_type: str
    entity: str
    attribute: str
    value: Any
    memory_id: str
    version: str = Field(description="A 64-bit number as a string.")
    valid_from: str
    valid_to: str | None
    recorded_at: str


class FactPageOut(AnswerModel):
    """One page of facts, newest first."""

    facts: list[FactOut]
    next_cursor: str | None


class ProblemIssueOut(AnswerModel):
    """One field at fault."""

    path: str
    code: str
    message: str


class ProblemOut(AnswerModel):
    """RFC 9457 problem document."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    trace_id: str
    errors: list[ProblemIssueOut] = []
