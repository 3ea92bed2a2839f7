# ruff: noqa: E501 (patterns read best one alternative a line)
"""Claims about things of which one holds at a time: the state of a project or order, a price, a date, a favourite; plans."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.resolve import lexicon
from memplane.domain.resolve.anchors import anchors, single_letters
from memplane.domain.resolve.claim import USER, Claim
from memplane.domain.resolve.places import is_known_place
from memplane.domain.resolve.subjects import denied, subject_of
from memplane.domain.resolve.wording import content_units
from memplane.domain.text import fold

PLAN: Final = "plan"

_STATES: Final = (
    ("unpaid", r"未付款|待付款|未支付|\bunpaid\b|awaiting payment"),
    ("paid", r"已付款|已支付|付款成功|\b(?:is|was|been) paid\b"),
    ("delivered", r"已送达|已签收|\bdelivered\b"),
    ("shipped", r"已发货|\bshipped\b"),
    ("refunded", r"已退款|\brefunded\b"),
    ("cancelled", r"已取消|被取消|取消了$|\bcancell?ed\b"),
    (
        "recovered",
        r"已?恢复(?:正常)?|已解决|正常推进|按计划|\brecovered\b|\bback on track\b|\bon track\b|\bon schedule\b|\bresolved\b|\bunblocked\b",
    ),
    ("delayed", r"延期|延迟|延误|推迟了|\bdelayed\b|behind schedule|\bpostponed\b(?! to| until)"),
    ("blocked", r"阻塞|卡住|受阻|\bblocked\b|\bstuck\b"),
    ("paused", r"暂停|搁置|\bpaused\b|\bon hold\b"),
    ("rejected", r"被驳回|已驳回|未通过|\brejected\b|\bdeclined\b"),
    ("approved", r"已审批|已批准|已通过|审批通过|\bapproved\b"),
    ("running", r"进行中|正在开发|\bin progress\b|\bunder way\b"),
    ("done", r"已完成|已上线|已结束|完成了$|\bcompleted\b|\b(?:is|are) (?:now )?(?:done|finished|live)\b"),
    ("closed", r"已关闭|已停用|\bis (?:now )?(?:closed|disabled)\b"),
    ("open", r"已开启|已启用|\bis (?:now |still )?(?:open|enabled)\b(?! to)"),
)
_GROUPS: Final = {
    **dict.fromkeys(("unpaid", "paid", "shipped", "delivered", "refunded"), "order"),
    **dict.fromkeys(("rejected", "approved"), "decision"),
    **dict.fromkeys(("open", "closed"), "access"),
}
_SET_ZH: Final = re.compile(
    r"^(?P<what>.{1,24}?)(?P<verb>(?:已|又)?(?:改为|改成|改到|改在|更正为|更正成|纠正为|调整为|调整到|更新为|变更为|变成|变为|换成|换为|升级到|涨到|降到|推迟到|提前到|延期到|定在|定于|安排在|在(?=[周星上下明今后本]|\d|早|晚)|[是为]|[:=：]))(?:了)?(?P<value>[^,，。;；]{1,30})"
)
_SET_EN: Final = re.compile(
    r"^(?P<what>.{2,50}?)\s+(?P<verb>(?:is|was|has been|been|are|were)?\s*(?:now |actually |currently )?(?:changed to|updated to|corrected to|set to|set for|moved to|postponed to|postponed until|rescheduled to|rescheduled for|brought forward to|raised to|lowered to|reduced to|increased to|switched to|renamed to|scheduled for|due on|due|at|on|is|was|are)(?: now| actually)?)\s+(?P<value>[^,.;]{1,40}(?:\.\d+)?)",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"改|更正|纠正|调整|更新|变|换|升级|涨|降|推迟|提前|延期|changed|updated|corrected|set to|moved|postponed|rescheduled|brought|raised|lowered|reduced|increased|switched|renamed|actually"
)
_PRESET: Final = re.compile(r"^(?:把|将|the |correction:? ?|更正[:,， ]?|纠正[:,， ]?|请把|请将)")
_ATTRIBUTE_WORDS: Final = re.compile(
    r"价|报价|房租|月租|工资|预算|费用|金额|账期|电话|手机|号码|尾号|邮箱|地址|密码|生日|日期|时间|期限|截止|负责人|联系人|版本|颜色|尺码|尺寸|身高|体重|血型|时区|名称|抬头|口味|座位|房间|车牌|人数|数量|目标|主题|职位|城市|语言|品牌|型号|频率|汇率|税率|折扣|供应商|审批人|地点"
    r"|price|quote|budget|cost|amount|term|phone|number|e-?mail|address|password|birthday|date|time|deadline|owner|manager|contact|version|colou?r|size|height|weight|blood type|time ?zone|title|seat|room|plate|headcount|quantity|target|theme|city|language|brand|model|frequency|rate|discount|supplier|vendor|approver|location|venue|lead|limit|salary|rent|wage|size|headline"
)
_ATTRIBUTE_STEMS: Final = (
    ("price", r"报价|价格|价钱|售价|price|quote"),
    ("phone", r"手机|电话|phone"),
    ("deadline", r"截止|期限|deadline|due"),
    (
        "time",
        r"时间|会议|开会|例会|评审|meeting|appointment|review|call|flight|航班|interview|面试|体检|demo|standup|课",
    ),
)
_TIMED: Final = re.compile(
    r"会议|开会|例会|评审|面试|体检|航班|发布|上线|交付|验收|考试|培训|婚礼|聚会|课|截止|期限|deadline|meeting|appointment|review|call|flight|interview|release|launch|demo|standup|exam|training|wedding|party|delivery|class|checkup|due"
)
_FAVOURITE_ZH: Final = re.compile(
    r"^(?P<before>.*?)最(?:喜欢|爱)(?:吃|喝|看|听|去|用|玩)?的(?P<what>[\u4e00-\u9fff]{1,6}?)(?:是|变成了?|换成了?|改成了?)(?P<value>[^,，。;；]{1,20})"
)
_FAVOURITE_EN: Final = re.compile(
    r"^(?P<before>.*?)\bfavou?rite (?P<what>[a-z ]{2,20}?) (?:is|are|was changed to|became|has become|changed to)(?: now| currently)? (?P<value>[^,.;]{1,40})",
    re.IGNORECASE,
)
_PLAN_ZH: Final = re.compile(
    r"^(?P<before>.*?)(?P<verb>取消了?|不去了?|(?:要|打算|计划|准备|想|将|会|改)?去)(?P<rest>.*)$"
)
_PLAN_PLACE_ZH: Final = re.compile(
    r"^(?:了)?(?:.{0,8}?去)?(?P<value>[\u4e00-\u9fff]{2,4}?)(?:的?(?:出差|旅游|旅行|玩|度假|参会|开会|行程|计划|机票|之行|过年|看望|团建|转机)|了|$)"
)
_PLAN_EN: Final = re.compile(
    r"^(?P<before>.*?)\b(?P<verb>(?:is |are |am |'m |was )?(?:not |no longer )?(?:going|travell?ing|flying|heading|planning a trip|plans? to (?:go|travel|fly)|will (?:not )?(?:go|travel|fly)|wants to go|won't (?:go|travel|fly)|trip)|visiting|plans? to visit|cancell?ed|cancels?)\b(?:.{0,24}?\b(?:trip )?to)? (?P<value>[A-Z][\w-]+(?: [A-Z][\w-]+)?)"
)
_ELLIPTIC: Final = re.compile(
    r"^(?:(?:算了|不去了|取消吧?|算了不去了|先不去了|不用去了|never mind|cancel (?:it|that)|not going (?:any ?more|after all)|i'm not going|forget it|用户取消了行程|the user is not going (?:any ?more|after all)|the user cancell?ed the trip|用户不去了)[ 。.!！]*)+$"
)


def claims_in(clause: str) -> list[Claim]:
    """What a clause says of a state, an attribute, a favourite or a plan."""
    claims = [_favourite(clause), _state(clause), _attribute(clause), _plan(clause)]
    return [claim for claim in claims if claim is not None]


def elliptic_cancel(text: str) -> Claim | None:
    """The claim of a text that only calls something off ("算了不去了", "never mind"), or None."""
    if not _ELLIPTIC.fullmatch(fold(text).replace(",", "").replace(",", "").replace("我", "").strip()):
        return None
    return Claim(slot=PLAN, subject=USER, value=frozenset(), positive=False, said=text)


def _state(clause: str) -> Claim | None:
    folded = fold(clause)
    for value, pattern in _STATES:
        match = re.search(pattern, folded)
        if match is None:
            continue
        subject = _thing(folded[: match.start()])
        if not subject:
            return None
        if denied(folded[max(0, match.start() - 12) : match.start()]):
            return None
        group = _GROUPS.get(value, "progress")
        return Claim(slot=f"state.{group}", subject=subject, value=frozenset({value}), said=match[0])
    return None


def _attribute(clause: str) -> Claim | None:
    for pattern in (_SET_ZH, _SET_EN):
        match = pattern.match(_PRESET.sub("", fold(clause)))
        if match is None:
            continue
        what, verb, value = match["what"], match["verb"], match["value"]
        found = anchors(value)
        exact = bool(found.numbers or found.ids or found.dates)
        timed = bool(found.dates) and bool(_TIMED.search(what))
        changed = bool(_CHANGED.search(verb))
        if re.fullmatch(r"(?:is|was|are)?\s*(?:at|on)", verb.strip()) and not timed:
            continue
        if re.match(r"太|too\b|很|非常|very\b", value):
            continue  # a judgement, not a value
        named = bool(_ATTRIBUTE_WORDS.search(what))
        if not (
            timed
            or (named and (exact or changed or "的" in what or "'s" in what or re.match(r"\w+ of ", what)))
            or (named and len(what) < 14)
            or (changed and exact)
        ):
            continue
        subject = _thing(what)
        if not subject or subject == USER or denied(what) or denied(verb):
            continue
        value = re.split(r"(?:,|,|\binstead\b|\bnot\b|不是|而不是|\bfrom\b)", value)[0]
        units = frozenset(content_units(_plain_value(value)))
        topic = next((name for name, words in _ATTRIBUTE_STEMS if re.search(words, what)), "value")
        kinds = found.dates and topic == "time"
        sort = "date" if found.dates else "number" if found.numbers else "text"
        return Claim(
            slot=f"attribute.{topic}.{sort}",
            subject=subject,
            value=(found.dates if kinds else _exact(value) or units),
            said=value.strip(),
        )
    return None


def _exact(value: str) -> frozenset[str]:
    found = anchors(value)
    return found.numbers | found.ids | found.dates


def _plain_value(value: str) -> str:
    return re.sub(r"\b(?:now|instead|any ?more)\b|[了吧啦呢]$", "", value)


def _favourite(clause: str) -> Claim | None:
    match = _FAVOURITE_ZH.search(clause) or _FAVOURITE_EN.search(clause)
    if match is None:
        return None
    subject = subject_of(match["before"])
    what = " ".join(sorted(content_units(match["what"])))
    value = frozenset(content_units(_plain_value(fold(match["value"]))))
    return (
        Claim(slot=f"favourite.{what}", subject=subject, value=value, said=match["value"])
        if subject and value
        else None
    )


def _plan(clause: str) -> Claim | None:  # noqa: PLR0911 (one answer a line reads best)
    match = _PLAN_EN.search(clause)
    if match:
        verb = fold(match["verb"])
        if re.search(r"\bused to\b|\bhas been\b|\bwent\b", fold(match["before"])):
            return None
        positive = not (
            "not" in verb
            or "no longer" in verb
            or "n't" in verb
            or verb.startswith("cancel")
            or denied(match["before"])
            or re.search(r"cancel", fold(match["before"]))
        )
        return _trip(match["before"], match["value"], positive)
    folded = fold(clause)
    found = _PLAN_ZH.search(folded)
    if found is None:
        return None
    place = _PLAN_PLACE_ZH.match(found["rest"])
    if place is None or not (is_known_place(place["value"]) or re.search(r"出差|旅游|旅行|度假|行程", found["rest"])):
        return None
    if re.search(r"(?:吃|喝|健身|医院|公司|上班|超市|学校)", place["value"]) or re.search(
        lexicon.EVENT_ZH, folded[: found.start("rest")] + "了" if "去了" in folded else ""
    ):
        return None
    if re.match(r"了(?!$)", found["rest"]) and found["verb"].endswith("去") and not found["verb"].startswith("不"):
        return None
    positive = not (found["verb"].startswith(("取消", "不去")) or denied(found["before"]))
    return _trip(
        re.sub(r"[\d年月日号下上这本周星期一二三四五六日末天]+", "", found["before"]), place["value"], positive
    )


def _trip(before: str, place: str, positive: bool) -> Claim | None:
    subject = subject_of(re.sub(r"\b(?:next|last|this) \w+|\bon \w+day\b", "", fold(before)))
    if "cancel" in subject or "trip" in subject:
        subject = USER
    return (
        Claim(slot=PLAN, subject=subject, value=frozenset({fold(place)}), positive=positive, said=place)
        if subject
        else None
    )


def _thing(before: str) -> str:
    """The thing spoken of, as sorted content words and identifiers; "" for none."""
    text = re.sub(r"^(?:更正|纠正|correction)[:,:, ]*", "", fold(before))
    text = re.sub(
        r"\d{4}-\d{2}-\d{2}|[上下本这]周|这个?月|今天|目前|现在|最终|正式|已经?|进度|状态|正在|原因是.*|由于.*|\b(?:this week|now|currently|still|status|progress|has been|have been|is|was|are|been|again|fully|finally|the|of|due to .*|because .*)\b",
        " ",
        text,
    )
    units = [unit for unit in content_units(text) if unit not in {"用户", "时间", "time", "date", "日期", "to"}]
    return " ".join(sorted({*units, *single_letters(before)}))
