# ruff: noqa: E501 (tables read best one entry a line)
"""Things of which a user has one at a time, and the words for their values: the closed part of the preferences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memplane.domain.text import normalise_for_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedSlot:
    """A slot with a known vocabulary."""

    name: str
    values: re.Pattern[str]
    """What its value looks like."""
    context: re.Pattern[str] | None
    """What must stand in the clause besides the value; None: the value says enough."""
    directive: bool = False
    """Whether value and context alone make a wish ("answers in bullet points, please")."""


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_REPLY = r"回复|回答|答案|说话|讲话|答复|输出|你的话|解释|answers?|repl(?:y|ies)|responses?|explanations?|talk to me|speak|write to me|(?:summary|summaries)|汇报|报告|总结|reports?"

CLOSED_SLOTS: Final = tuple(
    ClosedSlot(
        name=f"user/preference/{name}",
        values=_compiled(values),
        context=_compiled(context) if context else None,
        directive=directive,
    )
    for name, values, context, directive in (
        ("report_channel",
         r"企业微信|企微|微信(?!支付)|钉钉|飞书|邮件|邮箱|电邮|短信|电话|语音|站内信|\b(?:slack|(?:microsoft )?teams|e-?mails?|text messages?|sms|phone(?: calls?)?|telegram|what(?:s)? ?app|discord|we ?chat|lark|dingtalk)\b",
         r"汇报|报告|通知|联系|日报|周报|月报|沟通|提醒|推送|告知|发我|发给我|发到|发送|发(?:邮件|短信|微信)|找我|同步|reports?|notif|contact|reach|send|updates?|messages? me|summary|summari[sz]|post|remind|ping|alert|get back to me|let me know|communicat|digest|newsletter|call me|text me|email me|打我|发邮件|发短信|打电话", True),
        ("language",
         r"中文|英文|英语|日语|日文|法语|德语|韩语|西班牙语|普通话|粤语|繁体(?:中文)?|简体(?:中文)?|\b(?:english|chinese|mandarin|spanish|french|german|japanese|korean|italian|portuguese|dutch|russian)\b",
         r"回答|回复|答复|交流|沟通|跟我说|和我说|对话|输出|answer|repl(?:y|ies)|respon[ds]|talk to me|speak to me|write to me|communicat", True),
        ("reply_length",
         r"简短|简洁|精简|简明|简单|短一?点|短些|言简意赅|长话短说|详细|详尽|啰嗦|冗长|\d+字以?内|不超过\d+字|\b(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|succinct|terse|to the point|detailed|in detail|long(?:er)?|verbose|wordy|under \d+ words)\b",
         _REPLY, True),
        ("reply_format",
         r"条目式?|要点|列表|分点|清单|表格|markdown|项目符号|段落|\b(?:bullet(?: ?points?|ed lists?|s)?|tables?|lists?|markdown|paragraphs?|prose|plain text)\b",
         None, False),
        ("tone", r"正式|随意|幽默|客套|官方|口语化?|亲切|\b(?:formal|casual|polite|friendly|humorous|informal|professional)\b", _REPLY + r"|语气|风格|tone|style|with me", True),
        ("lodging",
         r"(?:有?设计感的?|商务|连锁|经济型?|五星级?|四星级?|豪华|精品|快捷|亲子|度假)(?:酒店|民宿|宾馆)|民宿|青旅|青年旅舍|客栈|公寓式酒店|\b(?:(?:business|boutique|chain|budget|luxury|design|five-star|4-star|5-star|family-run|small) (?:hotels?|guest ?houses?)|guest ?houses?|hostels?|airbnbs?|b&bs?|bed and breakfasts?|serviced apartments?)\b",
         None, False),
        ("seat", r"靠窗|靠过道|靠走道|过道|\b(?:window|aisle)(?: seats?)?\b", r"座|位|坐|飞|火车|高铁|航班|seat|flights?|fly|flying|planes?|trains?", False),
        ("cabin", r"经济舱|商务舱|头等舱|\b(?:economy|business class|first class|premium economy)\b", None, False),
        ("transport", r"高铁|火车|动车|飞机|自驾|地铁|打车|开车|公交|骑车|\b(?:trains?|planes?|fly(?:ing)?|driv(?:e|ing)|bus(?:es)?|subway|metro|taxis?|cycling|bike|biking)\b",
         r"坐|乘|出行|取?道|通勤|短途|长途|出差|旅行|上班|take|travel|trips?|commute|go by|get around|get to work", False),
        ("payment_method", r"支付宝|微信支付|信用卡|花呗|现金|银联|云闪付|对公转账|\b(?:paypal|credit cards?|debit cards?|apple pay|google pay|alipay|wechat pay|cash|bank transfers?|wire transfers?)\b",
         r"付款|支付|付|结账|买单|pay|checkout|purchases?|payments?", True),
    )
)  # fmt: skip

_DIET: Final = tuple(
    (item, re.compile(pattern, re.IGNORECASE))
    for item, pattern in (
        ("spicy", r"辣(?!妹)|\bspic[yei]\w*(?: food)?|\bhot food\b"),
        ("cilantro", r"香菜|芫荽|\b(?:cilantro|coriander)\b"),
        ("peanuts", r"花生|\bpeanuts?\b"),
        ("seafood", r"海鲜|虾|蟹|\b(?:seafood|shrimps?|prawns?|crabs?|shellfish)\b"),
        ("pork", r"猪肉|\b(?:pork|bacon|ham)\b"),
        ("beef", r"牛肉|\b(?:beef|steaks?)\b"),
        ("lamb", r"羊肉|\b(?:lamb|mutton)\b"),
        ("fish", r"(?<!钓)鱼(?!缸)|\bfish\b|\bsushi\b"),
        ("meat", r"(?<![猪牛羊鸡])肉|荤|\bmeat\b"),
        ("coffee", r"咖啡|\bcoffee\b|\bespresso\b"),
        ("tea", r"茶|\btea\b"),
        ("milk", r"牛奶|奶制品|乳制品|\b(?:milk|dairy|lactose)\b"),
        ("alcohol", r"(?<!葡萄)酒(?![店吧])|\b(?:alcohol|wine|beer|liquor)\b"),
        ("sweets", r"甜[食点品的]?|\b(?:sugar|sweets?|desserts?)\b"),
        ("onions", r"洋葱|\bonions?\b"),
        ("garlic", r"大?蒜|\bgarlic\b"),
        ("eggs", r"鸡蛋|\beggs?\b"),
    )
)

REGIME: Final = re.compile(
    r"素食(?:主义)?者?|纯素|吃素|清真|无麸质|生酮|\b(?:vegetarian|vegan|pescatarian|halal|kosher|gluten[- ]free|keto)\b", re.IGNORECASE
)  # fmt: skip
"""Ways of eating; a person follows one."""

NAMES_ITSELF: Final = frozenset({"reply_format", "lodging", "cabin"})


def closed_slot(clause: str, value_within: str | None = None) -> tuple[ClosedSlot, str] | None:
    """The closed slot that ``clause`` speaks of and its value, searched in ``value_within`` (default: the clause)."""
    within = clause if value_within is None else value_within
    for slot in CLOSED_SLOTS:
        value = slot.values.search(within)
        if value and (slot.context is None or slot.context.search(clause)):
            return slot, value[0]
    return None


def diet_item(text: str) -> str | None:
    """The name of the food or drink that ``text`` is about, one name in both languages."""
    return next((item for item, pattern in _DIET if pattern.search(text)), None)


def slot_part(value: str) -> str:
    """A value as a part of a slot: one spelling whatever the case and spacing, no slash, at most 48 characters."""
    return normalise_for_hash(value)[:48].replace("/", " ").strip() or "this"
