"""Inside one batch the statements on one slot become one, the last wording, as if nothing else had been said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from memplane.domain.extraction.corrections import LATEST
from memplane.domain.extraction.plan_patterns import LATEST_PLAN, LATEST_TRIP
from memplane.domain.extraction.sentences import is_chinese
from memplane.domain.extraction.slots import closed_slot
from memplane.domain.statements import Statement
from memplane.domain.text import normalise_for_hash

_DAY: Final = re.compile(
    r"(?:本|这|下下?)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天]|[今明后]天|\d{1,2}月\d{1,2}[日号]|\d{1,2}[日号]"
    r"|\b(?:(?:next|this) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btomorrow\b|\btoday\b",
    re.IGNORECASE,
)
_PLAN_HEADS: Final = ("trip/", "meeting/", "event/")
_MANY: Final = frozenset({"user/pet/name", "user/pet/kind", "user/diet/regime"})
"""Slots of which there may be several at once: a second pet does not replace the first."""


def collapse(statements: Sequence[Statement], *, earlier: Sequence[Statement] = ()) -> tuple[Statement, ...]:
    """``statements`` (in the order said) with one statement per slot, the last.

    A cancellation or correction that does not name its slot ("算了不去了", "改成周一") takes that of the latest
    statement it can mean, in the batch or in ``earlier`` (what the turns before said; none of those is returned). A
    preference that only adds a condition ("安静" … "安静但不要太贵") needs no merging here: its last wording has both.
    """
    kept: list[Statement] = []
    for said in statements:
        statement = _pointed(said, kept, earlier)
        if statement is None:
            continue
        if statement.slot is not None and statement.slot not in _MANY:
            sources = [old for old in kept if _replaces(statement, old)]
            kept = [old for old in kept if not _replaces(statement, old)]
            if sources:
                before = [event_id for old in sources for event_id in old.source_event_ids]
                statement = replace(
                    statement, source_event_ids=tuple(dict.fromkeys([*before, *statement.source_event_ids]))
                )
        kept.append(statement)
    return _without_repeats(kept)


def _replaces(new: Statement, old: Statement) -> bool:
    if old.slot is None or old.slot != new.slot:
        return False
    if new.polarity == "negative" and old.polarity == "positive" and "preference" in new.triggers:
        # A denial retires what it denies, not another value of the slot.
        return (new.value or "") in (old.value or "") or (old.value or "") in (new.value or "") or "/diet/" in new.slot
    return True


def _pointed(statement: Statement, kept: Sequence[Statement], earlier: Sequence[Statement]) -> Statement | None:
    """The statement with the slot it points at; None where it points at nothing and says nothing by itself."""
    said = [*earlier, *kept]
    if statement.slot in (LATEST_TRIP, LATEST_PLAN):
        heads = ("trip/",) if statement.slot == LATEST_TRIP else _PLAN_HEADS
        target = next(
            (old for old in reversed(said) if old.slot and old.slot.startswith(heads) and "*" not in old.slot), None
        )
        return _cancelled(statement, target) if target else statement
    if statement.slot == LATEST:
        target = next((old for old in reversed(said) if _is_corrected_by(old, statement)), None)
        return _corrected(statement, target) if target else replace(statement, slot=None)
    if statement.slot and statement.polarity == "negative" and "cancellation" in statement.triggers:
        return _nearest_plan(statement, said)
    return statement


def _nearest_plan(statement: Statement, said: Sequence[Statement]) -> Statement:
    """A cancelled "Friday meeting" is the meeting of Friday, whoever it is with."""
    if any(old.slot == statement.slot for old in said):
        return statement
    same_day = [
        old
        for old in said
        if old.slot and old.slot.startswith(_PLAN_HEADS) and old.event_time and old.event_time == statement.event_time
    ]
    return replace(statement, slot=same_day[-1].slot) if same_day else statement


def _cancelled(statement: Statement, target: Statement) -> Statement:
    what = target.value or ""
    trip = (target.slot or "").startswith("trip/")
    if is_chinese(statement.text):
        text = f"用户取消了去{what}的行程" if trip else f"用户取消了{what}的安排"
    else:
        text = f"The user cancelled the trip to {what}" if trip else f"The user cancelled: {what}"
    return replace(
        statement,
        slot=target.slot,
        value=target.value,
        text=text,
        event_time=target.event_time,
        expires_at=target.expires_at,
    )


def _is_corrected_by(old: Statement, correction: Statement) -> bool:
    """Whether a correction without a topic can mean ``old``: it names the old value, or both values are of one sort."""
    value, new = old.value, correction.value
    if old.slot is None or value is None or new is None:
        return False
    replaced = _between(correction.text)
    if replaced:
        return replaced in value or replaced in old.text
    if correction.event_time is not None:
        return old.event_time is not None
    known, before = closed_slot(f"{new} 汇报 send 坐 付", new), old.slot
    return known is not None and known[0].name == before


def _between(text: str) -> str:
    """The value that a correction takes back ("…,不是周三", "…, not Wednesday"); empty if it names none."""
    for mark in ("不是", ", not "):
        if mark in text:
            return text.rpartition(mark)[2].strip(" ,，。.")
    return ""


def _corrected(statement: Statement, target: Statement) -> Statement:
    """The target's statement with the new value in it."""
    zh = is_chinese(target.text)
    new = statement.value or ""
    replaced = _between(statement.text)
    if replaced and replaced in target.text:
        text = target.text.replace(replaced, new)
    elif (then := _DAY.search(target.text)) and (now := _DAY.search(new)):
        text = target.text[: then.start()] + now[0] + target.text[then.end() :]
    elif target.value and target.value in target.text and statement.event_time is None:
        text = target.text.replace(target.value, new)
    else:
        text = f"{target.text}(改为{new})" if zh else f"{target.text} (changed to {new})"
    return replace(
        statement,
        text=text,
        slot=target.slot,
        kind=target.kind,
        category=target.category,
        fact_key=target.fact_key,
        fact_value=new if target.fact_key else None,
        event_time=_moved(statement, target),
        expires_at=statement.expires_at or target.expires_at,
    )


def _moved(statement: Statement, target: Statement) -> datetime | None:
    """The new time; where only a day was told, the old hour on the new day."""
    new = statement.event_time
    if new is None or target.event_time is None or statement.expires_at is None or target.expires_at is None:
        return new or target.event_time
    whole_day = statement.expires_at - new >= timedelta(hours=23)
    return target.event_time + (statement.expires_at - target.expires_at) if whole_day else new


def _without_repeats(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    seen: dict[tuple[str, str | None], Statement] = {}
    for statement in statements:
        seen.setdefault((normalise_for_hash(statement.text), statement.fact_key), statement)
    return tuple(seen.values())
