"""What an event becomes before anything has a version: drafts of memories, changes of stored ones, or a reason."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memplane.domain.ids import MemoryId
from memplane.domain.memory import Event, EventState, Kind, Visibility
from memplane.domain.results import ItemOutcome
from memplane.domain.text import content_hash, language_of, summarise, tokenize
from memplane.domain.traits import has_time, is_question, speaker_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryText:
    """What is derived from a memory's content alone. ``summary_hash``: SHA-256 of the summary, in hex."""

    content: str
    summary: str
    summary_hash: str
    content_hash: str
    is_question: bool
    has_time: bool


def text_of(content: str) -> MemoryText:
    """Summary, hashes and traits of a content."""
    summary = summarise(content)
    return MemoryText(
        content=content,
        summary=summary,
        summary_hash=hashlib.sha256(summary.encode()).hexdigest(),
        content_hash=content_hash(content),
        is_question=is_question(content),
        has_time=has_time(content),
    )


def terms_of(content: str, *, metadata: Mapping[str, Any], event_time: datetime) -> tuple[str, ...]:
    """Tokens of content and topic, and of the event's date, so that "in May" finds what was said in May."""
    day = event_time
    date = f"{day.year}年{day.month}月{day.day}日" if language_of(content) == "zh" else f"{day:%d %B %Y}".lstrip("0")
    return tuple(tokenize(f"{content}\n{metadata.get('topic') or ''}")) + tuple(tokenize(date))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraft:
    """A memory before it has a version: all that resolve and commit need.

    ``fact_key`` and ``fact_value`` are of facts only; their ``event_time`` is what they are valid from.
    """

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
    fact_key: str | None = None
    fact_value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRemoval:
    """The end of a fact: its memory gets a version that says it is forgotten."""

    memory_id: MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What a caller changed on a memory. ``text`` ``None``: the content stays; ``fields``: the other new values.

    Names of ``fields`` are those of :class:`~memplane.domain.memory.Memory`.
    """

    memory_id: MemoryId
    text: MemoryText | None
    fields: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all that changes, content first."""
        return (*(("content",) if self.text else ()), *self.fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an event becomes: drafts, a change of a stored memory, or the state and reason of having neither."""

    state: EventState
    item_outcome: ItemOutcome
    reason: str | None = None
    drafts: tuple[MemoryDraft, ...] = ()
    change: FactRemoval | Revision | None = None

    @property
    def memory_ids(self) -> tuple[MemoryId, ...]:
        """The memories that this is about."""
        return tuple(item.memory_id for item in self.drafts) + ((self.change.memory_id,) if self.change else ())

    def texts_to_embed(self) -> Iterator[tuple[str, str]]:
        """``(summary_hash, summary)`` of all that gets a vector. Facts get none: they are found by key and word."""
        for item in self.drafts:
            if item.kind is not Kind.FACT:
                yield item.summary_hash, item.summary
        if isinstance(self.change, Revision) and self.change.text is not None:
            yield self.change.text.summary_hash, self.change.text.summary


def draft_of(
    event: Event,
    *,
    memory_id: MemoryId,
    content: str,
    kind: Kind,
    category: str,
    importance: float,
    terms: tuple[str, ...] | None = None,
    **fields: Any,
) -> MemoryDraft:
    """A draft with everything that follows from the content. ``fields``: the draft's optional ones.

    ``terms`` ``None``: those of the content, its topic and its date.
    """
    text = text_of(content)
    return MemoryDraft(
        memory_id=memory_id,
        kind=kind,
        category=category,
        content=content,
        summary=text.summary,
        summary_hash=text.summary_hash,
        terms=terms_of(content, metadata=event.metadata, event_time=event.event_time) if terms is None else terms,
        content_hash=text.content_hash,
        importance=importance,
        metadata=event.metadata,
        # Nobody says a fact, and its value may look like a label or a question.
        speaker="" if kind is Kind.FACT else speaker_of(content=content, role=event.role, metadata=event.metadata),
        is_question=kind is not Kind.FACT and text.is_question,
        has_time=text.has_time,
        **fields,
    )
