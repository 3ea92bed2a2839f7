"""When a clause happens and until when it holds: the seam to ``domain.timex``."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from typing import Final

from memplane.domain.timex import Grain, Kind, TimeMention, expiry_of, find_times

# A cheap look before the grammar of times is asked: most clauses hold none.
_HINT: Final = re.compile(
    r"\d|[今明昨后前当本下上这]\s*(?:天|日|晚|早|周|个?月|个?星期|个?礼拜|年|季|次|个?周末)|[周星礼][一二三四五六日天期拜末]|[早晚]上"
    r"|[上中下]午|月底|月初|月中|年底|年初|近期|最近|近来|近日|这阵子|这段|[两三四五六七八九十几]个?(?:天|周|月|年|小时|分钟|点)"
    r"|元旦|春节|国庆|五一|中秋|端午|清明|圣诞|暑假|寒假"
    r"|\b(?:to(?:day|night|morrow)|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|weekend|month|year|quarter|morning"
    r"|afternoon|evening|night|noon|midnight|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|recently|lately|days?|hours?|next|last|this|spring|summer|autumn|fall|winter"
    r"|christmas|easter|two|three|four|five|six|seven|eight|nine|ten)\b",
    re.IGNORECASE,
)
_ONLY_FOR_NOW: Final = re.compile(
    r"本周|这周|这个?星期|这个?月|本月|今天|今晚|明天|暂时|近期|这几天|只限|仅限|截至|直到|到.{1,8}为止"
    r"|\b(?:this (?:week|month|weekend)|today|tonight|tomorrow|until|till|for now|only)\b",
    re.IGNORECASE,
)
_HABIT: Final = frozenset({Kind.VAGUE, Kind.CLOCK})


def has_time(text: str) -> bool:
    """Whether ``text`` may hold a time expression."""
    return _HINT.search(text) is not None


def times_in(text: str, *, at: datetime, zone: tzinfo) -> tuple[TimeMention, ...]:
    """The times told, read towards the future."""
    return find_times(text, reference=at, zone=zone, prefer="future") if has_time(text) else ()


def upcoming(text: str, *, at: datetime, zone: tzinfo) -> TimeMention | None:
    """The most exact time told that is not over yet; of equal ones the first."""
    ahead = [mention for mention in times_in(text, at=at, zone=zone) if mention.to_time > at]
    told = [mention for mention in ahead if mention.kind is not Kind.VAGUE]
    return min(told or ahead, key=lambda mention: mention.to_time - mention.from_time, default=None)


def expiry(text: str, *, at: datetime, zone: tzinfo, dated: bool) -> datetime | None:
    """When it is over: of a plan with its day, of a trait only where it is said to be for a while.

    "最近用企业微信就行" sets a preference that stays until it changes; "近期" and "this week" say themselves that
    it ends.
    """
    if not has_time(text) or (not dated and not _ONLY_FOR_NOW.search(text)):
        return None
    return expiry_of(text, at, zone)


__all__ = ["Grain", "expiry", "has_time", "times_in", "upcoming"]
