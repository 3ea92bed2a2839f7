# ruff: noqa: E501 (patterns)
"""That something said before was wrong or is to be otherwise: 改成…, 不是…是…, change … to …, I meant …."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.extraction.perspective import strip_fillers, third_person
from memplane.domain.extraction.plans import event_slot
from memplane.domain.extraction.reading import Clause, Finding, Trigger
from memplane.domain.extraction.slots import closed_slot, slot_part
from memplane.domain.extraction.when import has_time
from memplane.domain.memory import Kind

LATEST: Final = "*"
"""Slot of a correction that does not say of what: the latest statement whose value is of this sort."""

_ZH: Final = (
    re.compile(r"^(?:更正|纠正|修正|订正|改正)(?:一下|下)?[：:，,]?\s*(?:应该是|是)?(?P<topic>[^，,]{0,16}?)(?:应该)?(?:是|为|改[成为到])(?P<value>[^，,不]{1,30}?)(?:[，,]?(?:而)?不是(?P<old>[^，,]{1,20}))?$"),
    re.compile(r"^(?P<topic>[^，,]{0,14}?)(?<!是)不是(?P<old>[^，,是吗]{1,20})[，,]?\s*(?:应该|而|其实)?是(?P<value>[^，,]{1,30}?)$"),
    re.compile(r"^(?P<topic>[^，,]{0,14}?)应该是(?P<value>[^，,不吗]{1,30}?)[，,]?(?:而)?不是(?P<old>[^，,吗]{1,20})$"),
    re.compile(r"(?:说错了|搞错了|写错了|弄错了|记错了|打错了|口误)[，,。]?\s*(?:应该)?(?:是|改成)?(?P<value>[^，,吗]{2,30})$"),
    re.compile(r"^(?:请|帮我|麻烦|那|还是)*(?:把|将)?(?P<topic>[^，,]{0,16}?)(?:调整|更新|变更|修改|改|换)(?:为|成|到|在|发|用|回|去|坐|住|喝|吃|订)(?P<value>[^，,吗呢]{1,30}?)(?:吧|了|好了)?$"),
    re.compile(r"^(?:请|帮我|麻烦|那|还是)*(?:把|将)?(?P<topic>[^，,]{0,16}?)(?:都|就|以后|先)*(?:挪|推迟?|移|提前|延期?|顺延|调)到(?P<value>[^，,吗呢]{1,20}?)(?:吧|了|好了)?$"),
    re.compile(r"我(?:可|从来?|根本)?没(?:有)?说过(?:我)?(?P<value>[^，,吗]{2,24})$(?P<topic>)"),
    re.compile(r"^(?:请|帮我|麻烦|那|还是|[^，,]{0,16}?这次|还是)*(?P<topic>)换(?:个|家|一[个家])?(?P<value>[^，,吗呢成]{2,16}?)(?:吧|了|好了)?$"),
)  # fmt: skip
_EN: Final = (
    re.compile(r"^correction\s*[:,-]?\s*(?:the |my |our )?(?P<topic>[\w' ]{0,30}?)\s*(?:is|are|should be|was)\s*(?:on |at |in )?(?P<value>[^,.]{1,40}?)(?:,? (?:and )?not (?:on |at |in )?(?P<old>[^,.]{1,40}))?$", re.IGNORECASE),
    re.compile(r"^(?:no,? )?not (?!sure|that|so|only|really|yet|bad)(?:on |at |in )?(?P<old>[^,.\s]+(?: [^,.\s]+){0,2}),? (?:but )?(?:I meant |it's |it is |rather |I said )+(?:on |at |in )?(?P<value>[^,.]{1,40})$", re.IGNORECASE),
    re.compile(r"^(?:please )?make (?P<value>[A-Z][\w'’ .-]{1,30}?) (?:the|our|my) (?:new )?(?P<topic>[\w' ]{3,40}?)(?: instead| from now on)?$"),
    re.compile(r"\bI meant (?:to say )?(?P<value>(?!to\b|that\b|it\b|well\b)[^,.]{1,40}?)(?:,? not (?P<old>[^,.]{1,40}))?$", re.IGNORECASE),
    re.compile(r"^(?:actually,? |sorry,? |wait,? |no,? )*(?:it's|it is|it should be|that should be|make it|make that|the (?P<topic>[\w ]{2,24}) (?:is|should be))(?: actually)? (?:on |at |in )?(?P<value>[^,.]{1,40}?),? (?:instead|not (?:on |at |in )?(?P<old>[^,.]{1,40})|rather than (?P<old2>[^,.]{1,40}))(?: of [^,.]{1,30})?$", re.IGNORECASE),
    re.compile(r"\b(?:change|switch|move|update|set|reschedule|postpone|push|correct|bring forward)\s+(?P<topic>(?:it|that|this|\w+day's [\w ]{2,20}?|tomorrow's [\w ]{2,20}?|the [\w' ]{2,30}?|my [\w' ]{2,30}?|our [\w' ]{2,30}?))(?: from [\w ]{2,20}?)? (?:to|back to|over to|until) (?P<value>[^,.]{1,40}?)(?: instead| please)?$", re.IGNORECASE),
    re.compile(r"\bI(?: have)? never (?:said|told you)(?: that)? (?P<value>(?:I|we|my) [^,.]{3,50})$(?P<topic>)", re.IGNORECASE),
    re.compile(r"^(?:actually,? |ok(?:ay)?,? |so,? )*(?:let's|let us|I'll|we'll|can we|please)\s+(?:do|use|try|take|have|make it|go for)\s+(?P<topic>)(?P<value>[^,.]{2,40}?) (?:instead|this time)(?: of [^,.]{1,30})?$", re.IGNORECASE),
    re.compile(r"^(?:the |our |my )(?P<topic>[\w' ]{2,30}?) (?:has been |was |is |got |have been )?(?:changed|moved|rescheduled|postponed|switched|pushed|brought forward) (?:to|until) (?P<value>[^,.]{1,40})$", re.IGNORECASE),
)  # fmt: skip
_NEVER_SAID: Final = re.compile(r"没(?:有)?说过|\bnever (?:said|told)", re.IGNORECASE)
_NO_VALUE: Final = re.compile(
    r"什么|怎么|哪|吗$|问题|这样|我的错|^(?:一下|下|个|了|不了)$|\b(?:what|which|how)\b|^(?:a|the|it|that|one)$",
    re.IGNORECASE,
)
_ASKS_TRANSFORM: Final = re.compile(
    r"(?:这|那|下面|上面|以下|整)(?:句|段|篇|首|个(?:函数|词|文件|表))|代码|文章|文件|图片|格式|大写|小写|英文$|中文$|\b(?:this|these|the following|above) (?:sentence|paragraph|text|code|function|file|article|image|list)\b|\b(?:font|color|colour|uppercase|lowercase|json|csv|pdf)\b",
    re.IGNORECASE,
)


def corrections(clause: Clause) -> list[Finding]:
    """The correction in a clause and what follows it, if there is one."""
    text = strip_fillers(clause.rest)
    own = strip_fillers(clause.text)
    zh = clause.language == "zh"
    for candidate in dict.fromkeys((text, own)):
        if len(candidate) > 120 or _ASKS_TRANSFORM.search(candidate):
            continue
        for pattern in _ZH if zh else _EN:
            match = pattern.search(candidate)
            if match is None or _NO_VALUE.search(match["value"]):
                continue
            return [_correction(match, clause, candidate, whole=candidate == text)]
    return []


def _correction(match: re.Match[str], clause: Clause, candidate: str, *, whole: bool) -> Finding:
    zh = clause.language == "zh"
    groups = match.groupdict()
    value = match["value"].strip(" ，,。")
    topic = re.sub(
        r"^(?:the|my|our|it|that|this)\b\s*|^(?:把|将|那|还是|这个?|那个?|我说的)",
        "",
        (groups.get("topic") or "").strip(),
        flags=re.IGNORECASE,
    ).strip()
    if _NEVER_SAID.search(candidate):
        return Finding(
            text=third_person(candidate),
            kind=Kind.SEMANTIC,
            category="preference",
            polarity="negative",
            triggers=(Trigger.CORRECTION, Trigger.PREFERENCE),
            value=value,
            end=len(clause.rest) if whole else 0,
        )
    old = (groups.get("old") or groups.get("old2") or "").strip()
    end = len(clause.rest) if whole else 0
    lodging = closed_slot(clause.text, value)
    if (
        lodging
        and not topic
        and lodging[0].name.endswith(
            ("/lodging", "/cabin", "/transport", "/seat", "/payment_method", "/report_channel")
        )
    ):
        chosen = lodging[1]
        return Finding(
            text=f"用户偏好{chosen}" if zh else f"The user prefers {chosen}",
            kind=Kind.SEMANTIC,
            category="preference",
            polarity="positive",
            triggers=(Trigger.CORRECTION, Trigger.PREFERENCE),
            slot=lodging[0].name,
            value=chosen,
            end=end,
        )
    return Finding(
        text=_worded(topic, value, old, zh=zh),
        kind=Kind.SEMANTIC,
        category="decision",
        triggers=(Trigger.CORRECTION,),
        slot=(event_slot(topic, clause) or f"topic/{slot_part(topic)}") if topic else LATEST,
        value=value,
        end=end,
        dated=has_time(value),
    )


def _worded(topic: str, value: str, old: str, *, zh: bool) -> str:
    if zh:
        subject = topic or ("" if old else "此前所说的")
        said = (
            f"用户更正:{subject}{'是' if old or not topic else '改为'}{value}"
            if old
            else f"用户要求{subject}改为{value}"
        )
        return f"{said},不是{old}" if old else said
    what = topic or "it"
    if old:
        return f"The user corrects: {'the ' + topic if topic else 'it'} is {value}, not {old}"
    return f"The user changes {'the ' + what if topic else what} to {value}"
