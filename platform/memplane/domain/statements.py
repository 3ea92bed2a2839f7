"""A statement: one thing said, in the third person, readable without the conversation it comes from.

Extraction makes statements, resolve compares them with what is stored. The value carries all that both need to know
of each other and nothing about storing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from memplane.domain.ids import EventId
from memplane.domain.memory import Kind

JSON = str | int | float | bool | None | Sequence["JSON"] | Mapping[str, "JSON"]
"""A JSON value."""

Polarity = Literal["positive", "negative", "neutral"]

MAX_SUBSTANCE_CHARACTERS: Final = 50
"""What a statement may say, in characters of substance: Chinese characters count one, so does a word of letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing said. Times are aware; tuples are in the order of the text."""

    text: str
    """The statement itself, third person with its subject."""
    kind: Kind
    category: str
    polarity: Polarity = "neutral"
    """Whether the subject is for or against what is said; ``neutral`` where there is nothing to be for."""
    slot: str | None = None
    """What can have one value only: ``user/preference/report_channel``, ``trip/成都``; None: no such thing."""
    value: str | None = None
    """The slot's value as said."""
    fact_key: str | None = None
    """``entity_type/entity/attribute`` of an exact keyed fact; with the scope it names one current value."""
    fact_value: JSON = None
    """The typed value of ``fact_key``."""
    event_time: datetime | None = None
    """When what is said happens or happened; None: no time was told."""
    expires_at: datetime | None = None
    """The moment from which the statement no longer holds; None: open."""
    triggers: tuple[str, ...] = ()
    """Names of the rules that fired (``extraction.Trigger``): explicit, preference, decision, correction, plan, ..."""
    entities: tuple[str, ...] = ()
    """Names, numbers and identifiers that the statement is about."""
    negated: bool = False
    """Whether the statement denies (不, 没, not, no longer, ...) what it is about."""
    change_words: tuple[str, ...] = ()
    """Words of change found in it (改成, 不再, 取消, instead, no longer, ...)."""
    conditions: tuple[str, ...] = ()
    """Restrictions that belong to it ("但不要太贵", "on weekdays")."""
    source_event_ids: tuple[EventId, ...] = ()
    """The events that said it, oldest first."""
