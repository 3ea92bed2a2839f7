"""From drafts and changes to new versions, with their audit rows. No I/O."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from memplane.application.write.stamps import Change, Stamp, audited
from memplane.application.write.unit import WriteUnit
from memplane.domain.clock import rank_of
from memplane.domain.drafts import MemoryDraft, Revision, terms_of
from memplane.domain.memory import Event, Memory, Op, Status
from memplane.domain.traits import speaker_of

LATE_FACT = "a newer value was known already"
"""Why a fact's value is superseded from the start: it is valid from an earlier time than the current one."""


def add_change(unit: WriteUnit, event: Event, item: MemoryDraft, stamp: Stamp) -> Change:
    """The first version of a drafted memory."""
    version = stamp.version()
    memory = _drafted(unit, event, item, stamp, version=version, rank=rank_of(version=version, valid_from=None))
    return audited(unit, memory, before=None, stamp=stamp)


def fact_change(unit: WriteUnit, event: Event, item: MemoryDraft, current: Memory | None, stamp: Stamp) -> Change:
    """A new value of a fact: current if it is valid from later than the current one, else history at once.

    What is set anew without a time after a deletion is true from then on, also where the deletion lies a little ahead
    (it ended a value that did).
    """
    valid_from = event.event_time
    is_reset = current is not None and current.status is Status.FORGOTTEN and _came_after(event, current)
    if current is not None and is_reset and event.event_time == event.received_at:
        valid_from = max(valid_from, current.valid_from)
    version = stamp.version(above=current.version if current else 0)
    memory = _drafted(
        unit,
        event,
        item,
        stamp,
        version=version,
        rank=rank_of(version=version, valid_from=valid_from),
        valid_from=valid_from,
        fact_key=item.fact_key,
        fact_value=item.fact_value,
        op=Op.ADD if current is None or current.status is Status.FORGOTTEN else Op.OVERWRITE,
    )
    if current is not None and memory.rank < current.rank:
        memory = replace(memory, status=Status.SUPERSEDED, status_reason=LATE_FACT)
    return audited(unit, memory, before=current, stamp=stamp)


def forget_change(unit: WriteUnit, current: Memory, reason: str, stamp: Stamp, *, event: Event | None = None) -> Change:
    """The version that ends a memory. Its text stays in history until retention or erasure.

    ``event``: of the deletion of a fact. It holds from then on; against a value that was there when it came it always
    holds, whatever lies ahead.
    """
    version = stamp.version(above=current.version)
    valid_from, source_event_ids = current.valid_from, current.source_event_ids
    if current.fact_key is None:
        rank = max(rank_of(version=version, valid_from=None), current.rank + 1)
    else:
        at = stamp.now if event is None else event.event_time
        is_late = event is not None and not _came_after(event, current)
        valid_from = at if is_late else max(at, current.valid_from)
        rank = rank_of(version=version, valid_from=valid_from)
        if event is not None:
            source_event_ids = (event.event_id,)
    memory = replace(
        current,
        version=version,
        rank=rank,
        status=Status.FORGOTTEN,
        status_at=stamp.now,
        status_reason=reason,
        valid_from=valid_from,
        source_event_ids=source_event_ids,
        recorded_at=stamp.now,
        updated_at=stamp.now,
        op=Op.FORGET,
        changed_by=unit.context.principal.key_id,
    )
    return audited(unit, memory, before=current, stamp=stamp)


def revision_change(unit: WriteUnit, event: Event, revision: Revision, current: Memory, stamp: Stamp) -> Change:
    """The version that a caller's change makes: the same memory, status and times of truth, other content or fields."""
    version = stamp.version(above=current.version)
    valid_from = None if current.fact_key is None else current.valid_from
    fields: dict[str, Any] = dict(revision.fields)
    metadata = fields.get("metadata", current.metadata)
    content = current.content
    if revision.text is not None:
        text = revision.text
        content = text.content
        fields |= {
            "content": content,
            "summary": text.summary,
            "summary_hash": text.summary_hash,
            "content_hash": text.content_hash,
            "is_question": text.is_question,
            "has_time": text.has_time,
        }
    if current.fact_key is None and (revision.text is not None or "metadata" in fields):
        fields["terms"] = terms_of(content, metadata=metadata, event_time=current.event_time)
        fields["speaker"] = speaker_of(content=content, role=current.speaker, metadata=metadata)
    if current.status is Status.ACTIVE:
        fields["status_reason"] = f"updated: {', '.join(revision.names)}"
    memory = replace(
        current,
        **fields,
        version=version,
        rank=max(rank_of(version=version, valid_from=valid_from), current.rank + 1),
        recorded_at=stamp.now,
        updated_at=stamp.now,
        source_event_ids=(*current.source_event_ids, event.event_id),
        op=Op.UPDATE,
        changed_by=unit.context.principal.key_id,
    )
    return audited(unit, memory, before=current, stamp=stamp)


def _drafted(
    unit: WriteUnit,
    event: Event,
    item: MemoryDraft,
    stamp: Stamp,
    *,
    version: int,
    rank: int,
    valid_from: datetime | None = None,
    **fields: Any,
) -> Memory:
    return Memory(
        scope=event.scope,
        memory_id=item.memory_id,
        version=version,
        rank=rank,
        kind=item.kind,
        category=item.category,
        status=Status.ACTIVE,
        status_at=stamp.now,
        content=item.content,
        summary=item.summary,
        summary_hash=item.summary_hash,
        terms=item.terms,
        content_hash=item.content_hash,
        importance=item.importance,
        event_time=event.event_time,
        valid_from=valid_from or event.event_time,
        recorded_at=stamp.now,
        updated_at=stamp.now,
        pinned=item.pinned,
        agent_id=event.agent_id,
        visibility=item.visibility,
        session_id=event.session_id,
        source_event_ids=(event.event_id,),
        expires_at=item.expires_at,
        metadata=item.metadata,
        speaker=item.speaker,
        is_question=item.is_question,
        has_time=item.has_time,
        changed_by=unit.context.principal.key_id,
        **fields,
    )


def _came_after(event: Event, current: Memory) -> bool:
    """Whether the event arrived when ``current`` stood already: ``seq`` and versions are readings of one clock."""
    return event.seq > current.version
