"""From an event to what it says that is worth keeping: gate, score, summarise. Pure; the same for a first drive and a
repeat.

The first slice keeps the turn itself, verbatim. Extraction of statements replaces :func:`draft` per trigger without
touching the Writer: it too returns drafts or a reason. Facts and revisions come as events of their own, and need no
rule: what they become is told by their directives.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from memplane.domain.control import Policy, RawTurns
from memplane.domain.drafts import (
    FactRemoval,
    MemoryDraft,
    Revision,
    Verdict,
    draft_of,
    terms_of,
    text_of,
)
from memplane.domain.facts import FactKey
from memplane.domain.gates import apply_gates
from memplane.domain.ids import MemoryId, derive_fact_memory_id, derive_memory_id
from memplane.domain.importance import KEEP_THRESHOLD, score_importance
from memplane.domain.memory import Event, EventState, Kind, Visibility
from memplane.domain.results import ItemOutcome
from memplane.domain.text import tokenize

__all__ = [
    "EXPLICIT_IMPORTANCE",
    "ORIGIN_EVENTS",
    "ORIGIN_FACTS",
    "ORIGIN_MEMORIES",
    "ORIGIN_REVISIONS",
    "MemoryDraft",
    "Verdict",
    "draft",
]

ORIGIN_EVENTS: Final = "events"
ORIGIN_MEMORIES: Final = "memories"
ORIGIN_FACTS: Final = "facts"
"""Directives: ``fact_key``, ``fact_value`` and what a caller decides of a memory; or ``removes`` instead of a value."""
ORIGIN_REVISIONS: Final = "revisions"
"""Directives: ``memory_id``, ``replaces_content`` (the event's own is the new one), ``fields`` (the other values)."""
EXPLICIT_IMPORTANCE: Final = 0.8
"""Floor for what a caller asked to be remembered."""


def draft(event: Event, policy: Policy) -> Verdict:
    """Decides on one event under a tenant's policy."""
    if event.origin == ORIGIN_MEMORIES:
        return _added(_explicit(event))
    if event.origin == ORIGIN_FACTS:
        return _fact(event)
    if event.origin == ORIGIN_REVISIONS:
        return _revision(event)
    return _turn(event, policy)


def _turn(event: Event, policy: Policy) -> Verdict:
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
    return _added(
        draft_of(
            event,
            memory_id=derive_memory_id(event.scope, event_id=event.event_id, index=0),
            content=gate.content,
            kind=Kind.EPISODIC,
            category="event",
            importance=importance,
        )
    )


def _explicit(event: Event) -> MemoryDraft:
    kind = Kind(event.directives.get("kind") or Kind.SEMANTIC)
    return draft_of(
        event,
        memory_id=derive_memory_id(event.scope, event_id=event.event_id, index=0),
        content=event.content,
        kind=kind,
        category=event.directives.get("category") or "other",
        visibility=Visibility(event.directives.get("visibility") or Visibility.SHARED),
        **_decided(event, kind),
    )


def _fact(event: Event) -> Verdict:
    """A fact's memory is named by its key; it is shared by all of the user's agents, since the key names one value."""
    key = FactKey.parse(event.directives["fact_key"])
    memory_id = derive_fact_memory_id(event.scope, fact_key=str(key))
    if event.directives.get("removes"):
        return Verdict(
            state=EventState.PROCESSED,
            item_outcome=ItemOutcome.SUPERSEDED,
            reason="forgotten: deleted by caller",
            change=FactRemoval(memory_id=memory_id),
        )
    item = draft_of(
        event,
        memory_id=memory_id,
        content=event.content,
        kind=Kind.FACT,
        category=event.directives.get("category") or "state",
        terms=_fact_terms(event, key),
        fact_key=str(key),
        fact_value=event.directives.get("fact_value"),
        **_decided(event, Kind.FACT),
    )
    return Verdict(state=EventState.PROCESSED, item_outcome=ItemOutcome.FACT_SET, drafts=(item,))


def _fact_terms(event: Event, key: FactKey) -> tuple[str, ...]:
    """Tokens of the sentence (which holds the value), and those of the key that it words differently."""
    told = terms_of(event.content, metadata=event.metadata, event_time=event.event_time)
    parts = dict.fromkeys(tokenize(f"{key.entity_type} {key.entity} {key.attribute}"))
    for token in told:
        parts.pop(token, None)
    return told + tuple(parts)


def _revision(event: Event) -> Verdict:
    wanted = event.directives
    fields = dict(wanted["fields"])
    if fields.get("expires_at") is not None:
        fields["expires_at"] = datetime.fromisoformat(fields["expires_at"])
    revision = Revision(
        memory_id=MemoryId(wanted["memory_id"]),
        text=text_of(event.content) if wanted.get("replaces_content") else None,
        fields=fields,
    )
    return Verdict(
        state=EventState.PROCESSED,
        item_outcome=ItemOutcome.SUPERSEDED,
        reason=f"updated: {', '.join(revision.names)}",
        change=revision,
    )


def _decided(event: Event, kind: Kind) -> Mapping[str, Any]:
    """What a caller may decide of any explicit memory; the rules decide the rest."""
    wanted = event.directives
    importance = wanted.get("importance")
    if importance is None:
        importance = score_importance(event.content, kind=kind, explicit=True).value
    expires_at = wanted.get("expires_at")
    return {
        "importance": float(importance),
        "pinned": bool(wanted.get("pinned")),
        "expires_at": datetime.fromisoformat(expires_at) if expires_at else None,
    }


def _added(memory: MemoryDraft) -> Verdict:
    return Verdict(state=EventState.PROCESSED, item_outcome=ItemOutcome.ADDED, drafts=(memory,))


def _kept(reason: str) -> Verdict:
    return Verdict(state=EventState.KEPT, item_outcome=ItemOutcome.KEPT, reason=reason)
