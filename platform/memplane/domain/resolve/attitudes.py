# ruff: noqa: E501 (patterns read best one alternative a line)
"""Claims of liking, consuming and being able: any number of objects, each for or against."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.resolve import lexicon
from memplane.domain.resolve.claim import Claim, Form
from memplane.domain.resolve.subjects import denied, subject_of
from memplane.domain.resolve.wording import content_units, phrase
from memplane.domain.text import fold

TOWARD: Final = "toward"
ABLE: Final = "able"
USES: Final = "uses"

_LIKE_ZH: Final = (
    r"(?P<verb>(?:最)?喜欢上?|偏好|偏爱|喜爱|钟爱|热爱|爱好|爱上|迷上|爱(?=吃|喝|看|听|玩|用|去|穿|跑|打|逛|[\u4e00-\u9fff]{1,4}$)|讨厌|厌恶|反感|受不了|戒了?掉?|(?:能|会|敢|可以|开始|又)?(?=吃|喝|抽))"
    r"了?(?P<act>吃|喝|抽|看|听|玩|用|去|穿)?(?P<done>了|过)?(?P<value>[^,，。;；!！]{1,20})"
)
_ZH: Final = re.compile(rf"^(?P<before>.*?){_LIKE_ZH}")
_EN: Final = re.compile(
    r"^(?P<before>.*?)\b(?P<verb>likes?|loves?|enjoys?|prefers?|adores?|liked|loved|enjoyed|preferred|liking|is (?:not |no longer )?(?:fond of|a (?:big |huge )?fan of|into|keen on|tired of|fed up with|sick of)|can't stand|cannot stand|hates?|dislikes?|detests?|hated|disliked|eats?|eating|drinks?|drinking|smokes?|smoking|gave up|given up|quit|stopped|avoids?|ate|drank|ordered|had)"
    r"(?: to)?\b(?P<value>[^,.;!?]{0,60})",
    re.IGNORECASE,
)
_AGAINST_EN: Final = re.compile(
    r"can't stand|cannot stand|hate|dislike|detest|gave up|given up|quit|stopped|avoid|tired of|fed up|sick of|is not|no longer"
)
_AGAINST_ZH: Final = re.compile(r"讨厌|厌恶|反感|受不了|戒")
_HAPPENED_EN: Final = frozenset({"ate", "drank", "ordered", "had"})
_CONSUMED_ZH: Final = re.compile(
    r"^(?P<before>.*?)(?:点了|吃了|喝了|要了一?份|叫了|买了|做了|去吃|抽了)(?P<value>[^,，。;；]{1,16})"
)
_LISTS: Final = re.compile(r"、|和|与|以及|或者?|跟|,|\band\b|\bor\b|/|\bas well as\b|&")
_ACT_EN: Final = re.compile(
    r"^\s*(?:eat|eating|drink|drinking|smok(?:e|ing)|using|use|watch(?:ing)?|listen(?:ing)? to|play(?:ing)?|having|have|to|the taste of)\b"
)
_VAGUE: Final = frozenset({"food", "dish", "thing", "meal", "stuff", "食物", "东西"})
_TAIL: Final = re.compile(
    r"\b(?:any ?more|now|these days|at all|very much|a lot|again|instead|anymore|too|so much|since|because|when|in the|on (?:mon|tue|wed|thu|fri|sat|sun|week|plane|flight)\w*|over|to (?:his|her)|than|for (?:dinner|lunch|breakfast|now|the)|with|at|every|yesterday|today|last|after|before|during|while|as a|rather|this time|alone|much|really)\b.*$|(?:的?(?:东西|食物|菜|感觉|时候|人|环境|那种)|了|吧|啦|的|呢|呀)+$"
)
_EXCESS: Final = re.compile(r"^(?:太|过于|特别|那么|这么)|\b(?:too|so|very|that)\b")
_OVER: Final = re.compile(
    r"(?P<liked>[^,.;]+?)\s+(?:over|rather than|instead of|more than|to(?= \w+ing\b)|than)\s+(?P<left>[^,.;]+)"
)
_COMPARED_ZH: Final = re.compile(r"(?:比起|相比|与其)(?P<left>[^,，]{1,12}?)[,，]?(?:更|还是)?(?:喜欢|偏好|爱)")
_ABLE_ZH: Final = re.compile(
    r"^(?P<before>.*?)(?P<verb>不会|不能|不可以|无法|学会了?|会|能够|能|可以)(?P<value>(?:开车|游泳|做饭|弹|说|讲|骑|滑|下棋|编程|写|跳|打|唱|拉|画|潜水|参加|出席|加班|出差|来|到场|熬夜)[^,，。;；]{0,12})"
)
_ABLE_EN: Final = re.compile(
    r"^(?P<before>.*?)\b(?P<verb>can(?:not|'t)?|could(?:n't| not)|is (?:not |un)?able to|knows how to|doesn't know how to|learned (?:how )?to|unable to|may not|is (?:not )?allowed to) (?P<not>not )?(?P<value>[a-z][^,.;!?]{1,40})",
    re.IGNORECASE,
)
_REPLACED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?P<before>.*?)\b(?:switch(?:ed|es)|migrat(?:ed|es)|mov(?:ed|es)|chang(?:ed|es)) from (?P<old>[\w .+#-]{2,30}?) to (?P<new>[\w .+#-]{2,30}?)(?: with\b.*| for\b.*|$)",
        r"^(?P<before>.*?)\breplac(?:ed|es) (?!by)(?P<old>[\w .+#-]{2,40}?) (?:with|by) (?P<new>[\w .+#-]{2,30})$",
        r"^(?P<before>.*?)\b(?:replac(?:ed|es) (?!by)|dropped |no longer uses? |stopped using )(?P<old>[\w .+#-]{2,40}?)$",
        r"^(?P<before>.*?)\buses? (?P<new>[\w .+#-]{2,30}?) (?:instead of|rather than|in place of) (?P<old>[\w .+#-]{2,30})$",
        r"^(?P<before>.*?)(?:从|把|由)(?P<old>[\w .+#-]{2,14}?)(?:换成|换到|换为|迁移到|切换到|改成|改用)了?(?P<new>[\w .+#-]{2,14}?)了?$",
        r"^(?P<before>.*?)用(?P<new>[\w .+#-]{2,14}?)(?:代替|替换|取代)了?(?P<old>[\w .+#-]{2,14}?)$",
        r"^(?P<before>.*?)(?:不再使?用|弃用|停用)了?(?P<old>[\w .+#-]{2,14}?)了?$",
    )
)
_USES: Final = re.compile(
    r"^(?P<before>.*?)(?:\buses (?P<en>[\w .+#-]{2,30}?)(?: for\b.*| as\b.*| with\b.*| to\b.*|$)|(?:使用|(?<!费)用(?!户))(?P<zh>[\w.+#-]{2,14}?)(?:做|写|来|管理|部署|开发|进行|当|$))",
    re.IGNORECASE,
)
_NO_ABILITY: Final = re.compile(
    r"\b(?:stand|wait|be|help|find|see|remember|believe|tell|do it|get|have|only)\b", re.IGNORECASE
)


def claims_in(clause: str) -> list[Claim]:
    """What a clause says for or against something, and of what its subject can do."""
    return [*_toward_zh(clause), *_toward_en(clause), *_consumed(clause), *_able(clause), *_used(clause)]


def objects_of(text: str) -> list[frozenset[str]]:
    """The objects of an attitude as content words, one set for each item of a list; none for empty words."""
    trimmed = _TAIL.sub("", fold(text).strip(" .\"'“”")).strip()
    items = [phrase(_ACT_EN.sub("", item.strip())) for item in _LISTS.split(trimmed) if item.strip()]
    return [units for item in items if (units := frozenset(content_units(item)) - _VAGUE)]


def _toward_zh(clause: str) -> list[Claim]:
    folded = fold(clause)
    compared = _COMPARED_ZH.search(folded)
    claims: list[Claim] = []
    if compared:
        claims += _claims("", compared["left"], positive=False)
        folded = folded[compared.end() - 2 :]
    match = _ZH.search(folded)
    if match is None or match["done"] or (not match["verb"] and re.match(r"[了过完到]", match["value"])):
        return claims
    verb, before, value = match["verb"] or "", match["before"], match["value"]
    against = bool(_AGAINST_ZH.match(verb)) != denied(before)
    if against and _EXCESS.match(value):
        return claims  # "不喜欢太吵的" restricts a liking and denies none
    return claims + _claims(before, value, positive=not against)


def _toward_en(clause: str) -> list[Claim]:  # noqa: PLR0911 (one answer a line reads best)
    match = _EN.search(clause)
    if match is None:
        return []
    verb, before, value = fold(match["verb"]), match["before"], match["value"]
    if re.search(r"\b(?:would|'d|looks?|feels?|seems?|sounds?|something|used to|what|how|if|just) *$", fold(before)):
        return []
    if verb in {"quit", "stopped", "gave up", "given up"} and not re.match(
        r"\s*(?:eating|drinking|smoking|liking|coffee|alcohol|sugar|meat|caffeine)", fold(value)
    ):
        return []
    event = verb in _HAPPENED_EN or (
        bool(re.search(lexicon.EVENT_EN, fold(clause))) and not re.search(lexicon.CHANGE_EN, fold(clause))
    )
    if verb == "had" and not re.search(
        r"steak|pot|burger|coffee|beer|wine|dinner|lunch|dish|spicy|meat|seafood|shrimp|fish|pork|beef|chicken|sushi|noodles|cake",
        fold(value),
    ):
        return []
    if verb.startswith("smok") or (verb == "quit" and "smok" in fold(value)):
        value = "smoking" + ("" if verb == "quit" else value)
    against = bool(_AGAINST_EN.search(verb)) != (denied(before) and verb not in {"can't stand", "cannot stand"})
    if against and _EXCESS.search(fold(value)):
        return []
    over = _OVER.match(fold(value))
    if over and verb.startswith(("prefer", "like", "love", "enjoy")):
        return _claims(before, over["liked"], positive=not against) + _claims(before, over["left"], positive=against)
    return _claims(before, value, positive=not against, event=event)


def _consumed(clause: str) -> list[Claim]:
    match = _CONSUMED_ZH.search(fold(clause))
    return _claims(match["before"], match["value"], positive=not denied(match["before"]), event=True) if match else []


def _able(clause: str) -> list[Claim]:
    match = _ABLE_ZH.search(fold(clause))
    if match and subject_of(match["before"]):
        positive = match["verb"] not in {"不会", "不能", "不可以", "无法"} and not denied(match["before"])
        return _ability(match["before"], match["value"], positive)
    match = _ABLE_EN.search(clause)
    if match is None or _NO_ABILITY.match(match["value"]):
        return []
    verb = fold(match["verb"])
    negative = "n't" in verb or "not" in verb or verb.startswith("unable") or "unable" in verb or bool(match["not"])
    return _ability(match["before"], match["value"], not negative)


def _used(clause: str) -> list[Claim]:
    """What is used, and what it took the place of: "switched from A to B", 把A换成B."""
    for pattern in _REPLACED:
        match = pattern.search(clause)
        if match:
            found = match.groupdict()
            return _use(match["before"], found.get("old"), positive=False) + _use(
                match["before"], found.get("new"), positive=True
            )
    match = _USES.search(clause)
    return (
        [] if match is None else _use(match["before"], match["en"] or match["zh"], positive=not denied(match["before"]))
    )


def _use(before: str, value: str | None, *, positive: bool) -> list[Claim]:
    subject = subject_of(before)
    if not subject or not value:
        return []
    return [
        Claim(slot=USES, subject=subject, value=units, positive=positive, form=Form.MANY, said=value.strip())
        for units in objects_of(value)
    ]


def _ability(before: str, value: str, positive: bool) -> list[Claim]:
    subject, units = subject_of(before), frozenset(content_units(_TAIL.sub("", fold(value))))
    if not subject or not units:
        return []
    return [Claim(slot=ABLE, subject=subject, value=units, positive=positive, form=Form.MANY, said=value.strip())]


def _claims(before: str, value: str, *, positive: bool, event: bool = False) -> list[Claim]:
    subject = subject_of(before)
    if not subject:
        return []
    return [
        Claim(
            slot=TOWARD,
            subject=subject,
            value=units,
            positive=positive,
            form=Form.MANY,
            event=event,
            said=value.strip(),
        )
        for units in objects_of(value)
    ]
