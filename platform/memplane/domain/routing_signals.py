# ruff: noqa: E501 (patterns read best one alternative a line)
"""What a query shows for routing: words of the lists, and shapes that words alone cannot tell.

Words are looked up in one pass; shapes are regular expressions without nested repetition, over a bounded text.
"""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.routing_words import RoutingWords

Hits = dict[str, tuple[str, int]]
"""Signal → the words that showed it, and where they begin (the last of several)."""

# Shapes in Chinese: "我买的那台冰箱", "我刚才说的", not "我想了解的"; "我这个月已经", "我还能".
_OWN_ZH: Final = re.compile(
    r"(?<![让使])我们?(?!想|要|知道|看|怎么|如何|咋|该|应该|能|可以|需要|忘)[\u4e00-\u9fff]{1,9}?的(?=[\u4e00-\u9fff])"
    r"|我们?(?:[\u4e00-\u9fff]{0,6}?)(?:已经|现在|目前|最近|还有|还剩|还能|去过|买过|用过)"
    r"|我[\u4e00-\u9fff]{0,8}(?:账号|卡号|地址|生日|尾号|电话|密码提示)是"
)
_PEOPLE_ZH: Final = re.compile(
    r"[赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢苏潘葛范彭鲁马方任袁柳鲍史唐薛雷贺汤罗毕郝常于傅齐康余顾孟黄萧姚邵汪"
    r"毛戴宋庞熊纪舒董梁杜蓝贾江郭梅林钟徐邱骆高夏蔡田胡霍万柯卢莫丁邓洪崔龚程邢裴陆翁段侯武刘龙叶白赖乔廖曾]"
    r"(?:总(?!结|体|共|数|量|是|部)|姐|哥|叔|阿姨|经理|老师|医生|律师|主任|先生|女士|师傅|教授)"
    r"|(?<!客服)(?<!官方)(?<!服务)(?<!公司)(?:邮箱|电话号?码?|手机号|生日|身高|老家|籍贯)(?:地址)?(?:是|叫|能)"
    r"|(?<![最大])(?:小|老)[赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许张刘黄林徐胡郭何高罗](?![\u4e00-\u9fff]?(?:店|山|镇|村))"
)
_SAID_ZH: Final = re.compile(
    r"(?:说|提|答复|答应|承诺|讲|回复|建议|叮嘱|交代)(?:了|过)?(?:我|你|谁|他|她)?(?:了|过)?(?:什么|啥|哪|谁|几点|吗|多少|做什么)"
    r"|有什么意见|(?:发|送|寄|问|给)过.{0,6}吗"
)
_MAY_ZH: Final = re.compile(
    r"(?<!你)(?<!您)(?<!不)(?:可以|能(?!力|量|源|耗|级))(?!帮|告诉|给我|再|把|提醒|重复|查)[^,。;?]{0,12}?(?:吗|么|嘛)"
)
_DELIVER: Final = re.compile(
    r"发我|发给我|再发|给我看|\b(?:send|resend|forward|repeat|read)\b(?: \w+)? (?:me|back|the|that)\b"
)
# "怎么处理的" asks how it was done, "进度如何" how it stands: neither asks for a procedure.
_PAST_HOW_ZH: Final = re.compile(r"怎么[^,。;?]{1,10}的[?]?$")
_STANDS_ZH: Final = re.compile(r"(?:怎么样|怎样|如何)了?呢?[?]?$")

# Shapes in English: first person and a deed, who said what, whose contact, a trait as the ground of an answer.
_DEED_EN: Final = re.compile(
    r"\bdo (?:i|we) (?:have|own)\b(?! to\b)"
    r"|\b(?:did|have|had|was|were|am) (?:i|we|(?:the )?\w+ and i)\b"
    r"|\b(?:i|we)(?: just| already| recently| once| originally|'ve|'d| have| had)?"
    r" (?!need(?:ed)?\b|used to\b)(?:\w{2,}ed|was|were|bought|chose|took|gave|said|told|made|sent|went|ran|met|got|saw|had|set"
    r"|paid|put|left|began|kept|wrote|read|spent|lost|found|picked|changed)\b"
    r"|\b(?:our|the) (?:project|team) \w+"
)
_SAID_EN: Final = re.compile(
    r"\b(?:did|have|has|had) (?:\S+ ){1,6}?(?:say|said|tell|told|mention|mentioned|promise|promised|decide|decided|agree|agreed"
    r"|discuss|discussed|settle|settled|choose|pick|conclude|concluded|reply|send|sent|ask)\b"
    r"|\bdid you (?:recommend|suggest|advise)\b"
)
_THAT_EN: Final = re.compile(
    r"\b(?:did|does|is|was|has|about|with|of|for|from|where's|what's|who's) that"
    r" (?!is\b|are\b|was\b|were\b|it\b|the\b|a\b|an\b|i\b|we\b|you\b|they\b|there\b)\w+"
)
_CONTACT_EN: Final = re.compile(
    r"\b(?:mr|mrs|ms|dr)\b\.? \w+|\b\w+'s (?:phone|number|email|address|birthday|opinion|feedback)\b"
    r"|\bwho (?:approves|manages|handles|owns) my\b"
)
_GROUND_EN: Final = re.compile(r"(?:^|[,;] ?)(?:with|on|at|within|given|since|for|as) (?:my|our|i)\b")
_ORGANISATION: Final = re.compile(
    r"(?:\bour|我们的?|我司的?|我公司的?|咱们的?)(?: (?:company|company's|team's|travel|refund|return|leave|privacy|security))?"
    r"(?:公司的?)?[ ]?[\u4e00-\u9fff]{0,4}(?:polic|rule|terms|manual|handbook|docs|documentation|warranty|制度|政策|规定|流程|标准|手册)"
)
# Whether something holds of the user's own things, as they are: for the documents to tell, unless it asks how far it is.
_HOLDS_EN: Final = re.compile(
    r"^(?:and |so |but )?(?:is|are|does|do|can|could|will|would|may|should) (?!you\b|i\b|we\b|that\b|there\b)"
)
_STATUS_EN: Final = re.compile(
    r"\b(?:done|ready|finished|approved|paid|shipped|delivered|arrived|resolved|fixed|confirmed|booked|cancelled|canceled|sent|like|likes)\b"
)
_HOLDS_ZH: Final = re.compile(
    r"(?<!了)(?<!过)(?<!好)(?<!完)(?:吗|(?<![什怎那这要])么|不)[?]?$|有没有(?!说|提|告诉|跟|给|收到|发|买|订)|是不是|会不会|支不支持"
)
# A name that is asked about with a past tense; only the spelling as typed tells it.
_NAMED_PAST: Final = re.compile(
    r"\b(?:did|has|had|was|does|do|is|are|could|would) (?!I\b)[A-Z][a-z]+\b"
    r"|\b(?:made|helped|\w{3,}ed) (?!I\b)[A-Z][a-z]+\b"
    r"|\b[A-Z][a-z]+ (?:could|would|did|has|still|likes?|loves?|wants?|enjoys?|met|plans?|said|thinks?)\b"
    r"|\b(?:(?!What|Who|Where|How|When|It|That|There|Let)[A-Z][a-z]+)['’]s\b"
)
# "在…之前" and "2000年以前" are dates of the world, not something both sides know.
_BEFORE_ZH: Final = re.compile(r"(?:在[^,。;?]{1,20}|\d ?年?)(?:之前|以前)")
_RECORD: Final = re.compile(
    r"\b(?:[a-z]{2,6}-(?=[\w-]*\d{3})\d[\w-]*|(?:order|ticket|invoice|case) ?#?\d{3,})|(?<!\w)#\d{3,}"
)
_RECORD_ZH: Final = re.compile(r"(?:订单|工单|单号|合同|发票)号?[::]? ?#?[a-z]{0,4}-?\d{3,}")
_IN_WORD: Final = re.compile(r"[a-z0-9\u00c0-\u024f]")
_WORD: Final = re.compile(r"[a-z0-9\u00c0-\u024f]+(?:'[a-z]+)?")
_IDEOGRAPH: Final = re.compile(r"[\u3400-\u9fff]")
_LATIN: Final = re.compile(r"[a-z]")


def signals_of(typed: str, text: str, words: RoutingWords) -> Hits:
    """Return the signals of a query, given as `typed` and folded as `text`."""
    if not any(map(str.isalnum, text)):
        return {}
    hits = _phrases(text, words)
    _shapes(typed, text, hits)
    return hits


def _phrases(text: str, words: RoutingWords) -> Hits:
    """Return the signals that phrases show, in one pass over words and ideographs."""
    hits: Hits = {}
    index = words.index
    if _LATIN.search(text):
        for match in _WORD.finditer(text):
            start = match.start()
            for phrase, signal in index.get(match[0], ()):
                end = start + len(phrase)
                if text.startswith(phrase, start) and not _IN_WORD.match(text, end):
                    _keep(hits, signal, phrase, start)
    for start, char in enumerate(text):
        if char > "\u2e7f" or char == "?":
            for phrase, signal in index.get(char, ()):
                if text.startswith(phrase, start):
                    _keep(hits, signal, phrase, start)
    return hits


def _keep(hits: Hits, signal: str, phrase: str, start: int) -> None:
    """Note the last phrase of a signal; of two that begin together the first, which is the longer."""
    if signal not in hits or start > hits[signal][1]:
        hits[signal] = (phrase, start)


def _shapes(typed: str, text: str, hits: Hits) -> None:
    """Add the signals that only a shape shows."""
    chinese = _IDEOGRAPH.search(text) is not None
    latin = _LATIN.search(text) is not None
    if chinese:
        if "person" in hits:
            _note(hits, "possessive", _OWN_ZH.search(text))
        _note(hits, "people", _PEOPLE_ZH.search(text))
        _note(hits, "said", _SAID_ZH.search(text))
        _note(hits, "record", _RECORD_ZH.search(text))
        _note(hits, "eligibility", _MAY_ZH.search(text))
        if hits.get("pointing", ("", 0))[0] in ("之前", "以前") and _BEFORE_ZH.search(text):
            del hits["pointing"]
        if hits.get("recall", ("", 0))[0] == "记得" and "记得的" in text:
            del hits["recall"]
        if "howto" in hits and (
            _STANDS_ZH.search(text) or (hits.keys() & {"pointing", "past", "people"} and _PAST_HOW_ZH.search(text))
        ):
            del hits["howto"]
    if latin:
        if "person" in hits or "possessive" in hits:
            _note(hits, "deed", _DEED_EN.search(text))
            _note(hits, "ground", _GROUND_EN.search(text))
        if "pointing" not in hits:
            _note(hits, "pointing", _THAT_EN.search(text))
        _note(hits, "said", _SAID_EN.search(text))
        if "advice" in hits and "did you" in hits.get("said", ("", 0))[0]:
            del hits["advice"]
        _note(hits, "people", _CONTACT_EN.search(text))
        _note(hits, "record", _RECORD.search(text))
        _note(hits, "named", _NAMED_PAST.search(typed))
    _note(hits, "deliver", _DELIVER.search(text))
    _holds(text, hits)
    if "documents" in hits and "possessive" in hits:
        _note(hits, "organisation", _ORGANISATION.search(text))


def _holds(text: str, hits: Hits) -> None:
    """Add the signal that something is asked to hold of what is the user's own."""
    _note(hits, "holds", _HOLDS_ZH.search(text) or (None if _STATUS_EN.search(text) else _HOLDS_EN.search(text)))


def _note(hits: Hits, signal: str, match: re.Match[str] | None) -> None:
    if match is not None:
        hits[signal] = (match[0].strip(" ,;"), match.start())
