"""What a recogniser reads and what it answers: one clause with its surroundings, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum

from memplane.domain.extraction.words import ExtractionWords
from memplane.domain.memory import Kind
from memplane.domain.statements import JSON, Polarity
from memplane.domain.text import Language


class Trigger(StrEnum):
    """The rules that fire."""

    EXPLICIT = "explicit"
    PREFERENCE = "preference"
    DECISION = "decision"
    CORRECTION = "correction"
    STATE_CHANGE = "state_change"
    ATTRIBUTE = "attribute"
    RELATION = "relation"
    PLAN = "plan"
    CANCELLATION = "cancellation"
    BUSINESS_FACT = "business_fact"
    RESULT = "result"
    CONFIRMATION = "confirmation"
    BEHAVIOUR = "behaviour"
    SESSION_CLOSE = "session_close"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause of one turn."""

    text: str
    """The clause, without its end punctuation."""
    rest: str
    """The sentence from this clause on; a finding may reach into the clauses that follow."""
    sentence: str
    """The sentence, from its first stated clause on."""
    language: Language
    role: str
    at: datetime
    """When it was said, aware."""
    zone: tzinfo
    """Where the user's wall clock hangs."""
    words: ExtractionWords
    explicit: bool = False
    """Whether the sentence told to remember it, or set a rule for the time to come."""
    standing: bool = False
    """Whether the mark was one of a rule for the time to come ("from now on")."""
    told: bool = False
    """Whether the mark introduced a thing to know ("remember that"), not one to do."""
    customer: str | None = None
    """The customer that the turns so far named last."""
    project: str | None = None
    """The project that the turns so far named last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one clause says, before times, entities and sources are added."""

    text: str
    kind: Kind
    category: str
    triggers: tuple[Trigger, ...]
    polarity: Polarity = "neutral"
    slot: str | None = None
    value: str | None = None
    fact_value: JSON = None
    conditions: tuple[str, ...] = ()
    dated: bool = False
    """Whether a time in the source tells when it happens, and so when it is over."""
    end: int = 0
    """How far into ``Clause.rest`` the finding reaches; 0: to the end of its clause."""


Recogniser = Callable[[Clause], list[Finding]]
