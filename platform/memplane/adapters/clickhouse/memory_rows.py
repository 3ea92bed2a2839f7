"""Memories and their vectors as rows, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from memplane.adapters.clickhouse.table import (
    NAME,
    OPTIONAL_NAME,
    OPTIONAL_TEXT,
    OPTIONAL_TIME,
    TEXT,
    TEXTS,
    TIME,
    Table,
)
from memplane.domain.canonical import canonical_json
from memplane.domain.ids import AgentId, EventId, MemoryId, Scope, ScopeTag, SessionId, TenantId, UserId
from memplane.domain.memory import Kind, Memory, MemoryAccess, Op, Status, Visibility
from memplane.ports.memory_store import VectorOfRecord

_COLUMNS: Final = {
    "tenant_id": NAME,
    "user_id": TEXT,
    "scope_tag": TEXT,
    "memory_id": TEXT,
    "version": "UInt64",
    "rank": "UInt128",
    "kind": NAME,
    "category": NAME,
    "status": NAME,
    "status_at": TIME,
    "status_reason": OPTIONAL_TEXT,
    "content": TEXT,
    "summary": TEXT,
    "summary_hash": TEXT,
    "terms": TEXTS,
    "fact_key": OPTIONAL_TEXT,
    "fact_value": TEXT,
    "importance": "Float64",
    "pinned": "Bool",
    "agent_id": OPTIONAL_NAME,
    "visibility": NAME,
    "session_id": OPTIONAL_TEXT,
    "source_event_ids": TEXTS,
    "derived_from": TEXTS,
    "event_time": TIME,
    "valid_from": TIME,
    "valid_to": OPTIONAL_TIME,
    "recorded_at": TIME,
    "updated_at": TIME,
    "expires_at": OPTIONAL_TIME,
    "superseded_by": OPTIONAL_TEXT,
    "content_hash": TEXT,
    "metadata": TEXT,
    "speaker": NAME,
    "is_question": "Bool",
    "has_time": "Bool",
    "op": NAME,
    "changed_by": TEXT,
    "audit_chain": NAME,
    "audit_seq": "UInt64",
}
VERSIONS: Final = Table(name="memory_versions", columns=_COLUMNS, durable=True)
CURRENT: Final = Table(name="memories", columns=_COLUMNS, durable=True)
"""Filled from ``memory_versions`` by its view; written directly by repair only."""
VECTORS: Final = Table(
    name="memory_vectors",
    durable=False,
    columns={
        "tenant_id": NAME,
        "user_id": TEXT,
        "scope_tag": TEXT,
        "generation": NAME,
        "memory_id": TEXT,
        "summary_hash": TEXT,
        "vector": "Array(Float32)",
    },
)
"""Not fsynced: a vector that is lost is made again from its text."""


def memory_row(memory: Memory) -> tuple[Any, ...]:
    """Values in the order of ``VERSIONS.columns``. Raises: InvalidError for a value that JSON cannot carry."""
    scope = memory.scope
    return (
        scope.tenant_id, scope.user_id, scope.tag, memory.memory_id, memory.version, memory.rank, memory.kind.value,
        memory.category, memory.status.value, memory.status_at, memory.status_reason, memory.content, memory.summary,
        memory.summary_hash, list(memory.terms), memory.fact_key, canonical_json(memory.fact_value), memory.importance,
        memory.pinned, memory.agent_id, memory.visibility.value, memory.session_id, list(memory.source_event_ids),
        list(memory.derived_from), memory.event_time, memory.valid_from, memory.valid_to, memory.recorded_at,
        memory.updated_at, memory.expires_at, memory.superseded_by, memory.content_hash,
        canonical_json(memory.metadata), memory.speaker, memory.is_question, memory.has_time, memory.op.value,
        memory.changed_by, memory.audit_chain, memory.audit_seq,
    )  # fmt: skip


def memory_of(row: Mapping[str, Any]) -> Memory:
    """The memory that a row by column name holds."""
    return Memory(
        scope=Scope(
            tenant_id=TenantId(row["tenant_id"]), user_id=UserId(row["user_id"]), tag=ScopeTag(row["scope_tag"])
        ),
        memory_id=MemoryId(row["memory_id"]),
        version=row["version"],
        rank=row["rank"],
        kind=Kind(row["kind"]),
        category=row["category"],
        status=Status(row["status"]),
        status_at=row["status_at"],
        status_reason=row["status_reason"],
        content=row["content"],
        summary=row["summary"],
        summary_hash=row["summary_hash"],
        terms=tuple(row["terms"]),
        fact_key=row["fact_key"],
        fact_value=orjson.loads(row["fact_value"]),
        importance=row["importance"],
        pinned=row["pinned"],
        agent_id=None if row["agent_id"] is None else AgentId(row["agent_id"]),
        visibility=Visibility(row["visibility"]),
        session_id=None if row["session_id"] is None else SessionId(row["session_id"]),
        source_event_ids=tuple(EventId(event_id) for event_id in row["source_event_ids"]),
        derived_from=tuple(MemoryId(memory_id) for memory_id in row["derived_from"]),
        event_time=row["event_time"],
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        recorded_at=row["recorded_at"],
        updated_at=row["updated_at"],
        expires_at=row["expires_at"],
        superseded_by=None if row["superseded_by"] is None else MemoryId(row["superseded_by"]),
        content_hash=row["content_hash"],
        metadata=orjson.loads(row["metadata"]),
        speaker=row["speaker"],
        is_question=row["is_question"],
        has_time=row["has_time"],
        op=Op(row["op"]),
        changed_by=row["changed_by"],
        audit_chain=row["audit_chain"],
        audit_seq=row["audit_seq"],
    )


def vector_row(vector: VectorOfRecord) -> tuple[Any, ...]:
    """Values in the order of ``VECTORS.columns``."""
    scope = vector.scope
    return (
        scope.tenant_id, scope.user_id, scope.tag, vector.generation, vector.memory_id, vector.summary_hash,
        vector.vector.tolist(),
    )  # fmt: skip


def access_of(row: Mapping[str, Any]) -> MemoryAccess:
    """Use counts from a row of the query ``memory_access``: how often recalled, and the last use of any sort."""
    moments = (row["last_recalled_at"], row["last_cited_at"], row["last_touched_at"])
    return MemoryAccess(
        access_count=row["recalled"],
        last_accessed_at=max((moment for moment in moments if moment is not None), default=None),
    )
