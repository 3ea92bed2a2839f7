# ruff: noqa: E501 (patterns)
"""What is going to happen: trips, meetings, appointments with a time, and that one of them does not take place."""

from __future__ import annotations

import re

from memplane.domain.extraction.perspective import request, strip_fillers, third_person
from memplane.domain.extraction.plan_patterns import (
    BOOKING_EN,
    CANCEL_EN,
    CANCEL_ZH,
    DOING_EN,
    DOING_ZH,
    EVENT_EN,
    EVENT_ZH,
    FLIGHT_ZH,
    HOLIDAY,
    INTENT_ZH,
    LATEST_PLAN,
    LATEST_TRIP,
    LEAD_REQUEST_ZH,
    NOT_PLACES,
    NOT_PLACES_EN,
    OFF_EN,
    OFF_ZH,
    OURS_EN,
    OURS_ZH,
    PAST_EN,
    PAST_ZH,
    PLANNED_EN,
    PLANNED_ZH,
    REQUEST_ZH,
    THING_EN,
    TIMEWORD,
    TRIP_EN,
    TRIP_ZH,
    WITH_EN,
    WITH_ZH,
)
from memplane.domain.extraction.reading import Clause, Finding, Trigger
from memplane.domain.extraction.slots import slot_part
from memplane.domain.extraction.when import has_time, upcoming
from memplane.domain.memory import Kind


def plans(clause: Clause) -> list[Finding]:
    """The plan or the cancellation in a clause; at most one."""
    text = strip_fillers(clause.text)
    found = _cancelled(text, clause) or (_zh(text, clause) if clause.language == "zh" else _en(text, clause))
    return [found] if found else []


def _cancelled(text: str, clause: Clause) -> Finding | None:
    zh = clause.language == "zh"
    off = (OFF_ZH if zh else OFF_EN).search(text)
    if off:
        groups = off.groupdict()
        place = groups.get("to") or groups.get("to2") or groups.get("to3") or ""
        place = re.sub(r"^(?:算了|所以|还是|就|我|那|这次|暂时|可能)+", "", place)
        if place and (NOT_PLACES if zh else NOT_PLACES_EN).match(place):
            return _cancellation(f"用户取消了:{text}" if zh else third_person(text), LATEST_PLAN, None)
        slot = f"trip/{slot_part(place)}" if place else LATEST_TRIP
        if zh:
            said = f"用户取消了去{place}的行程" if place else "用户取消了行程"
        else:
            said = f"The user is not going to {place}" if place else "The user cancelled the trip"
        return _cancellation(said, slot, place or None)
    cancel = (CANCEL_ZH if zh else CANCEL_EN).search(text)
    if cancel is None:
        return None
    what = next(group for group in cancel.groups() if group).strip()
    planned = (PLANNED_ZH if zh else PLANNED_EN).search(what)
    said = (
        f"用户取消了{re.sub('^(?:把|请|帮我)', '', what)}"
        if zh
        else f"The user cancelled {re.sub(r'^(?:my|our) ', 'their ', what)}"
    )
    if planned:
        return _cancellation(said, event_slot(what, clause) or LATEST_PLAN, what)
    return Finding(
        text=said,
        kind=Kind.SEMANTIC,
        category="decision",
        polarity="negative",
        value=what,
        triggers=(Trigger.CANCELLATION, Trigger.DECISION),
    )


def _cancellation(text: str, slot: str, value: str | None) -> Finding:
    return Finding(
        text=text,
        kind=Kind.EPISODIC,
        category="event",
        triggers=(Trigger.CANCELLATION, Trigger.PLAN),
        polarity="negative",
        slot=slot,
        value=value,
        dated=True,
    )


def _zh(text: str, clause: Clause) -> Finding | None:  # noqa: PLR0911 (one return per sort of plan)
    if PAST_ZH.search(text) or REQUEST_ZH.match(text):
        return None
    doing = DOING_ZH.search(text)
    if doing:
        return Finding(
            text=third_person(text),
            kind=Kind.SEMANTIC,
            category="state",
            triggers=(Trigger.STATE_CHANGE,),
            value=f"{doing['do']}{doing['what']}",
            dated=True,
        )
    ahead = _ahead(text, clause)
    intent = INTENT_ZH.search(text)
    if not ahead and not intent and not HOLIDAY.search(text):
        return None
    trip = FLIGHT_ZH.search(text) or TRIP_ZH.search(text)
    body = LEAD_REQUEST_ZH.sub("", text)
    if trip and not NOT_PLACES.match(trip["to"]) and not TIMEWORD.match(trip["to"]):
        place = re.sub(r"(?:出差|旅游)$", "", trip["to"])
        said = f"用户{re.sub('^的', '', body)}" if body != text else third_person(text)
        return _plan(said if body == text else f"用户计划{body}", slot=f"trip/{slot_part(place)}", value=place)
    what = EVENT_ZH.search(text)
    if what and ahead and (OURS_ZH.match(text) or intent):
        who = WITH_ZH.search(text)
        return _plan(
            third_person(body) if body == text else f"用户计划{body}",
            slot=event_slot(text, clause),
            value=who["who"] if who else what["what"],
        )
    if intent and ahead:
        return _plan(third_person(text), slot=None, value=intent["do"])
    return None


def _en(text: str, clause: Clause) -> Finding | None:
    doing = DOING_EN.search(text)
    if (
        doing
        and not doing["what"].strip().startswith(("something", "it", "that", "a few", "a ton", "a lot", "so much"))
        and not _ahead(text, clause, exact=True)
    ):
        return Finding(
            text=third_person(text),
            kind=Kind.SEMANTIC,
            category="state",
            triggers=(Trigger.STATE_CHANGE,),
            value=f"{doing['do']}{doing['what']}".strip(),
            dated=True,
        )
    ours = OURS_EN.search(text)
    trip = TRIP_EN.search(text)
    ahead = _ahead(text, clause)
    if (
        trip
        and not NOT_PLACES_EN.match(trip["to"])
        and (ours or (ahead and (BOOKING_EN.match(text) or THING_EN.match(text))))
    ):
        place = trip["to"]
        said = third_person(text) if ours else request(text)
        return _plan(said, slot=f"trip/{slot_part(place)}", value=place)
    if not ahead or PAST_EN.search(text):
        return None
    what = EVENT_EN.search(text)
    guest = re.match(
        r"my (?:\w+ )?(?:parents|mother|father|mom|dad|sister|brother|friends?|in-laws|family|son|daughter|wife|husband)\b.*\b(?:is|are) (?:visiting|coming|arriving|getting|graduating|starting)",
        text,
        re.IGNORECASE,
    )
    if ours or guest or (what and THING_EN.match(text)):
        who = WITH_EN.search(text)
        value = who["who"] if who else what["what"] if what else (ours["do"].strip() if ours else text)
        return _plan(third_person(text), slot=event_slot(text, clause), value=value)
    return None


def _plan(text: str, *, slot: str | None, value: str | None) -> Finding:
    return Finding(
        text=text,
        kind=Kind.EPISODIC,
        category="event",
        triggers=(Trigger.PLAN,),
        polarity="positive",
        slot=slot,
        value=value,
        dated=True,
    )


def event_slot(text: str, clause: Clause) -> str | None:
    """``meeting/李总``, ``event/体检``: who it is with, else what it is."""
    zh = clause.language == "zh"
    who = (WITH_ZH if zh else WITH_EN).search(text)
    what = (EVENT_ZH if zh else EVENT_EN).search(text)
    if who and not (NOT_PLACES_EN.match(who["who"])):
        return f"meeting/{slot_part(who['who'])}"
    if what is None:
        return None
    word = what["what"].lower()
    return "meeting/current" if word in ("meeting", "开会", "会议", "sync", "例会") else f"event/{slot_part(word)}"


def _ahead(text: str, clause: Clause, *, exact: bool = False) -> bool:
    if not has_time(text):
        return False
    mention = upcoming(text, at=clause.at, zone=clause.zone)
    return mention is not None and not (exact and mention.kind.value == "vague")
