"""Who a user is: name, home, work, age, family, pets, languages, and the people around them."""

from __future__ import annotations

import re

from memplane.domain.extraction.attribute_rules import (
    IS_OURS_EN,
    IS_OURS_ZH,
    JOBS_ZH,
    KIN_FIELD_EN,
    KIN_FIELD_ZH,
    KIN_STATE_EN,
    KIN_STATE_ZH,
    NEGATED,
    NO_MORE,
    RELATION_EN,
    RELATION_ZH,
    RULES_EN,
    RULES_ZH,
)
from memplane.domain.extraction.people import is_family, person_name
from memplane.domain.extraction.perspective import strip_fillers, third_person
from memplane.domain.extraction.reading import Clause, Finding, Trigger
from memplane.domain.memory import Kind
from memplane.domain.text import fold


def attributes(clause: Clause) -> list[Finding]:
    """The traits and relations that a clause tells of the user."""
    text = strip_fillers(clause.text)
    zh = clause.language == "zh"
    found = _relation(text, zh) or _attribute(text, zh) or _kin_state(text, zh)
    return [found] if found else []


def _attribute(text: str, zh: bool) -> Finding | None:
    negated = NEGATED.search(text) is not None
    for rule in RULES_ZH if zh else RULES_EN:
        match = None if negated and rule.kind is Kind.FACT else rule.pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        if groups.get("value") and not rule.fits(match):
            continue
        value = (groups.get("value") or groups.get("value2") or "").strip()
        if not value:
            continue
        return Finding(
            text=_worded(rule.slot, value, text, zh),
            kind=rule.kind,
            category=rule.category,
            triggers=rule.triggers,
            slot=rule.slot if rule.kind is Kind.FACT else f"{rule.slot}/{fold(value)[:40].replace('/', ' ')}",
            value=value,
            fact_value=value if rule.kind is Kind.FACT else None,
        )
    return None


def _worded(slot: str, value: str, text: str, zh: bool) -> str:
    if slot.endswith("/address_as"):
        return f"用户希望被称呼为{value}" if zh else f"The user wants to be called {value}"
    return third_person(text)


def _relation(text: str, zh: bool) -> Finding | None:
    field = (KIN_FIELD_ZH if zh else KIN_FIELD_EN).search(text)
    if field:
        return Finding(
            text=third_person(text),
            kind=Kind.FACT,
            category="relation",
            triggers=(Trigger.RELATION,),
            value=field["value"],
            slot=f"person/{person_name(field['who'])}/{field['field'].lower()}",
            fact_value=field["value"],
        )
    match = (RELATION_ZH if zh else RELATION_EN).search(text) or (IS_OURS_ZH if zh else IS_OURS_EN).search(text)
    if match is None or (zh and re.search(rf"(?:{JOBS_ZH}|人|的)$", match["name"])):
        return None
    who = match["who"]
    slot = f"user/{'family' if is_family(who) else 'relation'}/{person_name(who)}"
    return Finding(
        text=third_person(text),
        kind=Kind.FACT,
        category="relation",
        triggers=(Trigger.RELATION,),
        slot=slot,
        value=match["name"].strip(),
        fact_value=match["name"].strip(),
    )


def _kin_state(text: str, zh: bool) -> Finding | None:
    match = (KIN_STATE_ZH if zh else KIN_STATE_EN).search(text)
    if match is None or "的时候" in match["state"]:
        return None
    return Finding(
        text=third_person(text),
        kind=Kind.SEMANTIC,
        category="relation",
        triggers=(Trigger.RELATION,),
        slot=None,
        value=match["state"].strip(),
    )


def state_changes(clause: Clause) -> list[Finding]:
    """That the user's life took a turn (a new job, an end of something) which no keyed attribute holds."""
    text = strip_fillers(clause.text)
    match = NO_MORE.search(text)
    if match is None:
        return []
    value = next(group for group in match.groups() if group)
    return [
        Finding(
            text=third_person(text),
            kind=Kind.SEMANTIC,
            category="state",
            triggers=(Trigger.STATE_CHANGE,),
            value=value.strip(),
            polarity="negative" if "不再" in text or "no longer" in text.lower() else "neutral",
        )
    ]
