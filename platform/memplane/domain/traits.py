"""Traits of a statement that a ranking weighs: who said it, whether it only asks, whether it tells a time.

They are recognised once, on writing, from the text; a query is looked at with the same eyes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from memplane.domain.text import fold

MAX_SPEAKER_CHARACTERS: Final = 64
_LABEL: Final = re.compile(r"\s*([^\s:\uff1a,.!?,。!?][^:\uff1a\n,.!?,。!?]{0,30})[:\uff1a](?!\d\d|//)\s*\S")
_QUESTION_END: Final = re.compile(r"[?？]\s*[\"'”’)）\]]*\s*$")
_TRAILING_NOTE: Final = re.compile(r"\s*\[[^\[\]\n]{0,300}\]\s*$")
_ASKS_WHEN: Final = re.compile(
    r"\b(when|(what|which) (date|day|month|year|time)|how long|how many (days|weeks|months|years))\b"
    r"|什么时候|何时|哪天|哪年|几号|多久|几月|时间",
    re.IGNORECASE,
)
_PERIODS: Final = "week|month|year|night|weekend|summer|fall|winter|spring|morning|past|mon|tue|wed|thu|fri|sat|sun"
_MONTHS: Final = "january|february|march|april|june|july|august|september|october|november|december"
_TIME: Final = re.compile(
    rf"\b(yesterday|today|tonight|tomorrow|(last|next|this) ({_PERIODS})\w*|ago|week|weekend|month|recently|just"
    rf"|on (mon|tues|wednes|thurs|fri|satur|sun)day|{_MONTHS}|\d{{4}}|since|for \w+ years)\b"
    r"|[昨今明后前]天|[上下本这](周|个月|星期)|周[一二三四五六日末]|星期[一二三四五六日天]|[去今明]年|\d+[年月日号]"
    r"|最近|刚刚|刚才",
    re.IGNORECASE,
)


def speaker_of(*, content: str, role: str, metadata: Mapping[str, Any]) -> str:
    """Who said it, case-folded: the metadata's ``speaker``, else a leading ``Name:``, else the role."""
    named = metadata.get("speaker")
    if not isinstance(named, str) or not named.strip():
        label = _LABEL.match(content)
        named = label[1] if label else role
    return fold(named).strip()[:MAX_SPEAKER_CHARACTERS]


def is_question(content: str) -> bool:
    """Whether the text ends by asking. A note in brackets behind it (the caption of a picture) does not count."""
    return bool(_QUESTION_END.search(_TRAILING_NOTE.sub("", content)[-40:]))


def has_time(content: str) -> bool:
    """Whether the text tells a time, in words or numbers."""
    return bool(_TIME.search(content))


def asks_when(query: str) -> bool:
    """Whether a query asks for a time."""
    return bool(_ASKS_WHEN.search(query))


def names(query: str, speaker: str) -> bool:
    """Whether a query names a speaker, as a whole word (or anywhere, for names without word boundaries)."""
    if not speaker:
        return False
    folded = fold(query)
    if speaker.isascii():
        return re.search(rf"\b{re.escape(speaker)}\b", folded) is not None
    return speaker in folded
