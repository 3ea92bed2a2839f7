# ruff: noqa: E501 (patterns and tables)
"""``extract``: what a batch of events says that can be a memory, by rules. Pure, bounded, never raises for any text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Final

from memplane.domain.extraction.attributes import attributes, state_changes
from memplane.domain.extraction.business_events import business_facts
from memplane.domain.extraction.collapse import collapse
from memplane.domain.extraction.confirmations import confirmations
from memplane.domain.extraction.corrections import corrections
from memplane.domain.extraction.decisions import decisions
from memplane.domain.extraction.facts import customer_in, facts, project_in
from memplane.domain.extraction.perspective import USER_EN, USER_ZH, bounded, request, strip_fillers, third_person
from memplane.domain.extraction.plans import plans
from memplane.domain.extraction.preferences import behaviour, preferences
from memplane.domain.extraction.reading import Clause, Finding, Recogniser, Trigger
from memplane.domain.extraction.sentences import Part, is_chinese, stated
from memplane.domain.extraction.triggers import Mark, change_words, explicit_mark, is_negated, without_condition
from memplane.domain.extraction.when import expiry, upcoming
from memplane.domain.extraction.words import NO_EXTRA_WORDS, ExtractionWords
from memplane.domain.memory import Event, Kind
from memplane.domain.statements import Statement
from memplane.domain.text import Language

MAX_STATEMENTS: Final = 20
"""Statements of one event."""
_MIN_CHARACTERS: Final = 2
_NAME_ONLY: Final = re.compile(r"[A-Z][a-z]+|guys|everyone|folks")
"""Who is spoken to ("Remember, Jon, …"), not what is to be remembered."""
_SHORT_SENTENCE: Final = 80
"""In a sentence of at most this length a time in one clause bounds the other ("this week only, call me")."""

_RECOGNISERS: Final[tuple[Recogniser, ...]] = (
    facts,
    attributes,
    corrections,
    plans,
    preferences,
    decisions,
    state_changes,
    behaviour,
)
"""In the order in which they look; the first that finds something has the clause."""
_CONVERSATION: Final = ("user", "human", "customer")
_ENTITY: Final = re.compile(
    r"[A-Za-z]{1,8}-[A-Za-z0-9-]{1,24}|\b[A-Z][\w'&-]*(?: [A-Z][\w'&-]*){0,3}|\d[\d.,:/-]*\d%?|\d|「[^」]{1,30}」|《[^》]{1,30}》|“[^”]{1,30}”"
)
_NO_ENTITY: Final = frozenset(
    {"Project", "Customer", "My", "We", "Yesterday", "The", "I", "The user", "User", "A", "It", "The user's"}
)


def extract(
    events: Sequence[Event],
    *,
    zone: tzinfo,
    language: Language,
    words: ExtractionWords = NO_EXTRA_WORDS,
    earlier: Sequence[Event] = (),
) -> tuple[Statement, ...]:
    """Returns the statements of a batch of one scope's events, in the order said, one per slot.

    ``zone`` is the user's; ``language`` is what structured facts are worded in (a turn's statements stay in the language
    of the turn). ``earlier`` are turns before the batch that a pointing turn may mean ("改成周一"); they give no
    statements. Turns of users are read for what they say; those of an assistant only for what it confirms to have done;
    those of tools and business systems for results. Gates are not applied here.
    """
    context = _Context()
    before = [statement for event in earlier for statement in _read(event, zone, language, words, context)]
    said = [statement for event in events for statement in _read(event, zone, language, words, context)]
    return collapse(said, earlier=before)


class _Context:
    """What the turns so far named last."""

    __slots__ = ("customer", "project")

    def __init__(self) -> None:
        self.customer: str | None = None
        self.project: str | None = None


def _read(event: Event, zone: tzinfo, language: Language, words: ExtractionWords, context: _Context) -> list[Statement]:
    statements: list[Statement] = []
    conversation = event.role in _CONVERSATION
    if not conversation and event.role != "assistant":
        statements += business_facts(event, language=language)
        if event.content.lstrip().startswith(("{", "[")):
            return statements
    for sentence in stated(event.content):
        consumed = 0
        length = len(sentence[0].rest)
        explicit = standing = False
        opened: Mark | None = None
        for part in sentence:
            position = length - len(part.rest)
            mark = explicit_mark(part.text, chinese=is_chinese(part.text), words=words) if conversation else None
            if mark is None and opened is not None:
                mark = Mark(body=part.text, standing=opened.standing)
            # "帮我记一下, …": a mark with nothing behind it opens the next clause.
            opened = mark if mark is not None and len(mark.body) < _MIN_CHARACTERS else None
            explicit, standing = explicit or mark is not None, standing or (mark is not None and mark.standing)
            if position < consumed:
                continue
            clause = _clause(
                part,
                event,
                zone,
                words,
                context,
                sentence=sentence[0].rest,
                body=mark.body if mark else part.text,
                explicit=explicit,
                standing=standing,
                told=mark is not None and mark.told,
            )
            findings = _findings(clause, event.role)
            if (
                not findings
                and mark is not None
                and not _NAME_ONLY.fullmatch(mark.body)
                and len(mark.body) >= _MIN_CHARACTERS
            ):
                findings = [_instruction(clause)]
            if any(finding.end for finding in findings):
                consumed = position + max(finding.end for finding in findings)
            context.customer = customer_in(part.text) or context.customer
            context.project = project_in(part.text) or context.project
            known = {statement.fact_key for statement in statements if statement.fact_key}
            made = (_statement(finding, clause, event, explicit=mark is not None or explicit) for finding in findings)
            statements += [statement for statement in made if not statement.fact_key or statement.fact_key not in known]
            if len(statements) >= MAX_STATEMENTS:
                return statements[:MAX_STATEMENTS]
    return statements


def _clause(
    part: Part,
    event: Event,
    zone: tzinfo,
    words: ExtractionWords,
    context: _Context,
    *,
    sentence: str,
    body: str,
    explicit: bool,
    standing: bool,
    told: bool,
) -> Clause:
    rest = part.rest
    if body != part.text and part.text.endswith(body):
        rest = rest[len(part.text) - len(body) :]
    return Clause(
        text=body,
        rest=rest if rest.startswith(body) else body,
        sentence=sentence,
        language="zh" if is_chinese(body or part.text) else "en",
        role=event.role,
        at=event.event_time,
        zone=zone,
        words=words,
        explicit=explicit,
        standing=standing,
        told=told,
        customer=context.customer,
        project=context.project,
    )


def _findings(clause: Clause, role: str) -> list[Finding]:
    if not clause.text.strip():
        return []
    if role == "assistant":
        return confirmations(clause)
    if role not in _CONVERSATION:
        return facts(clause)
    for recognise in _RECOGNISERS:
        found = recognise(clause)
        if found:
            return found
    return []


def _instruction(clause: Clause) -> Finding:
    """What the user wants remembered and no rule reads: kept as it is said."""
    first = re.match(r"我|\b(?:I|my|we|our|the|that|this|there|it|he|she)\b", strip_fillers(clause.text), re.IGNORECASE)
    name = re.match(r"[A-Z][a-z]+ (?:is|has|likes|works|lives|was)\b", clause.text)
    says = clause.told or first is not None or name is not None or (clause.language == "zh" and not clause.standing)
    text = _told(clause) if says else request(clause.text)
    return Finding(
        text=text,
        kind=Kind.SEMANTIC,
        category="preference" if clause.standing else "other",
        triggers=(),
        value=clause.text,
    )


def _told(clause: Clause) -> str:
    if clause.language == "zh":
        return third_person(clause.text) if "我" in clause.text else f"{USER_ZH}要求记住:{strip_fillers(clause.text)}"
    told = third_person(clause.text)
    return told.replace(f"{USER_EN}: ", f"{USER_EN} asks to remember: ", 1)


def _statement(finding: Finding, clause: Clause, event: Event, *, explicit: bool) -> Statement:
    source = clause.rest[: finding.end] if finding.end else clause.text
    chinese = clause.language == "zh"
    text = bounded(_with_subject(finding.text, event))
    fact = finding.kind is Kind.FACT and finding.slot is not None
    triggers = (*((Trigger.EXPLICIT,) if explicit and clause.role in _CONVERSATION else ()), *finding.triggers)
    return Statement(
        text=text,
        kind=finding.kind,
        category=finding.category,
        polarity=finding.polarity,
        slot=finding.slot,
        value=finding.value,
        fact_key=finding.slot if fact else None,
        fact_value=finding.fact_value if fact else None,
        event_time=_event_time(finding, source, clause),
        expires_at=_expires_at(finding, source, clause),
        triggers=tuple(str(trigger) for trigger in triggers),
        entities=_entities(text),
        negated=is_negated(without_condition(source) if finding.conditions else source, chinese=chinese),
        change_words=change_words(
            source if finding.conditions else clause.sentence[:200], chinese=chinese, words=clause.words
        ),
        conditions=finding.conditions,
        source_event_ids=(event.event_id,),
    )


def _event_time(finding: Finding, source: str, clause: Clause) -> datetime | None:
    if not finding.dated and Trigger.CORRECTION not in finding.triggers:
        return clause.at if finding.kind is Kind.EPISODIC else None
    told = finding.value or source if Trigger.CORRECTION in finding.triggers else source
    mention = upcoming(told, at=clause.at, zone=clause.zone)
    return mention.from_time if mention and mention.kind.value != "vague" else None


def _expires_at(finding: Finding, source: str, clause: Clause) -> datetime | None:
    if finding.kind is Kind.FACT or (finding.kind is Kind.EPISODIC and not finding.dated):
        return None
    told = finding.value or source if Trigger.CORRECTION in finding.triggers else source
    if not finding.dated and len(clause.sentence) <= _SHORT_SENTENCE:
        told = clause.sentence
    return expiry(told, at=clause.at, zone=clause.zone, dated=finding.dated)


def _with_subject(text: str, event: Event) -> str:
    """The statement under the speaker's name, where the event tells one."""
    speaker = event.metadata.get("speaker")
    if not isinstance(speaker, str) or not speaker.strip() or speaker.strip().casefold() in ("user", "用户"):
        return text
    name = speaker.strip()[:64]
    return (
        text.replace(USER_ZH, name, 1) if USER_ZH in text else re.sub(r"\b[Tt]he user\b", lambda _: name, text, count=1)
    )


def _entities(text: str) -> tuple[str, ...]:
    found = (match[0].strip("「」《》“” ") for match in _ENTITY.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name and name not in _NO_ENTITY))[:16]
