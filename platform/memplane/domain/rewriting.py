"""Queries that point ("那家几点关门", "the usual") get the words of what they point at, from the session's context.

Rules only. What was typed always stays, in front and untouched: what it points at is added behind it in brackets.
Narrow on purpose: a query that names its own subject is left alone, for a wrong addition finds what nobody asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from memplane.domain.mentions import EntityKind, entities_of, kind_of
from memplane.domain.pointing import Pointer, Pointing, pointer_of
from memplane.domain.text import fold, is_cjk, language_of, summarise

__all__ = ["MAX_ADDED_CHARACTERS", "Rewritten", "SessionContext", "entities_of", "rewrite"]

MAX_ADDED_CHARACTERS: Final = 120
"""Characters that are added at most, brackets not counted."""
MAX_PART_CHARACTERS: Final = 60
"""Characters of one part; a longer one is summarised, never cut inside a word."""

# "好的" and "ok" say nothing that a query could be completed with.
_MIN_SAID_CHARACTERS: Final = 5
_MAX_TURN_CHARACTERS: Final = 2_000
_LATIN_NAME: Final = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionContext:
    """What is known of the session that a query is asked in."""

    topic: str | None = None
    entities: tuple[str, ...] = ()
    """Names that were mentioned, the last mentioned last; empty: they are read from `last_turns`."""
    last_turns: tuple[str, ...] = ()
    """The texts of the last turns, oldest first."""
    last_action: str | None = None
    intent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """A query as it is to be recalled with."""

    text: str
    """Begins with the query as typed."""
    changed: bool
    reason: str | None
    """Why it was changed, or why a query that points was not; None for a query that does not point."""


def rewrite(query: str, *, context: SessionContext, pointing_words: Collection[str] = ()) -> Rewritten:
    """Return `query`, with what it points at added where it points and the session tells.

    `pointing_words` are a tenant's own phrases that point ("老地方", "my go-to"). The same arguments give the same
    text. Never raises.
    """
    pointer = pointer_of(query, pointing_words)
    if pointer is None:
        return Rewritten(text=query, changed=False, reason=None)
    added = _fit(query, _referred(query, pointer, context))
    if not added:
        reason = f"{pointer.how} ({pointer.phrase}), but the session does not say what"
        return Rewritten(text=query, changed=False, reason=reason)
    chinese = language_of(query) == "zh"
    shown = f"（{'；'.join(added)}）" if chinese else f" ({'; '.join(added)})"
    return Rewritten(text=query + shown, changed=True, reason=f"{pointer.how} ({pointer.phrase})")


def _referred(query: str, pointer: Pointer, context: SessionContext) -> Iterator[str | None]:
    """Yield what `query` may point at, the best first; None and repetitions are for the caller to drop."""
    said = (turn[:_MAX_TURN_CHARACTERS].strip() for turn in context.last_turns)
    turns = [turn for turn in said if turn and turn != query.strip()]
    entities = context.entities or entities_of(turns)
    match pointer.how:
        case Pointing.HABIT:
            yield from (context.topic, context.intent, context.last_action)
            if not context.topic:
                yield _last_said(turns)
        case Pointing.ELLIPSIS:
            # "那上海呢" brings its own name: what it lacks is the question.
            yield from (context.topic, entities[-1] if entities and not pointer.head else None)
            if pointer.head or not context.topic:
                yield _last_said(turns)
        case _:
            yield from _meant(pointer, context, entities, turns)


def _meant(
    pointer: Pointer, context: SessionContext, entities: tuple[str, ...], turns: list[str]
) -> Iterator[str | None]:
    """Yield the thing that is meant, then what it was about where its name alone may be the wrong one."""
    if pointer.head and not pointer.wanted:
        beside = next((turn for turn in reversed(turns) if _mentions(fold(turn), pointer.head)), None)
        if beside:
            # Its own noun leads to the turn in question: a name from another turn would lead away from it.
            yield beside
            return
        if pointer.how is Pointing.LAST_TIME:
            said = (*reversed(entities), context.topic or "")
            yield next((part for part in said if _mentions(fold(part), pointer.head)), None)
            return
    entity = _agreeing(pointer, entities)
    yield entity
    if entity is None or pointer.wanted is None or kind_of(entity) is not pointer.wanted:
        yield context.topic
    if entity is None and not context.topic and pointer.wanted is not EntityKind.PERSON:
        yield _last_said(turns) or context.last_action


def _agreeing(pointer: Pointer, entities: tuple[str, ...]) -> str | None:
    """Return the last mentioned entity of the wanted kind, else the last one that may be what is wanted."""
    for entity in reversed(entities):
        if pointer.wanted and kind_of(entity) is pointer.wanted:
            return entity
    for entity in reversed(entities):
        kind = kind_of(entity)
        if pointer.wanted is EntityKind.PERSON:
            if kind is None and _LATIN_NAME.fullmatch(entity):
                return entity
        elif (kind is None or not pointer.wanted) and (pointer.not_wanted is None or kind is not pointer.not_wanted):
            return entity
    return None


def _mentions(folded: str, head: str) -> bool:
    """Return whether a folded text has `head`; in Chinese its beginning is enough: a verb may follow the noun."""
    return head in folded or (is_cjk(head[0]) and head[:2] in folded)


def _last_said(turns: list[str]) -> str | None:
    """Return the last turn that says something by itself."""
    for turn in reversed(turns):
        if len(turn) >= _MIN_SAID_CHARACTERS and pointer_of(turn) is None:
            return turn
    return None


def _fit(query: str, parts: Iterator[str | None]) -> list[str]:
    """Return the parts that say something new, each within its limit, together within theirs."""
    said = fold(query)
    kept: list[str] = []
    room = MAX_ADDED_CHARACTERS
    for part in parts:
        if not part or not part.strip():
            continue
        short = summarise(part[:_MAX_TURN_CHARACTERS], MAX_PART_CHARACTERS)
        if fold(short) in said or len(short) > room:
            continue
        kept.append(short)
        said += "\n" + fold(short)
        room -= len(short) + 2
    return kept
