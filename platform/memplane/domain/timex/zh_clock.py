"""Chinese rules for times of day: 下午三点半, 9点一刻, 早上9:30, 晚上."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.atoms import Anchor, Clock, Rule, rule
from memplane.domain.timex.dayparts import ZH_PARTS, clock_of, in_part
from memplane.domain.timex.numerals import zh_number
from memplane.domain.timex.values import Grain

_HOUR: Final = r"(?P<h>2[0-4]|1\d|0?\d|二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九])"
_TENS: Final = r"[二三四五]?十[一二三四五六七八九]?"
_MINUTE: Final = (
    r"(?P<mi>半|整|一刻|三刻"
    rf"|(?:[0-5]?\d|{_TENS}|零?[一二三四五六七八九])分(?![钟数])|[0-5]\d(?!\d)|{_TENS}(?![个人件分]))"
)
_LEFT: Final = r"(?<![A-Za-z0-9_.:零一二两三四五六七八九十第有])"
# "三点建议" are three points and "一点都不" is not at all: what is counted must not follow.
_POINT: Final = r"点(?!(?<=一点)[都也事儿不没小滴])"
_NO_POINTS: Final = r"(?![意建要原理内注说好疑想看共收启体心几])"


def _minute(text: str | None) -> int:
    if text is None or text == "整":
        return 0
    named = {"半": 30, "一刻": 15, "三刻": 45}
    return named[text] if text in named else zh_number(text.removesuffix("分"))


def _clock(match: re.Match[str], _: Anchor) -> Clock | None:
    hour, minute = zh_number(match["h"]), _minute(match["mi"])
    if hour > 24 or minute > 59:
        return None
    part = match.groupdict().get("p")
    half = None
    if part:
        hour, half = in_part(hour, part), clock_of(part).half
    start = hour * 60 + minute
    exact = match["mi"] is not None and match["mi"] != "整"
    grain = Grain.MINUTE if exact else Grain.HOUR
    return Clock(start, start + (1 if exact else 60), grain, 12 if hour > 12 else half, guess=part is None)


def _digital(match: re.Match[str], _: Anchor) -> Clock:
    hour = in_part(int(match["h"]), match["p"])
    start = hour * 60 + int(match["mi"])
    return Clock(start, start + 1, Grain.MINUTE, clock_of(match["p"]).half)


def _part(match: re.Match[str], _: Anchor) -> Clock:
    return clock_of(match["p"])


def _bare(match: re.Match[str], _: Anchor) -> Clock | None:
    hour = zh_number(match["h"])
    if hour > 24:
        return None
    # "一点" is mostly "a little": an hour only beside a day.
    weak = hour == 1 and not match["o"]
    return Clock(hour * 60, hour * 60 + 60, Grain.HOUR, 12 if hour > 12 else None, guess=True, weak=weak)


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"(?P<p>{ZH_PARTS})的?\s?{_HOUR}\s?(?:{_POINT}钟?|时(?![间候代常]))\s?{_MINUTE}?", _clock),
    rule(rf"(?P<p>{ZH_PARTS})的?\s?(?P<h>[01]?\d|2[0-3]):(?P<mi>[0-5]\d)(?!\d)", _digital),
    rule(rf"{_LEFT}{_HOUR}\s?点钟?\s?{_MINUTE}(?![心滴])", _clock),
    rule(rf"{_LEFT}{_HOUR}\s?(?:点(?P<o>钟)|{_POINT}{_NO_POINTS})", _bare),
    rule(rf"(?P<p>{ZH_PARTS.replace('|早|晚', '')})(?![餐饭])", _part),
)
