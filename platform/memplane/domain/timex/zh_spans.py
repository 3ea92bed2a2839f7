"""Chinese rules that count from now: 三天前, 两周后, 半年前, 最近三个月, 未来两周, 最近, 前几天."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.atoms import Anchor, Rule, Window, rule
from memplane.domain.timex.calendar import rolling, shifted
from memplane.domain.timex.numerals import ZH_NUMBER, zh_number
from memplane.domain.timex.vague import few, recent
from memplane.domain.timex.values import Kind

_UNITS: Final = {
    "分钟": "minute", "小时": "hour", "钟头": "hour", "天": "day", "日": "day", "周末": "weekend", "周": "week",
    "星期": "week", "礼拜": "week", "月": "month", "年": "year",
}  # fmt: skip
# "三个月前" is a count, "3月前" is before March.
_UNIT: Final = r"个?(?P<u>分钟|小时|钟头|天|日|周末|周|星期|礼拜|(?<=个)月|年)"
_COUNT: Final = rf"(?P<n>{ZH_NUMBER})\s?{_UNIT}"
_LEFT: Final = r"(?<![A-Za-z0-9_.第每零〇一二两三四五六七八九十百])"
_BEFORE: Final = r"(?:之前|以前|前)(?![台端排往进提])"
_AFTER: Final = r"(?:之后|以后|后)(?![端台])"
_OPENING: Final = frozenset("在于就再约大是,，。;；、:：!！?？ \n") | {""}


def _count(match: re.Match[str]) -> int | None:
    number = zh_number(match["n"])
    return number if number > 0 else None


def _at(direction: int, match: re.Match[str], anchor: Anchor) -> Window | None:
    number = _count(match)
    # "工作一天后" is after a day of work.
    if number == 1 and direction > 0 and match.string[: match.start()][-1:] not in _OPENING:
        return None
    return None if number is None else shifted(anchor, _UNITS[match["u"]], direction * number)


def _during(direction: int, match: re.Match[str], anchor: Anchor) -> Window | None:
    number = _count(match)
    return None if number is None else rolling(anchor, _UNITS[match["u"]], direction * number)


def _within(match: re.Match[str], anchor: Anchor) -> Window | None:
    return _during(-1 if anchor.prefer == "past" else 1, match, anchor)


def _half(match: re.Match[str], anchor: Anchor) -> Window:
    direction = 1 if "后" in match["dir"] else -1
    if match["u"] == "年":
        return shifted(anchor, "month", 6 * direction)
    if match["u"] == "月":
        return shifted(anchor, "day", 15 * direction)
    return shifted(anchor, "minute", 30 * direction)


def _last_half_year(_: re.Match[str], anchor: Anchor) -> Window:
    return rolling(anchor, "month", -6)


def _few(match: re.Match[str], anchor: Anchor) -> Window:
    return few(anchor, _UNITS[match["u"]], 1 if "后" in match["dir"] else -1)


def _few_ago(match: re.Match[str], anchor: Anchor) -> Window:
    return few(anchor, _UNITS[match["u"]], -1)


def _few_ahead(match: re.Match[str], anchor: Anchor) -> Window:
    return few(anchor, _UNITS[match["u"]], 1)


def _these_days(_: re.Match[str], anchor: Anchor) -> Window:
    return rolling(anchor, "day", 7 if anchor.prefer == "future" else -7)


def _recent(_: re.Match[str], anchor: Anchor) -> Window:
    return recent(anchor)


def _a_while_ago(_: re.Match[str], anchor: Anchor) -> Window:
    window = rolling(anchor, "day", -60)
    return Window(window.lo, window.hi, window.grain, Kind.VAGUE)


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_LEFT}{_COUNT}{_BEFORE}", lambda match, anchor: _at(-1, match, anchor)),
    rule(rf"{_LEFT}{_COUNT}{_AFTER}", lambda match, anchor: _at(1, match, anchor)),
    rule(rf"{_LEFT}{_COUNT}(?:之内|以内|内)(?![存部容外])", _within),
    rule(rf"{_LEFT}{_COUNT}(?:以来)", lambda match, anchor: _during(-1, match, anchor)),
    rule(rf"(?:过去|最近|近)的?{_COUNT}(?:里|内|来|以来)?", lambda match, anchor: _during(-1, match, anchor)),
    rule(rf"(?:未来|今后|接下来|往后|接下去)的?{_COUNT}(?:里|内)?", lambda match, anchor: _during(1, match, anchor)),
    rule(rf"半(?:个)?(?P<u>年|月|小时|钟头)(?P<dir>{_BEFORE}|{_AFTER})", _half),
    rule(r"(?:最近|过去|近)的?半年(?:里|内|来|以来)?", _last_half_year),
    rule(rf"(?:好几|几|数){_UNIT}(?P<dir>{_BEFORE}|{_AFTER})", _few),
    rule(rf"(?<![以之目从])前(?:几|两){_UNIT}(?![内里])", _few_ago),
    rule(rf"(?:过|再过)(?:几|两){_UNIT}", _few_ahead),
    rule(r"(?:这|最近这|最近)(?:几|两)天", _these_days),
    rule(r"(?:前阵子|前一阵子?|前段时间|前一段时间|前些天|前些日子)", _a_while_ago),
    rule(r"(?:最近|近期|近来|近日|近些天|这阵子|这段时间|这段日子)", _recent),
)
