# ruff: noqa: E501, SIM905 (patterns read best one alternative a line)
"""What turns of a conversation mention by name: cheap, by shape, without a model or a dictionary.

Found are quoted strings, book and film titles in 《》, identifiers, capitalised names inside a sentence, Chinese names
of places and organisations by their last word, and people by surname and title. A name that has no shape (太古里) is
missed unless it is quoted: the session's topic and state speak for those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from memplane.domain.text import clean, fold
from memplane.domain.text.lexicon import STOP_WORDS_EN

MAX_ENTITIES: Final = 16
"""Entities that are kept of a conversation: the last mentioned."""
MAX_TURN_CHARACTERS: Final = 2_000
"""Characters of one turn that are read."""


class EntityKind(StrEnum):
    """What a name can be told to be by its shape."""

    PERSON = "person"
    PLACE = "place"
    """A shop, restaurant, hotel, company or other place one can go to or call."""
    TITLE = "title"
    RECORD = "record"
    """An order, a ticket, anything with a number."""


_PLACE_ZH: Final = r"(?:餐厅|饭店|酒店|宾馆|民宿|酒吧|咖啡馆|咖啡厅|火锅店|烤肉店|书店|药店|超市|商场|公司|医院|诊所|银行|大学|中学|小学|学校|健身房|机场|火车站|公园|广场|小区|大厦|博物馆|店|馆)"
_THING_ZH: Final = r"(?:项目|方案|合同|套餐|系统)"
_TITLE_ZH: Final = r"(?:总|姐|哥|叔|阿姨|经理|老师|医生|律师|主任|先生|女士|教授|师傅)"
_SURNAME: Final = r"[赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢苏潘葛范彭鲁马方任袁柳史唐薛雷贺汤罗郝常于傅齐康余顾孟黄萧姚邵汪戴宋庞熊董梁杜江郭梅林钟徐邱骆高夏蔡田胡万卢莫丁邓洪崔龚程邢陆段侯武刘龙叶白赖乔廖曾]"
_MENTION: Final = re.compile(
    r"(?P<title>《[^《》]{1,40}》)"
    r"|[「『“](?P<quoted>[^「」『』“”\n]{1,40})[」』”]|(?<![\w\"])\"(?P<plain>[^\"\n]{1,40})\""
    r"|(?<![A-Za-z0-9])(?P<record>(?:[A-Za-z]{1,10}[-_#]?|#)\d{2,}(?:[-_]?[A-Za-z0-9]+){0,6})(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])(?P<name>(?:(?:Mr|Mrs|Ms|Dr)\.? )?[A-Z][A-Za-z0-9\u00c0-\u024f&]*(?:[’'-][A-Z][A-Za-z\u00c0-\u024f]+)?"
    r"(?: (?:of |the |de |da )?[A-Z0-9][A-Za-z0-9\u00c0-\u024f&]*(?:[’'-][A-Z][A-Za-z]+)?){0,4})"
    rf"|(?P<person>(?:小|老){_SURNAME}(?![\u4e00-\u9fff]?(?:店|山|镇|村))|{_SURNAME}{_TITLE_ZH}(?!结|体|共|数|量))"
    rf"|(?P<place>[\u4e00-\u9fff]{{1,12}}?(?:{_PLACE_ZH}|{_THING_ZH}))"
)
# Where a Chinese name cannot reach back over: verbs, particles, pronouns, measure words.
_LEFT_OF_NAME: Final = re.compile(
    r".*(?:[这那哪一每几]家|附近|推荐|最近|今天|明天|昨天|上次|预订|对比|关于|确认|[的了在去到是和与跟把被给从想订定吃看买喝找选那这哪有我你您他她它们很就都也还过好吗呢吧啊请帮约来住叫做用签个])"
)
_SENTENCE_END: Final = re.compile(r"(?:^|[.!?。！？\n:：])\s*[\"'“(\[<>]*\s*$")
_PERSON: Final = re.compile(rf"(?:Mr|Mrs|Ms|Dr)\.? [A-Z]|(?:小|老)?{_SURNAME}{_TITLE_ZH}$|(?:小|老){_SURNAME}$")
_PLACE_EN: Final = re.compile(
    r"\b(?:restaurant|hotel|inn|cafe|café|coffee|store|shop|bar|bistro|diner|mall|market|hospital|clinic|bank|university|school|inc|ltd|llc|corp|company|airport|station|park|museum|gym)\b",
    re.IGNORECASE,
)
_ENDS_AS_PLACE: Final = re.compile(rf"{_PLACE_ZH}$")
_HAS_NUMBER: Final = re.compile(r"^#?[A-Za-z]{0,10}[-_#]?\d{2,}[\w-]*$")
_NO_NAMES: Final = STOP_WORDS_EN | frozenset(
    "ok okay yes no hi hello hey thanks thank please sorry sure great good well monday tuesday wednesday thursday friday"
    " saturday sunday january february march april may june july august september october november december today"
    " tomorrow yesterday mr mrs ms dr user assistant can could will would should let maybe".split()
)


def entities_of(turns: Sequence[str]) -> tuple[str, ...]:
    """Return what `turns` (oldest first) mention, each once, the last mentioned last, at most `MAX_ENTITIES`.

    Titles keep their 《》, which tell what they are; other quotation marks go. Never raises.
    """
    found: dict[str, str] = {}
    for turn in turns:
        for name in _names(clean(turn[:MAX_TURN_CHARACTERS])):
            key = fold(name)
            found.pop(key, None)
            found[key] = name
    return tuple(found.values())[-MAX_ENTITIES:]


def kind_of(entity: str) -> EntityKind | None:
    """Return what `entity` is as far as its shape tells, else None."""
    if entity.startswith("《"):
        return EntityKind.TITLE
    if _HAS_NUMBER.match(entity):
        return EntityKind.RECORD
    if _ENDS_AS_PLACE.search(entity) or _PLACE_EN.search(entity):
        return EntityKind.PLACE
    return EntityKind.PERSON if _PERSON.match(entity) else None


def _names(text: str) -> list[str]:
    names: list[str] = []
    for match in _MENTION.finditer(text):
        group = match.lastgroup
        if group == "name":
            name = _without_opening(match[0], opens=_SENTENCE_END.search(text[: match.start()]) is not None)
        elif group == "place":
            name = _trimmed(match[0])
        else:
            name = match[group or 0].strip()
        if name:
            names.append(name)
    return names


def _without_opening(name: str, *, opens: bool) -> str:
    """Return a capitalised run without words that are capitalised for their place; empty when none is left."""
    words = name.split(" ")
    while (
        words and fold(words[0]).split("'")[0].rstrip(".") in _NO_NAMES and not words[0].startswith(("Mr", "Ms", "Dr"))
    ):
        words, opens = words[1:], False
    while words and (fold(words[-1]) in _NO_NAMES):
        words = words[:-1]
    # One capitalised word that opens a sentence is an ordinary word, unless it has more capitals ("ClickHouse").
    if len(words) == 1 and opens and not any(char.isupper() or char.isdigit() for char in words[0][1:]):
        return ""
    return " ".join(words) if words and len("".join(words)) > 1 else ""


def _trimmed(run: str) -> str:
    """Return a Chinese name from its last word back to the first character that cannot be part of it."""
    suffix = re.search(rf"(?:{_PLACE_ZH}|{_THING_ZH})$", run)
    if suffix is None:
        return ""
    stem = run[: suffix.start()]
    left = _LEFT_OF_NAME.match(stem)
    stem = stem[left.end() :] if left else stem
    return stem + suffix[0] if stem else ""
