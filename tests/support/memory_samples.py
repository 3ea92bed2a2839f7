"""Memories for tests: made from a scope and what matters to the test."""

from __future__ import annotations

import hashlib
import itertools
import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memplane.domain.ids import EventId, GenerationId, MemoryId, Scope, TenantId, UserId, derive_memory_id, scope_of
from memplane.domain.memory import Kind, Memory, Status
from memplane.ports.memory_store import VectorOfRecord

NOW: Final = datetime(2026, 3, 4, 5, 6, 7, 89_000, tzinfo=UTC)
GENERATION: Final = GenerationId("e5-small.v1")
DIM: Final = 8

AWKWARD: Final = (
    'x" or user_id != "',
    "'; --",
    "') OR 1 = 1 --",
    "{t:String}",
    "{user_id:String}",
    "nul\x00inside",
    "back\\slash\\",
    "\\N",
    "\\'",
    "tab\tline\nreturn\r",
    "%s %(x)s ?",
    "用户一",
    "👩‍👩‍👧",
    "a,b]",
    "['x']",
    " spaces ",
    "NULL",
)
"""Strings that mean something to one layer or another on their way, and must mean nothing."""

_versions = itertools.count(1_772_600_000_000 << 16)


def fresh_scope(user: str = "user-1", *, tenant: str | None = None) -> Scope:
    """A scope that no other test touches."""
    tenant_id = TenantId(tenant or f"t-{secrets.token_hex(6)}")
    return scope_of(tenant_id=tenant_id, user_id=UserId(user), tenant_secret=secrets.token_bytes(16))


def make_memory(scope: Scope, **changes: Any) -> Memory:
    """An active episodic memory with an id and a version of its own."""
    version = changes.get("version", next(_versions))
    memory = Memory(
        scope=scope,
        memory_id=derive_memory_id(scope, event_id=EventId(f"evt-{version}"), index=0),
        version=version,
        rank=version,
        kind=Kind.EPISODIC,
        category="event",
        status=Status.ACTIVE,
        status_at=NOW,
        content="The user moved to Lisbon.",
        summary="moved to Lisbon",
        summary_hash=hashlib.sha256(f"moved to Lisbon {version}".encode()).hexdigest(),
        terms=("user", "move", "lisbon"),
        content_hash="c" * 64,
        importance=0.7,
        event_time=NOW - timedelta(days=1),
        valid_from=NOW - timedelta(days=1),
        recorded_at=NOW,
        updated_at=NOW,
    )
    return replace(memory, **changes)


def next_version(memory: Memory, **changes: Any) -> Memory:
    """A later version of ``memory``."""
    version = next(_versions)
    return replace(memory, **{"version": version, "rank": version, **changes})


def unit_vector(seed: int, dim: int = DIM) -> NDArray[np.float32]:
    """A vector of unit length, the same for the same seed."""
    vector = np.random.default_rng(seed).normal(size=dim)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def vector_of(memory: Memory, vector: NDArray[np.float32], *, generation: GenerationId = GENERATION) -> VectorOfRecord:
    """The vector of record of a memory's current text."""
    return VectorOfRecord(
        scope=memory.scope,
        generation=generation,
        memory_id=memory.memory_id,
        summary_hash=memory.summary_hash,
        vector=vector,
    )


def other_id(scope: Scope, name: str) -> MemoryId:
    """A well-formed id of this scope that no memory has."""
    return derive_memory_id(scope, event_id=EventId(f"other-{name}"), index=0)
