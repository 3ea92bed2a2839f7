# ruff: noqa: E501, SIM905 (patterns and word lists read best one alternative a line)
"""Anchors: what two texts must share as sets before one may count as the other, however close their vectors are.

Numbers, identifiers, dates, quoted strings, names, words that no dictionary knows, and denial. An embedding gives
.985 to "ORD-1 已付款" and "ORD-2 已付款".
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Final

from memplane.domain.resolve.wording import is_negated
from memplane.domain.text import fold, is_cjk
from memplane.domain.text.lexicon import STOP_WORDS_EN
from memplane.domain.text.normalise import clean
from memplane.domain.text.segment import segment_han

NOT: Final = "not"
"""The one anchor of denial."""

_CACHE_SIZE: Final = 8_192
_QUOTED: Final = re.compile(
    r"[「『“\"《](?P<text>[^「」『』“”\"《》\n]{1,80})[」』”\"》]|(?<![\w])['‘](?P<single>[^'‘’\n]{1,80})['’](?![\w])"
)
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s,,。;；]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_ID: Final = re.compile(
    r"(?<![a-z0-9])(?=[a-z0-9._/-]*[a-z])(?=[a-z0-9._/-]*\d)[a-z0-9]+(?:[-_./#][a-z0-9]+)*(?![a-z0-9])", re.ASCII
)
_MEASURED: Final = re.compile(
    r"\d+(?:\.\d+)?(?:k|m|km|kg|g|cm|mm|ml|l|h|hr|hrs|min|s|ms|gb|mb|tb|am|pm|st|nd|rd|th|usd|rmb|cny|eur|x|yr|yrs|d)",
    re.ASCII,
)
_WEEKDAYS_EN: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS_EN: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"
)  # fmt: skip
_DAY_EN: Final = r"(?:(?P<day_before>\d{1,2})(?:st|nd|rd|th)?(?: of)? )?"
_DATE: Final = re.compile(
    r"(?P<iso>\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}[日号]?|月))"
    r"|(?P<zh_day>\d{1,2}月(?:\d{1,2}[日号])?|(?<!\d)\d{1,2}[日号](?!店|楼|线))"
    r"|(?P<zh_week>(?:(?P<zh_which>[上下本这]{0,2}(?:个)?)(?:周|星期|礼拜)(?P<zh_weekday>[一二三四五六日天末])))"
    r"|(?P<zh_near>大?[前昨今明后][天日晚早]|[去今明]年|[上下本这]个?(?:月|周|星期|季度))"
    rf"|(?P<en_day>\b{_DAY_EN}(?:jan(?:uary)?|feb(?:ruary)?|march|mar(?= \d)|apr(?:il)?|may(?= \d)|(?<=in )may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?(?: (?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?\b)?)"
    r"|(?P<en_week>\b(?:(?:next|last|this) )?(?:mon|tues?|wed(?:nes)?|thur?s?|fri|satur|sun)(?:day)s?\b)"
    r"|(?P<en_near>\b(?:yesterday|today|tonight|tomorrow|(?:next|last|this) (?:week|weekend|month|year|quarter))\b)"
    r"|(?P<clock>\b\d{1,2}[:：]\d{2}(?: ?[ap]m)?\b|\b\d{1,2} ?[ap]\.?m\b\.?)"
    r"|(?P<zh_clock>(?P<zh_part>凌晨|早上|上午|中午|下午|晚上|傍晚)?(?P<zh_hour>\d{1,2}|[一二三四五六七八九十]{1,3})点(?:半|\d{1,2}分?)?(?!了|外|半?评))"
)
_NUMBER: Final = re.compile(
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<unit>[万亿千kK]?)(?P<percent>%?)"
)
_ZH_NUMBER: Final = re.compile(
    r"第?(?P<number>[二两三四五六七八九十百千]{1,4})(?P<unit>[万亿]?)(?=[个只名位次天周月年岁本张条台辆件人块元杯套间家份分小页层号点倍种]|$)"
)
_EN_NUMBERS: Final = {
    word: str(value)
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
        " twenty".split(),
        start=2,
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "thousand": "1000", "million": "1000000"}
_EN_NUMBER: Final = re.compile(rf"\b(?:{'|'.join(_EN_NUMBERS)})\b")
_ZH_DIGITS: Final = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2}
_SCALES: Final = {"": 1, "千": 1_000, "k": 1_000, "万": 10_000, "亿": 100_000_000}
_CAPITALISED: Final = re.compile(
    r"(?<![A-Za-z0-9_.@/-])[A-Z\u00c0-\u00de][A-Za-z\u00c0-\u024f]*(?:['’-][A-Z][A-Za-z]+)*(?![-_.#/]?\d)"
)
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?。！？\n:：,，、;；“\"「(（])\s*$")
_SURNAMES: Final = "赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢苏潘葛范彭鲁马方任袁柳史唐薛雷贺汤罗郝常于傅齐康余顾孟黄萧姚邵汪戴宋庞熊董梁杜江郭梅林钟徐邱骆高夏蔡田胡万卢莫丁邓洪崔龚程邢陆段侯武刘龙叶白赖乔廖曾"
_ZH_NAME: Final = re.compile(
    rf"[小老阿][{_SURNAMES}](?![\u4e00-\u9fff]?[店山镇村])|[{_SURNAMES}](?:总(?!结|体|共|数|量|是)|姐|哥|叔|阿姨|经理|老师|医生|律师|主任|女士|教授|师傅|工(?!作|具|程|资|厂))"
    rf"|(?:^|(?<=[,，。;；叫是和与跟找由给让]))[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}(?=的|是|在|说|去|来|要|负责|喜欢|不|住|已|会|有|，|,|$)"
)
_STARTERS: Final = STOP_WORDS_EN | frozenset(
    "user users please always never often usually also prefers prefer likes like loves love hates hate dislikes wants want needs need has"
    " lives works moved ordered order project customer client yes no ok okay today yesterday tomorrow tonight last next every some many since"
    " after before during when while if actually remember note use send reply report meeting deadline i'm i've i'd i'll it's let's don't"
    " does can't cannot not only just still currently recently now maybe there their new monday tuesday wednesday thursday friday saturday sunday"
    " january february march april may june july august september october november december mon tue wed thu fri sat sun am pm"
    " a an the his her my our your its two three four five six seven eight nine ten english chinese".split()
)
_LETTER: Final = re.compile(
    r"(?:(?<=[\u4e00-\u9fff])|(?<=[a-z] ))([A-HJ-Zb-hj-z]|A(?! [a-z]))(?![A-Za-z0-9+#'’-])|(?<=[\u4e00-\u9fff])(a)(?![A-Za-z0-9])"
)
_ODD_SHAPE: Final = re.compile(r"\w*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]*|(?i:[bcdfghjklmnpqrstvwxz]{4,})\b")
_LATIN: Final = re.compile(r"[A-Za-z][A-Za-z'’+#-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchors:
    """The anchors of one text, each kind a set, in one spelling ("12,000" = "1.2万", "March 3rd" = "3月3日")."""

    numbers: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    unknown_words: frozenset[str] = frozenset()
    """Words outside the vocabulary: Han runs that the dictionary does not join, Latin words of unusual shape."""
    negation: frozenset[str] = frozenset()


@functools.lru_cache(maxsize=_CACHE_SIZE)
def anchors(text: str) -> Anchors:
    """The anchors of ``text``. Never raises; a text without any has empty sets."""
    cleaned = clean(text)
    quoted = frozenset(fold(match["text"] or match["single"]).strip() for match in _QUOTED.finditer(cleaned))
    rest = fold(cleaned)
    ids, rest = _take_ids(rest)
    dates, rest = _take_dates(rest)
    return Anchors(
        numbers=_numbers(rest),
        ids=ids,
        dates=dates,
        quoted=quoted,
        names=_names(cleaned) | single_letters(cleaned),
        unknown_words=_unknown_words(cleaned),
        negation=frozenset({NOT}) if is_negated(cleaned) else frozenset(),
    )


def single_letters(text: str) -> frozenset[str]:
    """Letters that stand for a name: 客户A, Plan B. The pronoun I and an article are none."""
    return frozenset(f"letter {(match[1] or match[2]).lower()}" for match in _LETTER.finditer(text))


def _take_ids(folded: str) -> tuple[frozenset[str], str]:
    found: set[str] = set()

    def take(match: re.Match[str]) -> str:
        if _MEASURED.fullmatch(match[0]) or _DATE.fullmatch(match[0]):
            return match[0]
        found.add(match[0].strip("./"))
        return " "

    rest = _ID.sub(take, _ADDRESS.sub(take, folded))
    return frozenset(found), rest


def _take_dates(folded: str) -> tuple[frozenset[str], str]:
    found: set[str] = set()

    def take(match: re.Match[str]) -> str:
        found.add(_date(match))
        return " "

    rest = _DATE.sub(take, folded)
    return frozenset(found), rest


def _date(match: re.Match[str]) -> str:  # noqa: PLR0911 (one answer a line reads best)
    text = match[0].strip()
    match match.lastgroup:
        case "iso":
            return "-".join(f"{int(part):02}" for part in re.findall(r"\d+", text))
        case "zh_day":
            return (
                "-".join(f"{int(part):02}" for part in re.findall(r"\d+", text)) if "月" in text else f"day {text[:-1]}"
            )
        case "zh_week":
            weekday = "一二三四五六日末".find(match["zh_weekday"].replace("天", "日")) + 1
            which = {"上": "last ", "下": "next "}.get(match["zh_which"][:1], "")
            return f"{which}weekday {weekday}"
        case "en_day":
            month = next(
                index
                for index, name in enumerate(_MONTHS_EN, 1)
                if text.lstrip("0123456789 stndrhof").startswith(name[:3]) or name[:3] in text
            )
            day = match["day_before"] or match["day_after"]
            return f"{month:02}-{int(day):02}" if day else f"{month:02}"
        case "en_week":
            words = text.split()
            weekday = next(index for index, name in enumerate(_WEEKDAYS_EN, 1) if name.startswith(words[-1][:3]))
            which = f"{words[0]} " if len(words) > 1 and words[0] != "this" else ""
            return f"{which}weekday {weekday}"
        case "clock":
            return _clock(text)
        case "zh_clock":
            hour = match["zh_hour"]
            number = int(hour) if hour.isdigit() else _zh_value(hour)
            late = match["zh_part"] in {"下午", "晚上", "傍晚"} and number < 12
            minutes = "30" if "半" in text else (re.findall(r"点(\d{1,2})", text) or ["00"])[0]
            return f"{number + 12 * late:02}:{int(minutes):02}"
        case _:
            return text


def _clock(text: str) -> str:
    parts = re.findall(r"\d+", text)
    hour, minute = int(parts[0]), int(parts[1]) if len(parts) > 1 else 0
    if "p" in text and hour < 12:
        hour += 12
    return f"{hour:02}:{minute:02}"


def _numbers(folded: str) -> frozenset[str]:
    found = {_number(match) for match in _NUMBER.finditer(folded)}
    found.update(_EN_NUMBERS[match[0]] for match in _EN_NUMBER.finditer(folded))
    for match in _ZH_NUMBER.finditer(folded):
        found.add(str(_zh_value(match["number"]) * _SCALES[match["unit"]]))
    return frozenset(found)


def _number(match: re.Match[str]) -> str:
    value = float(match["digits"].replace(",", "")) * _SCALES[match["unit"].lower()]
    return (f"{value:.6f}".rstrip("0").rstrip(".")) + match["percent"]


def _zh_value(text: str) -> int:
    total, digit = 0, 0
    for char in text:
        if char in "十百千":
            total += (digit or 1) * {"十": 10, "百": 100, "千": 1_000}[char]
            digit = 0
        else:
            digit = _ZH_DIGITS.get(char, 0)
    return total + digit


def _names(text: str) -> frozenset[str]:
    """Chinese people by surname, and capitalised words; at a sentence's start only those that start no usual one."""
    found = {match[0] for match in _ZH_NAME.finditer(text)}
    for match in _CAPITALISED.finditer(text):
        word = fold(match[0]).removesuffix("'s").rstrip("'")
        if len(word) < 2 or word in _STARTERS or any(char.isdigit() for char in word):
            continue
        if _SENTENCE_START.search(text[: match.start()]) and word.endswith(("ing", "ed")):
            continue
        found.add(word)
    return frozenset(found)


def _unknown_words(text: str) -> frozenset[str]:
    """Latin words of odd shape or inside Chinese, and runs of Han characters that the dictionary leaves single."""
    among_han = any(map(is_cjk, text))
    found = {
        fold(match[0]).removesuffix("'s")
        for match in _LATIN.finditer(text)
        if len(match[0]) > 1 and (among_han or _ODD_SHAPE.fullmatch(match[0])) and fold(match[0]) not in _STARTERS
    }
    for run in re.findall(r"[\u3400-\u9fff]+", text):
        single = ""
        for word in [*segment_han(run), "  "]:
            if len(word) == 1 and word not in _COMMON_SINGLES:
                single += word
                continue
            if len(single) > 1:
                found.add(single)
            single = ""
    return frozenset(found)


# Characters that stand alone in ordinary Chinese: verbs, particles, measure words.
_COMMON_SINGLES: Final = frozenset(
    "的了是在有和与就都也还又很太把被给让从向对于以为这那我你他她它们不没要会能想去来到说看吃喝用做住买卖点个只名位家条次天周月年岁一二三四五六七八九十百千万两"
    "几多少大小好坏新旧高低长短快慢早晚上下左右前后里外中间内东西南北人事物钱车房书菜饭茶酒水狗猫鱼肉辣甜咸苦酸冷热红黄蓝绿黑白爱怕恨养带走跑飞坐站开关打写读听学教"
    "问答叫请再更最只别过着得地而且但或及其之所每各该本某另等如若因由用才并仍已将正常曾刚便却改换发送订付退收找选定做是件套份张台辆本间层号楼路店馆室厅区市省县村镇块元分秒时刻款型版号"
)
