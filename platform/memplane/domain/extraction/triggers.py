# ruff: noqa: E501 (patterns)
"""Marks that a clause carries: an instruction to remember, a rule for the time to come, change, denial, condition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memplane.domain.extraction.words import ExtractionWords
from memplane.domain.text import fold

_REMEMBER_ZH: Final = re.compile(
    r"^(?:那|对了|嗯|请你?|麻烦(?:你|您)?|你|您|一定要?|要|务必|千万|帮我|替我|给我|先|可以|顺便|还有|另外|[，,\s])*"
    r"(?:记住(?:了|一下)?|牢记|记得(?!我|上次|之前|那|吗)|记一下|记下来?|记个(?:笔记|事)|备注一下|备忘|别忘了?|不要忘了?|存一下|保存一下|注意(?:一下)?[：:，,])\s*[：:，,、]?\s*"
)
_STANDING_ZH: Final = re.compile(
    r"^(?:那|对了|嗯|请你?|麻烦(?:你|您)?|你|您|我们?|咱们|[，,\s])*"
    r"(?P<mark>以后(?!再(?:说|看|聊|议|考虑)|有(?:机会|空|时间)|可能|会|也许|的事|想|我?打算)(?:都|也|请|就|每次|凡是)*|今后|从现在(?:开始|起)|从今(?:天|以后|往后|天起|天开始)?(?:起|开始)?|往后|从此(?:以后)?|下次(?=都|别|不要|记得|请|直接|用|先)|每次|每回|每当|永远(?=不要|别|用|都)|一律|默认(?=用|是|按|为|都)|凡是|总是(?=用|按|给|发|把))\s*[，,：:]?\s*"
)
_AGAIN_ZH: Final = re.compile(r"^(?:请|你|您|麻烦|拜托|[，,\s])*(?:别再|不要再|再也(?:别|不要)|请勿再|不用再)")
_DAILY_ZH: Final = re.compile(
    r"^(?:我|我们|请)?(?:需要)?每(?:天|日|周|月|晚|早)(?:[^，,]{0,8}?)(?:需要|给我|发|提醒|汇报|要|推送|汇总)"
)
_REMEMBER_EN: Final = re.compile(
    r"^(?:(?:please|pls|also|and|so|ok|okay|hey|oh|just|you (?:should|must|need to)|can you|could you|kindly|always)[\s,]+)*"
    r"(?:(?:remember|keep in mind|bear in mind|note(?= that|:| down)|don'?t forget|do not forget|never forget|make (?:a )?(?:mental )?note|take (?:a )?note|write (?:this )?down|save this|for the record|just so you know|jot down)\b"
    r"(?!\s+(?:when|how|the time|me\b|you|last))(?:\s*(?:that|this|of this|of the fact that|down))?)\s*[:,\-–—]?\s*",
    re.IGNORECASE,
)
_STANDING_EN: Final = re.compile(
    r"\b(?:from now on(?:wards)?|going forward|from here on(?: out)?|from this point on|in (?:the )?future(?=,|$)|for future reference|henceforth|from today(?: on(?:wards)?)?|by default|every time|each time|whenever|next time|for all future \w+)\b\s*[,:]?\s*",
    re.IGNORECASE,
)
_IMPERATIVE_RULE_EN: Final = re.compile(
    r"^(?:(?:please|also|and|so|but)[\s,]+)*(?:never\s+(?:ever\s+)?(?:use|send|call|message|email|text|ping|recommend|suggest|include|add|show|give(?! up)|ask|write|reply|respond|answer|mention|tell|share|book|schedule|remind|put|make|assume|contact|notify|store|save|repeat|explain|translate|format|start|end|offer|push|post|talk|speak|round|quote|cite|order|buy|apologi[sz]e|summari[sz]e|be (?:so|too|overly)|bring up|cc|copy|forward|deliver|ship|charge|book me)\b|always\s+(?!\w+ing\b|hear\b|up\b|wonder|dream|feel|here\b|there\b|mind\b|been\b|had\b|have\b|knew\b|thought\b|heard\b|was\b|seen\b|wanted\b|great\b|good\b|nice\b|fun\b|a\b|happy\b|love[ds]?\b|like[ds]?\b|give up|stop\b|forget\b|too\b|there\b|been\b|in\b|on\b|feels?\b|lose\b|remember\b|believe\b|trust\b|say\b|enjoy)[a-z]+(?<!ed)\b)",
    re.IGNORECASE,
)
_PEP_EN: Final = re.compile(
    r"^(?:to )?(?:it'?s (?:about|ok)|you(?:'re| are| can| have|'ve)\b|pause|reflect|find joy|relax|enjoy|take care|have fun|take (?:it easy|a break|time)|be (?:kind|proud|yourself|patient)|breathe|smile|rest|keep (?:going|smiling)|stay|believe|celebrate|eat well|drink water|recharge|love yourself)\b",
    re.IGNORECASE,
)
_OWN_FUTURE_EN: Final = re.compile(
    r"^(?:(?:and|but|so|maybe|hopefully)\s+)?(?:(?:I|we)(?:'ll| will|'d love| would love|'m| am|'re| are| hope| can| could| might| want to| plan)\b|let me know (?:whenever|if|when) you\b|there\b|it\b|this\b|hopefully|maybe|.{0,80}\b(?:I'll|I will|we'll)\b)",
    re.IGNORECASE,
)
_NEED_EN: Final = re.compile(
    r"^I(?:'d| would)? (?:need|want|like|expect) (?:a |an |the |my )?(?:daily|weekly|monthly|regular|quarterly)\b",
    re.IGNORECASE,
)
_DIRECTS_EN: Final = re.compile(
    r"(?:^|, |please )\s*(?:please )?(?:use|send|call|message|email|text|ping|recommend|suggest|include|add|show|give(?! up)|ask|write|reply|respond|answer|mention|tell|share|book|schedule|remind|put|make|assume|contact|notify|store|save|repeat|explain|translate|format|start|end|offer|push|post|talk|speak|round|quote|cite|order|buy|apologi[sz]e|summari[sz]e|be (?:so|too|overly)|bring up|cc|copy|forward|deliver|ship|charge|book me|don'?t|never|always|let me know|keep)\b",
    re.IGNORECASE,
)
_DIRECTS_ZH: Final = re.compile(
    r"提醒|给我|发|用|请|叫我|帮|告诉|通知|先|汇报|回复|回答|记录|抄送|确认|问我|加上|附|不要|别|要|写|列|带|推荐"
)
_EVERY_EN: Final = re.compile(
    r"^(?:please\s+)?(?:remind|send|give|ping|email|message|notify|post|share|brief|update|alert|tell|show|start|end|include|cc|copy|add)\b.*\b(?:every|each|daily|weekly|monthly|before all|after all|in all|on all|for all)\b",
    re.IGNORECASE,
)
_STOP_EN: Final = re.compile(
    r"^(?:(?:please|also|and|just)[\s,]+)*(?:(?:stop|quit|avoid)\s+(?:(?:recommend|suggest|send|ask|us|call|email|message|messaging|text|include|including|add|show|giv|repeat|shar|mention|talk|writ|remind|apologi[sz]|explain|push|post|mak|put|bring)\w*|with)\b|no more\s+\w+)",
    re.IGNORECASE,
)
_DONT_EN: Final = re.compile(
    r"^(?:(?:please|also|and|but|just|so)[\s,]+)*(?:don'?t|do not)\s+(?:ever\s+)?(?:use|send|call|message|email|text|ping|recommend|suggest|include|add|show|give(?! up)|ask|write|reply|respond|answer|mention|tell|share|book|schedule|remind|put|make|assume|contact|notify|store|save|repeat|explain|translate|format|start|end|offer|push|post|talk|speak|round|quote|cite|order|buy|apologi[sz]e|summari[sz]e|be (?:so|too|overly)|bring up|cc|copy|forward|deliver|ship|charge|book me)\b",
    re.IGNORECASE,
)

CHANGE_ZH: Final = re.compile(
    r"不要|不喜欢|取消|改为|更正|改成|改发|改到|改喝|改吃|改用|改坐|换成|换到|换个|换(?=民宿|酒店|成|为|到|[\u4e00-\u9fff]{1,4}$)|不再|算了|不去了|别再|不想去了|推掉|调整[为到成]|更新[为成]|改(?=[周星下明后]|\d)|搬到|跳槽|戒了"
)
CHANGE_EN: Final = re.compile(
    r"\b(?:no longer|instead|cancel(?:s|led|ed|ling)?|changed? (?:it |that |this |the [\w ]{1,20}? )?to|correction|not anymore|anymore|any more|never mind|nevermind|switch(?:ed)? (?:it |that )?to|call(?:ed)? off|moved? (?:it )?to|postponed?|reschedul\w+|stopped|quit|gave up|not going)\b",
    re.IGNORECASE,
)
_NEGATED_ZH: Final = re.compile(
    r"不(?!过|错|久|仅|但|同|如|得不|少|断|论|管|限)|没(?!问题|关系|事)|别(?!的|人|墅)|勿|无法|从不|从未|未(?!来)|戒了|讨厌|反感|过敏|取消"
)
_NEGATED_EN: Final = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|hardly|stop|stopped|avoid|hate|dislike|cancel\w*)\b|n't\b",
    re.IGNORECASE,
)
_CONDITION_ZH: Final = re.compile(r"(?:但是?|不过|可是|只要|除非|除了|前提是|最好|而且|尤其是?|特别是)(.{2,30})$")
_CONDITION_EN: Final = re.compile(
    r"\b(?:but|except|unless|as long as|provided|preferably|especially|when|on (?:weekdays|weekends))\b(.{2,60})$",
    re.IGNORECASE,
)
_BEFORE_BUT: Final = re.compile(
    r"[，,]?\s*(?:但是?|不过|可是|只要|除非|前提是|最好|\bbut\b|\bexcept\b|\bunless\b|\bas long as\b|\bprovided\b|\bpreferably\b).*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """An instruction found in a clause."""

    body: str
    """What is to be remembered, or done from now on."""
    standing: bool
    """Whether it is a rule for the time to come rather than a thing to know."""
    told: bool = False
    """Whether it was introduced as a thing to know ("remember that")."""


def explicit_mark(clause: str, *, chinese: bool, words: ExtractionWords) -> Mark | None:
    """The instruction that ``clause`` is, if it is one."""
    for word in words.explicit:
        at = fold(clause).find(fold(word)) if word else -1
        if at >= 0:
            return Mark(body=clause[at + len(word) :].lstrip(" ：:，,") or clause, standing=False)
    return _mark_zh(clause) if chinese else _mark_en(clause)


def _mark_zh(clause: str) -> Mark | None:
    remember = _REMEMBER_ZH.match(clause)
    if remember:
        body = clause[remember.end() :]
        standing = _STANDING_ZH.match(body)
        return Mark(body=body[standing.end() :] if standing else body, standing=standing is not None)
    standing = _STANDING_ZH.match(clause)
    if standing:
        keep = standing["mark"].startswith(("每次", "每回", "每当", "一律", "凡是", "永远", "总是", "默认"))
        if standing["mark"].startswith(("每次", "每回", "每当", "凡是")) and not _DIRECTS_ZH.search(clause):
            return None
        return Mark(body=clause[standing.start("mark") :] if keep else clause[standing.end() :], standing=True)
    if _AGAIN_ZH.match(clause) or _DAILY_ZH.match(clause):
        return Mark(body=clause, standing=True)
    return None


def _mark_en(clause: str) -> Mark | None:
    standing = _STANDING_EN.search(clause)
    remember = _REMEMBER_EN.match(clause)
    if remember and remember.end() < len(clause):
        body = clause[remember.end() :]
        if _PEP_EN.match(body):
            return None
        return Mark(
            body=_STANDING_EN.sub("", body).strip(" ,") or body,
            standing=standing is not None,
            told=bool(re.search(r"\bthat\b|:", remember[0], re.IGNORECASE)),
        )
    if standing:
        keep = standing[0].lower().startswith(("every", "each", "whenever", "next"))
        bare = _STANDING_EN.sub("", clause).strip(" ,")
        if _OWN_FUTURE_EN.match(bare) or (keep and not _DIRECTS_EN.search(clause)):
            return None
        return Mark(body=clause if keep else bare, standing=True)
    if any(rule.match(clause) for rule in (_IMPERATIVE_RULE_EN, _EVERY_EN, _NEED_EN, _STOP_EN, _DONT_EN)):
        return Mark(body=clause, standing=True)
    return None


def change_words(text: str, *, chinese: bool, words: ExtractionWords) -> tuple[str, ...]:
    """The words of change in ``text``, each once, in its order."""
    found = [match[0] for match in (CHANGE_ZH if chinese else CHANGE_EN).finditer(text)]
    folded = fold(text) if words.change else ""
    return tuple(dict.fromkeys([*found, *(word for word in words.change if word and fold(word) in folded)]))


def is_negated(text: str, *, chinese: bool) -> bool:
    """Whether ``text`` denies something. A negation alone never supersedes: it must deny the same slot's value."""
    return bool((_NEGATED_ZH if chinese else _NEGATED_EN).search(text))


def conditions_of(text: str, *, chinese: bool) -> tuple[str, ...]:
    """The restriction that ``text`` ends with ("但不要太贵", "but not too expensive"), as said."""
    match = (_CONDITION_ZH if chinese else _CONDITION_EN).search(text)
    return (match[0].strip(" ，,"),) if match else ()


def without_condition(text: str) -> str:
    """``text`` up to its restriction."""
    return _BEFORE_BUT.sub("", text).strip(" ，,")
