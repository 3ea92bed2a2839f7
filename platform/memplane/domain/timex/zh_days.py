"""Chinese rules for days and weeks: 昨天, 今晚, 下周三, 这周末, 16号."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.atoms import Anchor, Rule, Window, rule
from memplane.domain.timex.calendar import DAY, days, monday, week, weekend
from memplane.domain.timex.dayparts import part_of
from memplane.domain.timex.named import named_day, named_weekday, named_weekend
from memplane.domain.timex.numerals import ZH_NUMBER, zh_number

_DAYS: Final = {
    "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨儿": -1, "今天": 0, "今日": 0, "今儿": 0,
    "明天": 1, "明日": 1, "明儿": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
_SHORT: Final = {"前": -2, "昨": -1, "今": 0, "明": 1, "后": 2}
_WEEKS: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_WEEKDAYS: Final = (
    {char: index for index, char in enumerate("一二三四五六日")}
    | {"天": 6}
    | {str(index + 1): index for index in range(6)}
)
_WEEK: Final = r"(?:周|星期|礼拜)"
# "下周一起去" is next week, "下周三个会" too, "下周日程" as well; "下周一下午" is a Monday.
_WEEKDAY: Final = (
    r"(?P<wd>一(?![起直定样些边般切共生路旦])(?!下(?!午))"
    r"|[二三四五六1-6](?![\d:.]|小时|天|年|月|号|日|点|周|星期)"
    r"|日(?![程本期常报语子元志用后夜前渐])|天(?![气天空]))(?![个次场位名遍件条章])"
)
_NOT_REPEATED: Final = r"(?<![每逢隔单双整一二两三四五六七八九十几半第\d])(?<!每个)(?<!每一)(?<!每逢)"


def _day(match: re.Match[str], anchor: Anchor) -> Window:
    return days(anchor.today + _DAYS[match.group()] * DAY, 1)


def _short(match: re.Match[str], anchor: Anchor) -> Window:
    day = anchor.today + _SHORT[match["d"]] * DAY
    return part_of(day, {"早": "早上", "晨": "早上", "晚": "晚上", "夜": "晚上"}[match["p"]])


def _week(match: re.Match[str], anchor: Anchor) -> Window:
    return week(anchor.today, _WEEKS[match["w"]])


def _week_day(match: re.Match[str], anchor: Anchor) -> Window:
    shift = 7 * _WEEKS[match["w"]] + _WEEKDAYS[match["wd"]]
    return days(monday(anchor.today) + shift * DAY, 1)


def _week_end(match: re.Match[str], anchor: Anchor) -> Window:
    return weekend(anchor.today, _WEEKS[match["w"]])


def _weekend(_: re.Match[str], anchor: Anchor) -> Window:
    return named_weekend(anchor)


def _weekday(match: re.Match[str], anchor: Anchor) -> Window:
    return named_weekday(anchor, _WEEKDAYS[match["wd"]])


def _day_of_month(match: re.Match[str], anchor: Anchor) -> Window | None:
    number = zh_number(match["n"])
    if not 1 <= number <= 31:
        return None
    return named_day(anchor, number)


RULES: Final[tuple[Rule, ...]] = (
    rule("|".join(sorted((name for name in _DAYS if name != "后天"), key=len, reverse=True)), _day),
    rule("后天(?!的?(?:[性培养形成]|因素|环境|努力|条件))", _day),
    rule(r"(?P<d>[前昨今明后])(?P<p>[早晨晚夜])(?![点餐饭])", _short),
    rule(rf"(?P<w>上上|下下|上|下|这|本)个?{_WEEK}(?!年|边|围|期|转|刊|报|折)", _week),
    rule(rf"(?P<w>上上|下下|上|下|这|本)个?(?:{_WEEK}的)?{_WEEK}{_WEEKDAY}", _week_day),
    rule(r"(?P<w>上上|下下|上|下|这|本)个?(?:周末|星期末|礼拜末)", _week_end),
    rule(rf"{_NOT_REPEATED}{_WEEK}{_WEEKDAY}", _weekday),
    rule(rf"{_NOT_REPEATED}周末", _weekend),
    rule(
        rf"(?<![A-Za-z0-9第月零〇一二两三四五六七八九十百])(?P<n>{ZH_NUMBER})号(?![楼线门机店院桌房馆厅柜车仓码召称令角外公栋厂台箱选球员种文炉岛坑技])",
        _day_of_month,
    ),
)
