# ruff: noqa: E501 (patterns and word lists read best one alternative a line)
"""Whom a clause speaks of, from the words before its verb; and whether those words deny the verb."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.resolve.claim import USER
from memplane.domain.resolve.wording import is_negated
from memplane.domain.text import fold

_SELF_EN: Final = re.compile(
    r"(?:^|\b)(?:the |this |our )?(?:users?|i|we|he|she|they|me|my|you)(?:'s|'m|'ve|'d|'ll|'re)?\b(?! ?'s )"
)
_LIGHT_EN: Final = re.compile(
    r"\b(?:the|a|an|is|are|was|were|be|been|has|have|had|do|does|did|will|would|can|could|should|now|currently|still|really|also|just"
    r"|recently|no longer|not|never|always|usually|often|actually|and|but|so|then|that|n't|don't|doesn't|didn't|isn't|hasn't|haven't|won't|can't|cannot"
    r"|wants? to|need to|decided to|plans? to|going to|yesterday|today|tomorrow|already|has just|these days|lately|instead|correction"
    r"|from now on|please|to|who|which|in \d{4}|last \w+|after .*?,|since .*?,|'s|'m|'ve|'d|'re|as of \w+|stopped|quit|gave up|started|used)\b"
)
_SELF_ZH: Final = re.compile(r"用户|我们|咱们|本人|自己|我|他|她|您|你")
_LIGHT_ZH: Final = re.compile(
    r"现在|目前|最近|已经|已|以后|今后|一直|平时|通常|总是|一般|其实|还是|还|也|都|就|才|又|将|会|要|想|能|可以|刚刚|刚|从|了|的|于|但是?|不过|而且|因为|所以"
    r"|不再|不会|不能|不可以|不太|不怎么|从不|不|没有|没|别|去年|今年|上个?月|上周|昨天|今天|明天|后来|如今|更|很|最|非常|特别|比较|有点|真的|开始|决定|希望|打算|计划"
    r"|更正|纠正|算了|请|,|，|:|:|\d{4}年|\d{1,2}月|这次|下次|上次|每天|每周|经常|偶尔|完全|越来越|反而|确实|曾经|一起|终于|重新|正式|顺利|全家|把|被|给|常|在|之前|当时"
)
_RELATED_ZH: Final = re.compile(
    r"(?:用户|我们|我|他|她)(?:的|家的?|那个|这个|们)*(?P<who>爸爸?|妈妈?|父亲|母亲|父母|爸妈|[大小二三]?(?:叔叔|伯伯?|舅舅?|姑姑?|姨妈?|婶婶?|姨|哥哥?|姐姐?|弟弟?|妹妹?)|表[哥姐弟妹]|堂[哥姐弟妹]"
    r"|爷爷|奶奶|外公|外婆|姥姥|姥爷|老婆|老公|妻子|丈夫|太太|女儿|儿子|孩子|侄[子女]|外甥女?|女朋友|男朋友|女友|男友|岳父|岳母|公公|婆婆|嫂子|姐夫|上司|老板|领导|经理|同事|下属|秘书|助理|客户|朋友|闺蜜|同学|室友|邻居|老师|学生|医生|教练|团队|公司|小区|家人|猫咪?|狗狗?)"
)
_MANY_OF: Final = re.compile(
    r"(?:同事|下属|朋友|同学|邻居|客户|学生|老师|\b(?:colleague|co-?worker|friend|neighbou?r|classmate|client|customer|student|teacher|cousin|roommate)s?)$"
)
"""Roles that several people have: "my friend" today and tomorrow may be two."""
_PUNCTUATION: Final = re.compile(r"[\s.,:;!?\"'’、-]+")
_LONGEST: Final = 40


def subject_of(before: str) -> str:  # noqa: PLR0911 (one answer a line reads best)
    """The subject in the words before a verb: ``user``, or a name or thing, folded; "" where it cannot be told.

    "用户的妹妹现在" gives 用户的妹妹 without light words ("妹妹"); nothing at all means the user.
    """
    folded = fold(before).strip()
    if not folded:
        return USER
    related = _RELATED_ZH.search(folded)
    if related:
        return "" if _MANY_OF.search(related["who"]) else related["who"]
    owned_zh = re.search(r"(?:用户|我们|我|他|她)(?:的)(?P<thing>[^,，的]{1,12})", folded)
    if owned_zh and (thing := _plain(owned_zh["thing"])):
        return thing
    owned_en = re.search(r"\b(?:my|his|her|our|their|user's|users')\s+(?P<thing>.+)", folded)
    if owned_en and (thing := _plain(owned_en["thing"])):
        return "" if _MANY_OF.search(thing) else thing
    rest = _plain(folded)
    if not rest:
        return USER
    if _SELF_ZH.search(folded) or _SELF_EN.search(folded):
        return USER
    return rest if len(rest) <= _LONGEST and not _MANY_OF.search(rest) else ""


def denied(before: str) -> bool:
    """Whether the words before a verb deny it."""
    return is_negated(before)


def _plain(folded: str) -> str:
    plain = _LIGHT_ZH.sub("", _LIGHT_EN.sub(" ", folded))
    plain = _SELF_ZH.sub("", plain)
    plain = re.sub(r"\b(?:users?|i|we|he|she|they|me|my|you)\b", " ", plain)
    return _PUNCTUATION.sub(" ", plain).strip()
