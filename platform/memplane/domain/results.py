"""What writes and reads answer. Field names are those of the HTTP interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memplane.domain.ids import EventId, MemoryId, OperationId
from memplane.domain.memory import Memory, MemoryAccess


class ItemOutcome(StrEnum):
    """What became of one item of a write."""

    ADDED = "added"
    TOUCHED = "touched"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    FACT_SET = "fact_set"
    KEPT = "kept"
    REJECTED = "rejected"
    PENDING = "pending"
    FAILED = "failed"


class OperationStatus(StrEnum):
    """Whether all items of a write have their final outcome."""

    COMPLETED = "completed"
    PENDING = "pending"
    JOURNALED = "journaled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptItem:
    """The outcome of the item at ``index`` of the request."""

    index: int
    event_id: EventId | None
    outcome: ItemOutcome
    memory_ids: tuple[MemoryId, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The answer of a write. Nothing in it depends on the request that asked for it. ``replayed`` is told by a header
    only.
    """

    operation_id: OperationId
    status: OperationStatus
    items: tuple[ReceiptItem, ...]
    replayed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The receipt in its contract shape: what is stored and what is answered."""
        items = []
        for item in self.items:
            shown: dict[str, Any] = {
                "index": item.index,
                "event_id": item.event_id,
                "outcome": item.outcome.value,
                "memory_ids": list(item.memory_ids),
            }
            if item.reason is not None:
                shown["reason"] = item.reason
            items.append(shown)
        return {"operation_id": self.operation_id, "status": self.status.value, "items": items}

    @classmethod
    def from_dict(cls, shown: Mapping[str, Any], *, replayed: bool = False) -> Receipt:
        """Reads back what :meth:`to_dict` gave."""
        return cls(
            operation_id=OperationId(shown["operation_id"]),
            status=OperationStatus(shown["status"]),
            replayed=replayed,
            items=tuple(
                ReceiptItem(
                    index=item["index"],
                    event_id=None if item["event_id"] is None else EventId(item["event_id"]),
                    outcome=ItemOutcome(item["outcome"]),
                    memory_ids=tuple(MemoryId(memory_id) for memory_id in item["memory_ids"]),
                    reason=item.get("reason"),
                )
                for item in shown["items"]
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMemory:
    """A memory together with how it was used: what reads return."""

    memory: Memory
    access: MemoryAccess = field(default_factory=MemoryAccess)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPage:
    """One page of a listing. ``next_cursor`` is ``None`` on the last one."""

    items: tuple[StoredMemory, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreParts:
    """The parts of a score, each in 0..1."""

    relevance: float
    importance: float
    recency: float
    frequency: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledMemory:
    """A memory that leaves a recall, with its score, the parts of it and the arms that found it."""

    stored: StoredMemory
    score: float
    scores: ScoreParts
    arms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallResult:
    """The answer of a recall."""

    memories: tuple[RecalledMemory, ...]
    facts: tuple[RecalledMemory, ...] = ()
    route: str
    plan: str
    rewritten_query: str
    degraded: tuple[str, ...]
    took_ms: float
    explain: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Maps a reference in a context block to the memory behind it."""

    ref: str
    memory_id: MemoryId
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBlock:
    """A block ready for the prompt. ``tokens`` counts all of it; ``window_used`` is a share of the caller's window."""

    context: str
    citations: tuple[Citation, ...]
    tokens: int
    tokens_by_part: dict[str, int]
    window_used: float
    advice: str
    degraded: tuple[str, ...]
