# ruff: noqa: E501 (patterns and tables)
"""Sentences and clauses of a turn, with what is certain about each: asked, supposed, reported, or said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memplane.domain.text import clean

MAX_CHARACTERS: Final = 4_000
"""How much of a turn is read; statements of a user stand early, long pastes do not state."""
MAX_SENTENCES: Final = 40
MAX_CLAUSES: Final = 12
MAX_CLAUSE_CHARACTERS: Final = 240
"""A clause beyond this length is a paste, not something said."""

_SENTENCE: Final = re.compile(r"[^。！？!?\n；;]+?(?:[。！？!?；;\n]+|\.(?=\s|$)+|$)")
_ABBREVIATION: Final = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof|St|Inc|Ltd|Co|No|vs|approx|e\.g|i\.e)\.(?=\s)")
_ZH_BREAK: Final = re.compile(r"[，,]\s*(?!\d{3}\b)|\s{2,}")
_EN_BREAK: Final = re.compile(
    r",\s+(?!and\s+not\b|not\s+\w+$|\d|but\s+not\b)|\s+[-–—]+\s+"
    r"|\s+(?=(?:and|but|so|because)\s+(?:I|we|my|our|it|that|the|this|they)(?:\b|'))|\s+(?=because\s|since\s+it\b)",
    re.IGNORECASE,
)
_PASTE_CHARACTERS: Final = 800
_LISTED: Final = re.compile(r"^[ \t]*(?:[#>|*`•]|-\s|\d{1,3}[.)]\s).*$", re.MULTILINE)
"""Headings, list items and code of a long turn: a pasted document, nothing that its sender says of themselves."""
_CJK: Final = re.compile(r"[\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_QUOTED: Final = re.compile(r"“[^”]{0,200}”|「[^」]{0,200}」|『[^』]{0,200}』|\"[^\"]{3,200}\"|《[^》]{0,60}》")
_ASKS_ZH: Final = re.compile(
    r"(?:吗|呢|么|不|没|没有|来着|否)[\s?？]*$|^(?:请问|为什么|为何|怎么|怎样|如何|什么|哪|谁|几点|多少|能不能|可不可以|可以不|是不是|有没有|要不要|会不会|你觉得|您觉得|你知道|你还?记得|能否|是否)"
    r"|(?:什么|怎么|哪(?:里|儿|家|个|些|种|天)|多少|为什么|谁|几点)$|(?:什么|怎么|如何)(?:样|办|做|写|说|走|去|用|弄|回事)"
)
_ASKS_EN: Final = re.compile(
    r"^\W*(?:(?:and|so|but|well|hey|hi|ok|okay|also|then)[\s,]+)*(?:what|why|how|when|where|who|whom|whose|which|can|could|would|will|do|does|did|is|are|am|was|were|have|has|had|should|shall|may|might|isn't|aren't|don't you|doesn't|didn't|any)\b(?!\s*(?:\w+\s+)?(?:ever|always|never)\b)",
    re.IGNORECASE,
)
_POLITE_RULE: Final = re.compile(
    r"^(?:can|could|would|will) you (?:please )?(?P<en>(?!help|tell me|show me|explain|suggest|figure|think)(?=.*\b(?:from now on|going forward|in (?:the )?future|always|never|by default)\b).+)$"
    r"|^(?:(?:你|您)?(?:能不能|可不可以|可以|能|麻烦你?|请)[，,]?)?(?P<zh>(?:以后|今后|从现在起|从现在开始|每次).{2,}?)(?:可以|行|好)?(?:吗|不|么)?$",
    re.IGNORECASE,
)
"""A rule for the time to come, put as a polite question."""
_SUPPOSED_ZH: Final = re.compile(
    r"^(?:那|那么|但|但是|不过|其实|可是)?(?:如果|要是|假如|假设|假使|万一|倘若|若是|若|设想|比如说|比方说|打个比方|换作|换做)|的话[，,]"
)
_SUPPOSED_EN: Final = re.compile(
    r"^\W*(?:(?:but|and|so|well|ok|okay)[\s,]+)?(?:if\b(?!\s+(?:possible|needed|you (?:can|could)))|suppose\b|supposing\b|imagine\b|assume\b|assuming\b|let's say\b|what if\b|hypothetically\b|say I\b|were I\b|had I\b|unless\b)|\bif I were\b|\bif I was\b",
    re.IGNORECASE,
)
_REPORTED_ZH: Final = re.compile(
    r"(?:[他她它]们?|老板|领导|朋友|同事|老师|医生|客户|有人|别人|大家|网上|网友|网上有人|人家|据|听|妈妈?|爸爸?|老婆|老公|妻子|丈夫|经理|[\u4e00-\u9fff]总|小[\u4e00-\u9fff]|老[\u4e00-\u9fff])(?:们|有人)?(?:都|总|跟我|和我|对我|告诉我|刚才?|昨天)*(?:说|讲|问|提到|表示|认为|觉得|告诉我|写道|建议|要求我)|^(?:听说|据说|据悉|传说)"
)
_REPORTED_EN: Final = re.compile(
    r"\b(?:he|she|they|people|someone|somebody|everyone|everybody|boss|manager|friend|wife|husband|mom|mum|mother|dad|father|colleague|coworker|doctor|teacher|client|customer|[A-Z][a-z]+)"
    r"(?:\s+(?:just|also|always|online|once))*\s+(?:says?|said|told|asked|asks|thinks?|thought|claims?|claimed|mentioned|suggested|wrote|believes?)\b"
    r"|\b(?:I (?:just |also )?(?:heard|read)|rumou?r has it|apparently|according to)\b",
)
_THIRD_ZH: Final = re.compile(r"^(?:[他她它]们?|对方|人家|小[\u4e00-\u9fff]|别人|大家|网友)")
_THIRD_EN: Final = re.compile(r"^\W*(?:he|she|they|people|everyone|somebody|someone)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause that states something, and the sentence from there on."""

    text: str
    rest: str


def is_chinese(text: str) -> bool:
    """Whether any character is CJK: Chinese with Latin names in it is Chinese."""
    return _CJK.search(text) is not None


def stated(text: str) -> list[list[Part]]:
    """The clauses of each sentence of ``text`` that are stated: not asked, supposed, quoted or told of others.

    Reads at most ``MAX_CHARACTERS``. A question behind a statement ("I'm vegetarian, what can I eat?") leaves the
    statement; a supposition takes its whole sentence along; what somebody else said, all that follows it.
    """
    if len(text) > _PASTE_CHARACTERS:
        text = _LISTED.sub("", text[:MAX_CHARACTERS])
    visible = _ABBREVIATION.sub("\\1\u2024", _QUOTED.sub(_quoted, clean(text[:MAX_CHARACTERS])))
    sentences: list[list[Part]] = []
    for match in _SENTENCE.finditer(visible):
        raw = match[0].strip()
        if raw and len(sentences) < MAX_SENTENCES:
            parts = _stated_clauses(raw)
            if parts:
                sentences.append(parts)
    return sentences


def _quoted(match: re.Match[str]) -> str:
    """A quotation as it is where it is short enough to be a name or a term, else gone."""
    inner = match[0][1:-1]
    titled = inner.isascii() and all(word[:1].isupper() or len(word) < 4 for word in inner.split())
    return (
        match[0] if match[0][0] == "《" or titled or len(inner) <= 4 or (inner.isascii() and " " not in inner) else " "
    )


def _stated_clauses(sentence: str) -> list[Part]:
    asked = sentence[-1] in "?？"
    body = sentence.strip(" \t\r\n。！？!?；;.~～…").replace("\u2024", ".")
    chinese = is_chinese(body)
    if not body or (_SUPPOSED_ZH if chinese else _SUPPOSED_EN).search(body):
        return []
    spans = _clause_spans(body, _ZH_BREAK if chinese else _EN_BREAK)
    parts: list[Part] = []
    for index, (start, end) in enumerate(spans):
        clause = body[start:end].strip()
        if (_REPORTED_ZH if chinese else _REPORTED_EN).search(clause):
            break
        last = index == len(spans) - 1
        rule = _POLITE_RULE.match(clause)
        if rule and (asked or _asks(clause, chinese)):
            told = rule["en"] or rule["zh"]
            parts.append(Part(text=told, rest=told))
            continue
        if (asked and last) or _asks(clause, chinese) or not clause or len(clause) > MAX_CLAUSE_CHARACTERS:
            continue
        if (_THIRD_ZH if chinese else _THIRD_EN).match(clause):
            continue
        until = spans[-2][1] if asked and len(spans) > 1 else len(body)
        parts.append(Part(text=clause, rest=body[start:until].lstrip()))
    return parts


def _asks(clause: str, chinese: bool) -> bool:
    return bool(_ASKS_ZH.search(clause)) if chinese else bool(_ASKS_EN.match(clause))


def _clause_spans(body: str, breaks: re.Pattern[str]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for match in breaks.finditer(body):
        if match.start() > start:
            spans.append((start, match.start()))
        start = match.end()
        if len(spans) == MAX_CLAUSES - 1:
            break
    if start < len(body):
        spans.append((start, len(body)))
    return spans
