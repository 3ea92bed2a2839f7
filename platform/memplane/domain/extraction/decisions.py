# ruff: noqa: E501 (patterns)
"""What was decided, agreed, confirmed or concluded."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memplane.domain.extraction.perspective import third_person
from memplane.domain.extraction.reading import Clause, Finding, Trigger
from memplane.domain.memory import Kind
from memplane.domain.text import fold

_ZH: Final = re.compile(
    r"(?:决定|敲定|拍板|商定|议定|定下来?|确定|最终选|达成一致|一致同意|同意|批准)(?:了|要|下来|采用|使用|用|先|就|是|:|：)*(?P<what>[^，,吗呢]{2,40})$"
    r"|(?:结论|最终方案|最终决定|会议决议|决议)(?:就?是|为|:|：)(?P<what2>.{2,60})$"
    r"|(?:我|我们|已|最后|最终|都|这边|正式)确认(?:了|要|用|采用|是|:|：)*(?P<what3>[^，,吗呢一下]{2,40})$|^确认(?:采用|使用|用|选|是)?(?P<what4>(?!一下|收|好|下|了$)[^，,吗呢]{2,40})$"
    r"|^(?:那|好|行|嗯|[，,])*(?:还是)?就(?:定|选|用|要|按|订|买|走|上)(?:了|在|下|成)?(?P<what5>[^，,吗呢]{1,30}?)(?:吧|了|好了|来)+$"
    r"|^(?:那|我|我们|[，,])*还是(?P<what8>(?!不|算|那样|这样)[^，,吗呢]{2,20}?)(?:吧|好了)$|^(?:那|好|行)?就?这么(?:定|办|决定|说定)(?P<what9>)了?$|^我?(?P<what10>改主意|反悔|改变主意)了$"
    r"|(?P<topic>[\u4e00-\u9fff]{2,6})(?:我们|最后|最终|还是)*就?(?:选定?|定|用)(?:了|在|为)?(?P<what6>[^，,吗呢]{1,24}?)(?:吧|了)$"
    r"|^(?:我们?|咱们?)(?:就|最后|最终|还是)*(?:采用|选择了?|选定了?|选了)(?P<what7>[^，,吗呢]{2,30})$"
)
_EN: Final = re.compile(
    r"\b(?:I|[Ww]e|the team|everyone|the board|management|the committee)(?:'ve|'ll|'re)?(?: have| both| all| finally| already| just| then| also| jointly| unanimously)*\s+(?:(?:decided|agreed|chose|opted|resolved|concluded|voted|settled|committed)(?: to| on| that| for| with| against)?|confirmed(?: that| to| on)?|(?:made (?:a|the|up my|up our) (?:decision|mind)(?: to| that)?)|signed off on|approved|go(?:ing)? with|will go with|went with|stick(?:ing)? with)\s+(?P<what>(?!you\b|with you|totally|completely).{2,100})$"
    r"|\b(?:the |our |my )?(?:final |main )?(?:decision|conclusion|resolution|agreement|verdict)(?: of the \w+)? (?:is|was)(?: that| to)?\s+(?P<what2>.{3,100})$"
    r"|^(?:(?:ok|okay|alright|great|so|yes|fine)[\s,]+)*(?:(?:let's|let us)\s+(?:just )?(?:take|do)|(?:let's|let us|we'll|I'll|we will|I will|I'm|we're)\s+(?:just |definitely |probably |now |all )*(?:go with|going with|stick with|stick to|settle on|choose|pick|book))\s+(?P<what3>(?!it\b|that$|this$|a look|it later|my best|this later|that later|some|care).{2,80})$"
    r"|\b(?:I'll|we'll|I will|we will|I'm going to) (?P<what6>[^,]{2,50}) after all$|^(?:I )?(?:'ve )?changed (?P<what7>my mind)$"
    r"|\b(?:it's|it is|that's|that is) (?:decided|settled|agreed|confirmed|final)\b(?::| that|,)?\s*(?P<what4>.{0,80})$|^(?:decided|agreed|confirmed|final decision|decision)\s*[:：,-]?\s+(?:to |on |that )?(?P<what5>(?!thanks|thank).{3,80})$",
    re.IGNORECASE,
)
_UNSURE: Final = re.compile(
    r"没决定|未决定|还没|不确定|没法|不能确定|等.*再|再决定|不知道|考虑|\b(?:haven't|not yet|have not|undecided|can't decide|not sure|before I decide|need to decide|maybe|might)\b",
    re.IGNORECASE,
)
_TOPIC: Final = (
    ("plan", re.compile(r"方案|\bplan [A-Z0-9]\b|\bplan\b", re.IGNORECASE)), ("supplier", re.compile(r"供应商|厂家|\b(?:supplier|vendor)\b", re.IGNORECASE)),
    ("database", re.compile(r"数据库|postgres\w*|mysql|\bdatabase\b", re.IGNORECASE)), ("restaurant", re.compile(r"餐厅|饭店|火锅店|\brestaurant\b", re.IGNORECASE)),
    ("hotel", re.compile(r"酒店|民宿|\bhotel\b", re.IGNORECASE)), ("release", re.compile(r"发布|上线|灰度|全量|\b(?:release|launch|canary|rollout)\b", re.IGNORECASE)),
)  # fmt: skip
_BARE: Final = re.compile(
    r"(?:那|好|行|就)*这么(?:定|办|决定|说定)了?|改主意了?|反悔了?|then|my mind|it|that|this|", re.IGNORECASE
)
"""A decision that says only that there is one; what it is follows in the next clause."""
_POINTS_EN: Final = re.compile(r"(?:do|try|use|make|start|get) (?:this|that|it|so|these)", re.IGNORECASE)
_OWN: Final = re.compile(r"(?:I|we|my|our)\b", re.IGNORECASE)
_WHOSE: Final = re.compile(r"^(?:他们?|她们?|你们?|对方|they|he|she|you)\b|^(?:他|她|你|对方)", re.IGNORECASE)


def decisions(clause: Clause) -> list[Finding]:
    """The decision in a clause, if there is one."""
    text = clause.text.strip(" ,，。.!！")
    if _UNSURE.search(text) or _WHOSE.match(text):
        return []
    match = (_ZH if clause.language == "zh" else _EN).search(text)
    if match is None:
        return _tenant_words(clause)
    if _POINTS_EN.fullmatch(match[0].rpartition(" to ")[2]) or _POINTS_EN.fullmatch(
        next((group for group in match.groups() if group), "")
    ):
        return []
    what = next((group for name, group in match.groupdict().items() if group and name != "topic"), text).strip()
    following = clause.rest[len(clause.text) :].strip(" ,，。.!")
    if _BARE.fullmatch(what) and following:
        told = third_person(following)
        if clause.language == "zh":
            text = told.replace("用户", "用户决定", 1)
        else:
            text = told if _OWN.match(following) else f"The user decided: {following}"
        return [replace(_decision(text, following, _topic(following)), end=len(clause.rest))]
    topic = _topic(text)
    return [_decision(_worded(text, clause), what, topic)]


def _topic(text: str) -> str | None:
    return next((name for name, pattern in _TOPIC if pattern.search(text)), None)


def _tenant_words(clause: Clause) -> list[Finding]:
    if not clause.words.decision:
        return []
    folded = fold(clause.text)
    if any(word and fold(word) in folded for word in clause.words.decision):
        return [_decision(third_person(clause.text), clause.text, None)]
    return []


def _decision(text: str, what: str, topic: str | None) -> Finding:
    return Finding(
        text=text,
        kind=Kind.SEMANTIC,
        category="decision",
        triggers=(Trigger.DECISION,),
        polarity="positive",
        slot=f"user/decision/{topic}" if topic else None,
        value=what,
    )


def _worded(text: str, clause: Clause) -> str:
    if clause.language == "zh":
        if re.match(r"(?:团队|会议|公司|大家|结论|最终|董事会|项目组)", text):
            return text
        return re.sub(r"^用户(?:那|好|行|嗯|[，,])*(?:还是)?(?:就|(?=定|选))", "用户决定就", third_person(text))
    chosen = re.match(
        r"(?:(?:ok|okay|alright|great|so|yes|fine)[\s,]+)*(?:let's|let us|we'll|I'll|we will|I will|I'm|we're)\s+(?:just |definitely |probably |now |all )*(?P<do>(?:go|going|stick|take|settle|choose|pick|book|do)\b.+)$",
        text,
        re.IGNORECASE,
    )
    if chosen:
        return f"The user decided to {re.sub('^going with', 'go with', chosen['do'])}"
    if re.match(
        r"(?:the team|everyone|the board|management|the committee|the conclusion|the decision|our|the final)",
        text,
        re.IGNORECASE,
    ):
        return text[:1].upper() + re.sub(r"\bour\b", "their", text[1:])
    return third_person(text)
