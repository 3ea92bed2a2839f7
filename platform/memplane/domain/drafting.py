"""From an event to what it says that is worth keeping: gate, score, summarise. Pure; the same for a first drive and a
repeat.

The first slice keeps the turn itself, verbatim. Extraction of statements replaces :func:`draft` per trigger without
touching the Writer: it too returns drafts or a reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from memplane.domain.canonical import canonical_json
from memplane.domain.control import Policy, RawTurns
from memplane.domain.gates import apply_gates
from memplane.domain.ids import MemoryId, derive_memory_id
from memplane.domain.importance import KEEP_THRESHOLD, score_importance
from memplane.domain.memory import Event, EventState, Kind, Visibility
from memplane.domain.results import ItemOutcome
from memplane.domain.text import content_hash, language_of, summarise, tokenize
from memplane.domain.traits import has_time, is_question, speaker_of

ORIGIN_EVENTS: Final = "events"
ORIGIN_MEMORIES: Final = "memories"
EXPLICIT_IMPORTANCE: Final = 0.8
"""Floor for what a caller asked to be remembered (requirements §1.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraft:
    """A memory before it has a version: all that resolve and commit need."""

    memory_id: MemoryId
    kind: Kind
    category: str
    content: str
    summary: str
    summary_hash: str
    terms: tuple[str, ...]
    content_hash: str
    importance: float
    visibility: Visibility = Visibility.SHARED
    pinned: bool = False
    expires_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    speaker: str = ""
    is_question: bool = False
    has_time: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an event becomes: drafts, or the state and reason of having none."""

    state: EventState
    item_outcome: ItemOutcome
    reason: str | None = None
    drafts: tuple[MemoryDraft, ...] = ()


def draft(event: Event, policy: Policy) -> Verdict:
    """Decides on one event under a tenant's policy."""
    if event.origin == ORIGIN_MEMORIES:
        return _added(_explicit(event))
    gate = apply_gates(event.content, event.role, disabled=policy.disabled_gates)
    if not gate.passed:
        return Verdict(
            state=EventState.REJECTED, item_outcome=ItemOutcome.REJECTED, reason=f"gate:{gate.gate}: {gate.reason}"
        )
    if policy.raw_turns is RawTurns.NONE:
        return _kept("policy raw_turns=none: the turn stays an event")
    importance = score_importance(gate.content, kind=Kind.EPISODIC).value
    if policy.raw_turns is RawTurns.TRIGGERED and importance < KEEP_THRESHOLD:
        return _kept(f"importance {importance:.2f} is below {KEEP_THRESHOLD:.2f}: left to distill")
    return _added(_draft(event, content=gate.content, kind=Kind.EPISODIC, category="event", importance=importance))


def _explicit(event: Event) -> MemoryDraft:
    wanted = event.directives
    kind = Kind(wanted.get("kind") or Kind.SEMANTIC)
    importance = wanted.get("importance")
    if importance is None:
        importance = score_importance(event.content, kind=kind, explicit=True).value
    expires_at = wanted.get("expires_at")
    return _draft(
        event,
        content=event.content,
        kind=kind,
        category=wanted.get("category") or "other",
        importance=float(importance),
        visibility=Visibility(wanted.get("visibility") or Visibility.SHARED),
        pinned=bool(wanted.get("pinned")),
        expires_at=datetime.fromisoformat(expires_at) if expires_at else None,
    )


def _draft(
    event: Event,
    *,
    content: str,
    kind: Kind,
    category: str,
    importance: float,
    visibility: Visibility = Visibility.SHARED,
    pinned: bool = False,
    expires_at: datetime | None = None,
) -> MemoryDraft:
    summary = summarise(content)
    return MemoryDraft(
        memory_id=derive_memory_id(event.scope, event_id=event.event_id, index=0),
        kind=kind,
        category=category,
        content=content,
        summary=summary,
        summary_hash=hashlib.sha256(summary.encode()).hexdigest(),
        terms=_terms(content, event),
        content_hash=content_hash(content),
        importance=importance,
        visibility=visibility,
        pinned=pinned,
        expires_at=expires_at,
        metadata=event.metadata,
        speaker=speaker_of(content=content, role=event.role, metadata=event.metadata),
        is_question=is_question(content),
        has_time=has_time(content),
    )


def _terms(content: str, event: Event) -> tuple[str, ...]:
    """Tokens of content and topic, and of the event's date, so that "in May" finds what was said in May."""
    day = event.event_time
    date = f"{day.year}年{day.month}月{day.day}日" if language_of(content) == "zh" else f"{day:%d %B %Y}".lstrip("0")
    return tuple(tokenize(f"{content}\n{event.metadata.get('topic') or ''}")) + tuple(tokenize(date))


def _added(memory: MemoryDraft) -> Verdict:
    return Verdict(state=EventState.PROCESSED, item_outcome=ItemOutcome.ADDED, drafts=(memory,))


def _kept(reason: str) -> Verdict:
    return Verdict(state=EventState.KEPT, item_outcome=ItemOutcome.KEPT, reason=reason)


def fingerprint(memory_id: str, content: str, status: str, metadata: Mapping[str, Any]) -> str:
    """What the audit's before/after HMACs cover: the parts of a memory that a change can move."""
    return canonical_json([memory_id, content, status, metadata])
