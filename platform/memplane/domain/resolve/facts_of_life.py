# ruff: noqa: E501 (patterns read best one alternative a line)
"""Claims about people of which one holds at a time: where they live, whom they work for, what they are, what is theirs."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.resolve.anchors import anchors
from memplane.domain.resolve.claim import Claim
from memplane.domain.resolve.places import is_known_place
from memplane.domain.resolve.subjects import denied, subject_of
from memplane.domain.resolve.wording import content_units
from memplane.domain.text import fold

_TAIL_EN: Final = re.compile(
    r"\b(?:now|any ?more|instead|these days|at the moment|last|this|next|since|because|for (?:work|good|now|a|the|two|three|\d)|and|with|where|who|after|before|in (?:\d{4}|order|early|late|the)|on|from|again|as|permanently|currently|today|yesterday|full-time|part-time|two|three|ago|which|recently|when|by|to be)\b.*$|[.,;!?]+.*$",
    re.IGNORECASE,
)
_TAIL_ZH: Final = re.compile(
    r"(?:[了呢吧啦的]|生活|居住|定居|工作|上班|发展|因为.*|由于.*|已经.*|和.*一起.*|跟.*|,.*|,.*|。.*|不久|多年|[一二三四五六七八九十两\d]+[年个].*|附近|那边|这边|去)+$"
)
_NO_PLACE: Final = re.compile(
    r"公寓|房子|家里|宿舍|楼|出租|学校|酒店|父母|单元|室|小区|别墅|一起|隔壁|对面|医院|哪里?|外地|老家|国外|海边|山|乡下|农村|新家|新居|新房|这里|那里|市区|郊区|会议室|下|上|前|后"
)
_PLACE_EN: Final = (
    r"(?P<value>[A-Za-z\u00c0-\u024f][\w\u00c0-\u024f'.-]*(?: [A-Z\u00c0-\u00de][\w\u00c0-\u024f'.-]*){0,3})"
)
_RESIDENCE_EN: Final = re.compile(
    rf"^(?P<before>.*?)\b(?P<verb>(?:lives?|living|lived|resides?|residing|based|settled|moved|moving|relocated|relocating|(?:'s|s) home is|home is|house is)(?: back| over)?(?: from [\w ]+?)? (?:in|to|at)|left|moved out of|moved away from) {_PLACE_EN}"
)
_RESIDENCE_ZH: Final = re.compile(
    r"^(?P<before>.*?)(?:从(?P<left>[\u4e00-\u9fff]{2,6}))?(?P<verb>居住在|定居在|定居于|定居|住在|家住|(?<![老娘])家在|常住|搬家到|搬家去|搬到|搬去|搬至|迁居|移居|搬离|搬出|离开|搬回)了?(?P<value>[\u4e00-\u9fffA-Za-z·]{2,14})"
)
_EMPLOYER_EN: Final = re.compile(
    rf"^(?P<before>.*?)\b(?P<verb>works? (?:at|for)|working (?:at|for)|employed (?:at|by)|joined|left|quit|resigned from|job (?:at|with)|employer is|got fired from|was laid off (?:by|from)|moved from \w+ to) {_PLACE_EN}"
)
_EMPLOYER_ZH: Final = re.compile(
    r"^(?P<before>.*?)(?:在(?P<at>[\u4e00-\u9fffA-Za-z0-9·]{2,14}?)(?:公司)?(?:工作|上班|任职|就职|供职)|(?P<verb>入职|加入|跳槽到|跳槽去|跳槽至|离开|从)了?(?P<value>[\u4e00-\u9fffA-Za-z0-9·]{2,14}?)(?P<after>离职|辞职|$|工作|担任|做|,|公司|了|,))"
)
_NO_EMPLOYER: Final = re.compile(
    r"家里?|公司|学校|一起|项目|团队|俱乐部|群|会议|讨论|计划|办公室|远程|线上|北京|上海|深圳|广州|杭州|成都|周|月|这里|外面|晚上|白天|早上|购物车|健身|合唱|乐队|社团|班|课|国外|外地|医院"
)
_NO_NAME_EN: Final = re.compile(
    r"(?i)^(?:a|an|the|his|her|their|my|our|home|night|nights|weekends?|free|work|least|school|once|it|that|this|there|here|different|small|large|big|new|local|room|school|college|town|early|late|me|him|us|them|and|at|in|for|is|was|had|one|two|another|some|hospital|remote|remotely)\b"
)
_JOB_EN: Final = re.compile(
    r"^(?P<before>.*?)\b(?:works? as|working as|(?:job title|position|occupation|profession|role) (?:is|changed to|is now)|promoted to|became|is now|started as|hired as) (?:an? |the )?(?P<value>[\w -]{3,40})",
    re.IGNORECASE,
)
_JOB_ZH: Final = re.compile(
    r"^(?P<before>.*?)(?:(?:职位|职业|岗位|职务|头衔)(?:是|为|改为|变成|调整为)|升职?为|升任|晋升为?|转岗为|转岗到|转行做|改行做|担任|升成)了?(?:一名|一个|一位)?(?P<value>[\u4e00-\u9fffA-Za-z]{2,12})"
)
_MARITAL: Final = (
    ("single", r"单身|\bis single\b|\bsingle again\b|未婚"),
    ("married", r"已婚|结婚了|结了婚|\bmarried\b"),
    ("divorced", r"离婚|\bdivorced\b"),
    ("engaged", r"订婚|\bengaged\b(?! in| with)"),
    ("widowed", r"丧偶|\bwidow(?:ed|er)?\b"),
)
_AGE: Final = re.compile(
    r"^(?P<before>.*?)(?:今年|已经|now |is |turned )?(?P<value>\d{1,3}) ?(?:周?岁|years? old)(?!的?(?:时候|那年|时))"
)
_CALLED: Final = re.compile(
    r"^(?P<before>.*?)(?:(?:(?:叫|称呼|喊)(?:我|他|她|用户|自己)|(?:以后|希望|改口|可以|直接|请)(?:叫|称呼|喊)(?:我|他|她|用户|自己)?)(?:为|做|作)?(?P<zh>[\u4e00-\u9fffA-Za-z]{1,6})$|\b(?:[Cc]all (?:me|him|her|the user|them)|be called|goes by|addressed as) (?P<en>[A-Z][\w. ]{0,20}))"
)
_NAMED: Final = re.compile(
    r"^(?P<before>.*?)(?:名字|全名|姓名)(?:是|叫|改为|改成)(?P<zh>[\u4e00-\u9fff·A-Za-z]{2,12})|^(?P<before_en>.*?)\bname is (?:now )?(?P<en>[A-Z][\w'. -]{1,30})"
)
_HAS: Final = re.compile(
    r"^(?P<before>.*?)(?:(?P<zh>没有|没|有|养了|养着|拥有)(?P<what_zh>(?:[两二三四五六七八九十一\d]{1,3}[只个条辆台套位头匹部]?)?[\u4e00-\u9fffA-Za-z]{1,8})$"
    r"|\b(?P<en>has no|have no|doesn't have|does not have|has|have|owns|own|no longer has|no longer owns)(?: got| only)? (?P<what_en>(?:an? |any |one |two |three |four |five |six |seven |eight |\d+ )?[a-z][\w -]{1,24})$)",
    re.IGNORECASE,
)
_NO_THING: Final = re.compile(
    r"过敏|厘米|公斤|斤|米|岁|元|块|cm|kg|问题|时间|兴趣|可能|必要|关系|意思|办法|事|会议?|约|空|来|去|到|说|吃|喝|人|allerg|meeting|appointment|time|been|to |not|lunch|dinner|breakfast|preference|idea|interest|trouble|never|flight|call|interview|trip|plan|party|class|date"
)


def claims_in(clause: str) -> list[Claim]:
    """What a clause says of a person's residence, employer, work, family state, age, name and possessions."""
    return [
        claim
        for claim in (
            _residence(clause),
            _employer(clause),
            _job(clause),
            _marital(clause),
            _age(clause),
            _name(clause),
            _has(clause),
        )
        if claim is not None
    ]


def _residence(clause: str) -> Claim | None:  # noqa: PLR0911 (one answer a line reads best)
    match = _RESIDENCE_EN.search(clause)
    if match and not re.search(r"\b(?:was|were|be|been|is) (?:moved|moving)\b", clause, re.IGNORECASE):
        value = _TAIL_EN.sub("", match["value"]).strip(" .")
        leaving = bool(re.match(r"left|moved out|moved away", match["verb"]))
        named = value[:1].isupper() or is_known_place(value)
        if (
            not value
            or not named
            or _NO_NAME_EN.match(value)
            or (match["verb"] == "left" and not is_known_place(value))
        ):
            return None
        if re.search(r"\b(?:used to|formerly|previously)\s*$", match["before"]) or match["verb"].startswith("lived"):
            return None
        return _single("residence", match["before"], value, positive=not leaving and not denied(match["before"]))
    match = _RESIDENCE_ZH.search(clause)
    if match is None or re.search(r"以前|曾经?|曾|原来|小时候|出差|旅游", match["before"]):
        return None
    value = _TAIL_ZH.sub("", match["value"])
    if len(value) < 2 or (_NO_PLACE.search(value) and not is_known_place(value)):
        return None
    leaving = match["verb"] in {"搬离", "搬出", "离开"}
    if match["verb"] == "离开" and not is_known_place(value):
        return None
    before = match["before"]
    return _single("residence", before, value, positive=not leaving and not denied(before))


def _employer(clause: str) -> Claim | None:
    match = _EMPLOYER_EN.search(clause)
    if match:
        value = _TAIL_EN.sub("", match["value"]).strip(" .")
        leaving = match["verb"].split()[0] in {"left", "quit", "resigned", "got", "was"}
        if not value or not value[0].isupper() or _NO_NAME_EN.match(value) or is_known_place(value):
            return None
        return _single("employer", match["before"], value, positive=not leaving and not denied(match["before"]))
    match = _EMPLOYER_ZH.search(clause)
    if match is None or re.search(r"以前|曾经?|原来", match["before"]):
        return None
    value = match["at"] or match["value"]
    leaving = match["verb"] in {"离开", "从"} if match["verb"] else False
    if match["verb"] == "从" and match["after"] not in {"离职", "辞职"}:
        return None
    if _NO_EMPLOYER.search(value) or is_known_place(value):
        return None
    return _single("employer", match["before"], value, positive=not leaving and not denied(match["before"]))


def _job(clause: str) -> Claim | None:
    match = _JOB_EN.search(clause) or _JOB_ZH.search(clause)
    if match is None:
        return None
    value = _TAIL_ZH.sub("", _TAIL_EN.sub("", match["value"]).strip())
    if not value or re.search(
        r"\b(?:known|available|clear|late|true|fine|closed|open|delayed|blocked|able)\b", value, re.IGNORECASE
    ):
        return None
    if re.search(r"\bis now\b|\bbecame\b", fold(clause)) and not re.search(
        r"(?:er|or|ist|ian|ant|manager|lead|head|engineer|chief|officer|nurse|designer)$", fold(value)
    ):
        return None
    return _single("job", match["before"], value, positive=not denied(match["before"]))


def _marital(clause: str) -> Claim | None:
    folded = fold(clause)
    for value, pattern in _MARITAL:
        match = re.search(pattern, folded)
        if match and not re.search(r"纪念日|anniversary|证|婚礼|wedding|典礼|\d周年", folded):
            before = folded[: match.start()]
            return _single("marital", before, value, positive=not denied(before))
    return None


def _age(clause: str) -> Claim | None:
    match = _AGE.search(fold(clause))
    if match is None or len(match["before"]) > 20:
        return None
    return _single("age", match["before"], match["value"], positive=not denied(match["before"]))


def _name(clause: str) -> Claim | None:
    match = _CALLED.search(clause)
    if match and (value := match["zh"] or match["en"]):
        return _single("called", match["before"], value, positive=not denied(match["before"]))
    match = _NAMED.search(clause)
    if match and (value := match["zh"] or match["en"]):
        return _single("name", match["before"] or match["before_en"] or "", value, positive=True)
    return None


def _has(clause: str) -> Claim | None:
    match = _HAS.search(clause.strip(" .。"))
    if match is None:
        return None
    what = match["what_zh"] or match["what_en"]
    if _NO_THING.search(fold(what)) or anchors(what).dates:
        return None
    verb = fold(match["zh"] or match["en"])
    numbers = anchors(what).numbers
    thing = [unit for unit in content_units(_NUMERAL.sub("", fold(what))) if unit not in numbers and not unit.isdigit()]
    if not thing:
        return None
    positive = not (
        verb in {"没有", "没", "has no", "have no"} or "not" in verb or "n't" in verb or "no longer" in verb
    )
    subject = subject_of(match["before"])
    return _claim(f"has:{' '.join(sorted(thing))}", subject, frozenset(numbers or {"some"}), positive, what)


_NUMERAL: Final = re.compile(
    r"^(?:[一两二三四五六七八九十\d]{1,3}[只个条辆台套位头匹部]|(?:an?|any|one|two|three|four|five|six|seven|eight|\d+) )"
)


def _single(slot: str, before: str, value: str, *, positive: bool) -> Claim | None:
    return _claim(slot, subject_of(before), frozenset(content_units(value) or {fold(value)}), positive, value)


def _claim(slot: str, subject: str, value: frozenset[str], positive: bool, said: str) -> Claim | None:
    if not subject:
        return None
    return Claim(slot=slot, subject=subject, value=value, positive=positive, said=said)
