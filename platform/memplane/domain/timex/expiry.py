"""``expiry_of``: until when a statement holds, where it says so itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

from memplane.domain.timex.find import find_times
from memplane.domain.timex.lean import lean_of
from memplane.domain.timex.open_ends import opens_after
from memplane.domain.timex.vague import RECENT_DAYS
from memplane.domain.timex.values import Grain, Kind, TimeMention

YEARLY: Final = re.compile(
    r"\b(?:birthdays?|born|anniversary|anniversaries|every year|annual(?:ly)?)\b|生日|出生|纪念日|周年|诞辰|每年",
    re.IGNORECASE,
)
"""What comes back every year, or happened once for all, does not end with its date."""
_RECENTLY: Final = re.compile(
    r"最近|近期|近来|近日|近些天|这阵子|这段时间|这段日子|\b(?:recently|lately)\b", re.IGNORECASE
)
_LASTING_GRAINS: Final = frozenset({Grain.WEEK, Grain.WEEKEND, Grain.SPAN})


def expiry_of(text: str, reference: datetime, zone: tzinfo) -> datetime | None:
    """Return the instant from which ``text`` no longer holds, aware UTC, or ``None`` where it sets no end.

    A dated plan ends with its day, "this week" and 本周 with the week, "recently" and 近期 after 30 days; the last
    end counts. What is over already, starts something open ("from next week on") or comes back every year
    ("his birthday is 3月15日") sets no end.
    """
    if YEARLY.search(text):
        return None
    lean = lean_of(text)
    mentions = find_times(text, reference=reference, zone=zone, prefer="past" if lean == "past" else "future")
    if any(opens_after(text, mention) for mention in mentions):
        return None
    ends = [_end(mention, reference, zone) for mention in mentions if _limits(mention, reference, past=lean == "past")]
    return max(ends, default=None)


def _limits(mention: TimeMention, reference: datetime, *, past: bool) -> bool:
    if mention.kind is Kind.VAGUE:
        return _RECENTLY.search(mention.text) is not None or mention.from_time > reference
    if past and mention.from_time <= reference:
        return mention.grain in _LASTING_GRAINS and mention.kind is Kind.RELATIVE and mention.to_time > reference
    return mention.to_time > reference


def _end(mention: TimeMention, reference: datetime, zone: tzinfo) -> datetime:
    if mention.kind is Kind.VAGUE and _RECENTLY.search(mention.text):
        return reference.astimezone(UTC) + timedelta(days=RECENT_DAYS)
    last = (mention.to_time - timedelta(microseconds=1)).astimezone(zone).date()
    return datetime.combine(last + timedelta(days=1), time(), tzinfo=zone).astimezone(UTC)
