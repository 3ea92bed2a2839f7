# ruff: noqa: E501 (patterns)
"""Business facts told in words: terms, accounts, invoices, budgets, deadlines, and the state of a project.

The status of an order, an approval or a task becomes a fact only from a tool or a business event: what a user says of
it is their view and stays a statement without a key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memplane.domain.extraction.perspective import third_person
from memplane.domain.extraction.reading import Clause, Finding, Trigger
from memplane.domain.memory import Kind
from memplane.domain.statements import JSON

_IS_ZH: Final = r"\s*(?:填错了?|写错了?|不对|有误|错了)?[，,]?\s*(?:已经?|现在|统一|请|都|暂定|初步|目前|应该|最终|就)*(?:(?:更新|调整|变更|改|换|变|定|设置?|修改)(?:成|为|到|在)|更正为|改用|是|为|用|有|写|填|要|需要?|得|最长|长达|[:：=])\s*"
_IS_EN: Final = r"(?:\s+(?:for|of|with|on|to)\s+[\w '’-]{1,40}?)?(?:\s+is wrong,?\s*(?:it|that) should be|\s+should (?:now )?be|\s+(?:has |have |was |were |is |are )?(?:been )?(?:changed|updated|moved|set|corrected|extended|raised|cut|reduced|increased) to|\s+(?:is|are|will be)(?: now| still)?|\s*[:=])\s*"
_CHANGE_ZH: Final = r"(?:把|将|请把|帮我把|麻烦把)\s*{topic}.{{0,12}}?(?:调整|更新|变更|修改|改|换|设置?|定)(?:为|成|到|在)\s*"
_CHANGE_EN: Final = r"\b(?:change|set|update|adjust|move|correct|raise|lower|reduce|cut|increase|extend)\s+(?:the |our |my |that |this )?{topic}(?:\s+(?:for|of|with)\s+[\w '’-]{{1,40}}?)?(?:\s+from\s+\S+)?\s+to\s+"
_MONEY: Final = r"(?P<value>[¥￥$€£]?\s*(?:\d[\d,.]*|[一二两三四五六七八九十百]+(?=[万千百]))\s*(?:百|万|亿|千|k|m|元|块|美元|欧元|usd|eur|rmb|dollars|euros)*)"
_WORDS_ZH: Final = r"(?P<value>[^，,。!！?？;；]{2,60}?)(?:吧|了|哦|啊)?(?=$|[，,。;；])"
_WORDS_EN: Final = r"(?P<value>[^.!?;]{2,70}?)(?:\s+(?:from now on|please|instead|now))*(?=$|[.!;](?:\s|$)|,\s+(?:not|please|and|but|instead)\b)"
_PERSON_ZH: Final = r"(?P<value>[\u4e00-\u9fff]{2,4}?|[A-Z][A-Za-z .]{1,30}?)(?:吧|了|来|审批|负责)?(?=$|[，,。;；])"
_PERSON_EN: Final = r"(?P<value>(?:Mr\. |Ms\. |Dr\. )?[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,2})"
_DATE_ZH: Final = r"(?P<value>(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]?|\d{4}-\d{1,2}-\d{1,2}|(?:本|下|这)?(?:个)?(?:周|月|星期)[一二三四五六日天底末]|明天|后天|今天|[\d一二三四五六七八九十]+[号日])"
_DATE_EN: Final = r"(?P<value>(?:next |this |the )?(?:\d{4}-\d{1,2}-\d{1,2}|(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|today|end of (?:the |this |next )?(?:week|month|quarter|year)))"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    name: str
    patterns: tuple[re.Pattern[str], ...]
    customer: bool = False
    days: bool = False
    dated: bool = False


def _field(name: str, zh: str, en: str, *, value_zh: str, value_en: str, extra: tuple[str, ...] = (), customer: bool = False, days: bool = False, dated: bool = False) -> _Field:
    patterns = (
        rf"(?:{zh}){_IS_ZH}{value_zh}", _CHANGE_ZH.format(topic=f"(?:{zh})") + value_zh,
        rf"\b(?:{en}){_IS_EN}{value_en}", _CHANGE_EN.format(topic=f"(?:{en})") + value_en, *extra,
    )  # fmt: skip
    return _Field(name=name, patterns=tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns), customer=customer, days=days, dated=dated)


_DAYS_ZH: Final = r"(?:月结|票到|货到|开票后|收货后)?\s*(?P<value>\d{1,3})\s*(?:个?工作日|天|日)"
_DAYS_EN: Final = r"(?:net )?(?P<value>\d{1,3})(?: (?:business )?days)?\b"
_FIELDS: Final = (
    _field("payment_term_days", "账期|付款周期|付款期限|回款周期|结算周期|付款账期", r"(?:payment|credit) (?:terms?|period)", value_zh=_DAYS_ZH, value_en=_DAYS_EN, customer=True, days=True,
           extra=(r"\b(?P<customer>[A-Z]\w+) (?:always |usually )?pays? (?:us )?(?:in|within|after) (?P<value>\d{1,3}) days",)),
    _field("settlement_account_tail", "(?:结算|收款|付款|银行)?(?:账号|账户|卡号|银行卡)(?:的)?(?:尾号)?", r"(?:settlement|payout|bank|payment)?\s*(?:account|card)(?: number)?", value_zh=r"(?:的)?(?:尾号)(?:是|为)?\s*(?P<value>\d{4})(?!\d)", value_en=r"(?:the one )?ending (?:in|with) (?P<value>\d{4})(?!\d)",
           extra=(r"(?:账号|账户|卡)(?:的)?尾号(?:是|为|用)?\s*(?P<value>\d{4})(?!\d)", r"尾号(?:是|为)?\s*(?P<value>\d{4})(?!\d)的?(?:卡|账[号户])", r"\b(?:account|card)\b[\w ]{0,24}?\bending (?:in|with)(?: is)? (?P<value>\d{4})(?!\d)")),
    _field("invoice_title", "(?:发票|开票)(?:的)?抬头|抬头", r"invoice (?:title|name|header)|billing name", value_zh=_WORDS_ZH, value_en=_WORDS_EN,
           extra=(r"发票(?:请|都)?开(?:给|成)(?P<value>[^，,。]{4,40}?)(?=$|[，,。])", r"\b(?:make|issue) the invoice (?:out )?to (?P<value>[A-Z][^,.!?]{2,50}?)(?=$|[,.!])")),
    _field("tax_number", "税号|纳税人识别号", r"tax (?:id|number)|vat number", value_zh=r"(?P<value>[A-Z0-9]{9,20})", value_en=r"(?P<value>[A-Z0-9-]{6,20})"),
    _field("shipping_address", "(?:收货|邮寄|寄送|配送|送货|快递)(?:的)?地址", r"(?:shipping|delivery|mailing) address", value_zh=_WORDS_ZH, value_en=_WORDS_EN,
           extra=(r"(?:都|请)?(?:寄|送|发)(?:到|去|往)(?P<value>[\u4e00-\u9fff]{2,}(?:省|市|区|县|路|街|号|楼|室|大厦|小区)[^，,。]{0,30})(?=$|[，,。])", r"\b(?:ship|deliver|mail) (?:it|them|this|everything|the \w+|all \w+|orders?) to (?P<value>(?:my |our )?\d[^.!?;]{4,60}?)(?:\s+(?:from now on|please|instead))*$")),
    _field("budget_limit", "(?:预算|费用)(?:上限|总额|额度)?", r"budget(?: limit| cap)?", value_zh=r"(?:大概|大约|不超过|最多|控制在|在)*" + _MONEY, value_en=r"(?:about |around |at most |up to |under |capped at )?" + _MONEY,
           extra=(r"(?:报销|消费|住宿|餐饮|差旅)?(?:限额|额度|标准|上限)(?:是|为|不超过|控制在|:|：)+\s*" + _MONEY, r"\b(?:expense|spending|travel|hotel|daily) (?:limit|cap|allowance)\b.{0,20}? (?:is|of|at)\s+" + _MONEY, r"预算(?:大概|大约|不超过|最多|控制在|在|只有|就)+" + _MONEY,)),
    _field("quoted_price", "(?:报价|单价|价格|总价|售价)", r"(?:quote|quoted price|unit price|price|offer)", value_zh=_MONEY, value_en=_MONEY,
           extra=(r"每(?:件|个|台|斤|吨|小时|箱|套|天|人)(?:是|按)?\s*(?P<value>[¥$]?\d[\d,.]*\s*(?:元|块|美元)?)(?=$|[，,。])", r"(?P<value>[$€£]?\d[\d,.]*)(?: dollars| euros| bucks)? (?:apiece|each|per (?:unit|piece|item|hour|seat|head)|an hour)\b")),
    _field("approver", "(?:审批|批准|审核)人", r"approver|person who approves", value_zh=_PERSON_ZH, value_en=_PERSON_EN,
           extra=(r"(?:由|找|让)(?P<value>[\u4e00-\u9fff]{2,4}?)(?:来)?审批", r"\b(?P<value>[A-Z]\w+(?: [A-Z]\w+)?) (?:approves|will approve|signs off)")),
    _field("delivery_date", "(?:交付|交货|发货|上线|验收|发布|发版)(?:的)?(?:日期|时间|日)", r"(?:delivery|due|ship|launch|release|go-live) date", value_zh=_DATE_ZH, value_en=r"(?:on )?" + _DATE_EN, dated=True,
           extra=(r"\b(?:release|launch|delivery|go-live|handover) (?:is|are|has been|was) (?:set|scheduled|planned|fixed|due) (?:for|on) (?:the )?(?P<value>\d{1,2}(?:st|nd|rd|th)?[^,.]{0,24}|\w+day[^,.]{0,20})",)),
    _field("deadline", "截止(?:的)?(?:日期|时间|日)?|最后期限|deadline", r"deadline", value_zh=r"(?:到|在)?" + _DATE_ZH, value_en=r"(?:on |by )?" + _DATE_EN, dated=True),
    _field("contract_number", "合同(?:编)?号", r"contract (?:number|no\.?|id)", value_zh=r"(?P<value>[A-Za-z0-9-]{4,24})", value_en=r"(?P<value>[A-Za-z0-9-]{4,24})"),
    _field("contact_person", "(?:对接|联系|接口|负责)人", r"(?:contact person|point of contact|account manager)", value_zh=_PERSON_ZH, value_en=_PERSON_EN),
)  # fmt: skip
_BUSINESS_HINT: Final = re.compile(
    r"账期|周期|期限|尾号|账[号户]|抬头|发票|税号|地址|寄|送|预算|限额|额度|标准|上限|每[件个台斤吨小箱套天人]|费用|价|审批|批准|审核|日期|交付|交货|截止|合同|对接|联系人|接口人|负责人|时间"
    r"|\b(?:terms?|period|ending|invoice|billing|tax|vat|address|ship|deliver|mail|budget|quote|price|offer|approv\w+|signs|date|deadline|contract|contact|account|release|launch|delivery|go-live|handover|pays?|limit|cap|allowance|apiece|each|per|hour)\b",
    re.IGNORECASE,
)
CUSTOMER: Final = re.compile(
    r"(?P<zh>(?!应该|发票|抬头|改|填|开)[\u4e00-\u9fffA-Za-z]{2,12}?(?:科技|公司|集团|贸易|实业|股份|工厂|电子|传媒|物流|银行))(?:有限公司)?(?=的|这个客户|$|[，,。是])|客户(?P<zh2>[A-Z][\w-]{1,20}|[\u4e00-\u9fff]{2,6}?)(?=的|要|说|那边)"
    r"|(?P<en>[A-Z][\w&-]+(?: (?:Inc|Ltd|Corp|LLC|GmbH|Group|Trading)\.?)?)['’]s (?=payment|credit|budget|invoice|contract|contact|approver|delivery|shipping|quote)"
    r"|\b(?:customer|client) (?P<en2>[A-Z][\w&-]+)|\bfor (?P<en3>[A-Z][\w&-]+(?: [A-Z][\w&-]+)?)(?= (?:is|are)\b)"
)
PROJECT: Final = re.compile(r"(?P<zh>[\u4e00-\u9fffA-Za-z0-9]{2,12}?)项目(?!进|已|的?状态|延|恢|正|经理|组)|(?P<en>\b[A-Z][\w-]+) project\b|\bproject (?P<en2>[A-Z][\w-]+)")
_NOT_NAMES: Final = re.compile(r"^(?:应该|发票|抬头|账期|改|是|这个|那个|我们|我|本|该|整个|新|老|你们|他们|贵|某|一个|The|This|That|Our|My|Use|And|If|But|Your)")
_STATUS: Final = (
    ("延期", "delayed", re.compile(r"延[迟期误]|推迟|滞后|\bdelay(?:ed|s)?\b|\bbehind schedule\b|\bslipp(?:ed|ing)\b|\bpostponed\b", re.IGNORECASE)),
    ("恢复", "recovered", re.compile(r"恢复(?!.{0,4}预计)|\bback on track\b|\brecovered\b|\bunblocked\b|\bresumed\b", re.IGNORECASE)),
    ("阻塞", "blocked", re.compile(r"阻塞|卡[住在]|受阻|\bblocked\b|\bstuck\b|\bblocker\b", re.IGNORECASE)),
    ("完成", "completed", re.compile(r"完成|完工|验收通过|已上线|\b(?:completed|finished|done|shipped|launched|went live)\b", re.IGNORECASE)),
    ("取消", "cancelled", re.compile(r"(?:项目|开发).{0,6}(?:取消|终止|叫停)|\bproject\b.{0,20}\b(?:cancelled|canceled|terminated)\b", re.IGNORECASE)),
)
_PROJECT_TOPIC: Final = re.compile(r"项目|开发进度|研发进度|进度|里程碑|\b(?:project|development|milestone|sprint|rollout)\b", re.IGNORECASE)
_CAUSE: Final = re.compile(r"(?:原因是|因为|由于|是因为)(?P<zh>[^，,。]{2,30})|\b(?:because(?: of)?|due to|since|caused by)\s+(?:the |our )?(?P<en>[^,.]{3,60}?)(?=$|,|\s+(?:and|so|we)\b)", re.IGNORECASE)
_FORECAST: Final = re.compile(r"(?P<zh>预计[^，,。]{2,16})|\b(?:we |and )?(?P<en>expect(?:ed|s)?(?: it)? to [^,.]{3,50})", re.IGNORECASE)
_TRIM_CAUSE: Final = re.compile(r"第三方|接口|方面|的问题|这边")
_ORDER: Final = re.compile(r"(?P<type>订单|工单|任务|审批单?|order|ticket|task|approval|invoice|发票)\s*(?:number|no\.?|id|号|#|：|:)?\s*#?(?P<id>[A-Za-z]{1,6}-[A-Za-z0-9-]{1,24}|\d{3,20}|[A-Z]{1,4}\d{2,20})(?![A-Za-z0-9])", re.IGNORECASE)
_ORDER_STATUS: Final = re.compile(
    r"(?:状态|已|现在|目前|变更|更新|为|是|:|：|\s)*(?P<zh>已付款|待付款|已发货|待发货|已签收|已送达|已取消|已退款|退款中|已完成|已关闭|处理中|成功|失败|通过|驳回|已批准|已拒绝|付款|发货|签收|取消|完成)"
    r"|\b(?P<en>paid|unpaid|shipped|delivered|cancelled|canceled|refunded|pending|completed|succeeded|failed|approved|rejected|closed|open|in progress|processing)\b",
    re.IGNORECASE,
)
_TYPE: Final = {"订单": "order", "工单": "ticket", "任务": "task", "审批": "approval", "审批单": "approval", "发票": "invoice"}


def facts(clause: Clause) -> list[Finding]:
    """The business facts of a clause and of what follows it in its sentence."""
    found = _business(clause) or _order(clause) or []
    return found or _project(clause)


def _business(clause: Clause) -> list[Finding]:
    if not _BUSINESS_HINT.search(clause.text):
        return []
    for field in _FIELDS:
        for pattern in field.patterns:
            match = pattern.search(clause.rest)
            if match is None or match.start() >= len(clause.text):
                continue
            value = match["value"].strip(" ，,的")
            if not value or re.match(r"什么|多少|哪|几|不|没", value):
                continue
            return [_field_finding(clause, field, value, match)]
    return []


def _field_finding(clause: Clause, field: _Field, value: str, match: re.Match[str]) -> Finding:
    named = match.groupdict().get("customer") or customer_in(clause.rest[: match.end()])
    typed: JSON = int(value) if field.days else value
    if named or field.customer and not re.search(r"我们公司|我司|\bour (?:payment|credit|company)", clause.text, re.IGNORECASE):
        slot = f"customer/{named or clause.customer or 'current'}/{field.name}"
    else:
        slot = f"user/business/{field.name}"
    return Finding(
        text=_said(clause.rest[: match.end()], clause), kind=Kind.FACT, category="state", triggers=(Trigger.BUSINESS_FACT,),
        slot=slot, value=value, fact_value=typed, dated=field.dated, end=match.end(),
    )  # fmt: skip


def _said(text: str, clause: Clause) -> str:
    """The clause as a statement: an order to change something says what it is changed to."""
    change = re.match(r"(?:请|帮我|麻烦)?(?:把|将)(.{1,20}?)(调整|更新|变更|修改|改|换|设置?|定)(为|成|到|在)(.+)$", text)
    if change:
        return f"用户{change[0].lstrip('请帮我麻烦')}"
    if clause.language == "en" and re.match(r"(?:please )?(?:change|set|update|adjust|use|ship|deliver|mail|move|correct|raise|lower|reduce|make|issue)\b", text, re.IGNORECASE):
        body = re.sub(r"^please ", "", text, flags=re.IGNORECASE)
        return f"The user asks to {body[:1].lower()}{body[1:]}"
    if re.search(r"我|\b(?:I|my|we|our)\b", text, re.IGNORECASE):
        return third_person(text)
    return text.strip() if customer_in(text) else third_person(text) if clause.language == "zh" else f"The user states: {text.strip()}"


def _order(clause: Clause) -> list[Finding]:
    match = _ORDER.search(clause.text)
    status = _ORDER_STATUS.search(clause.text, match.end()) if match else None
    if match is None or status is None:
        return []
    kind = _TYPE.get(match["type"]) or match["type"].lower()
    value = status["zh"] or status["en"].lower()
    structured = clause.role not in ("user", "assistant")
    key = f"{kind}/{match['id']}/status"
    return [
        Finding(
            text=clause.text.strip() if structured else third_person(clause.text), kind=Kind.FACT if structured else Kind.EPISODIC,
            category="state", triggers=(Trigger.RESULT if structured else Trigger.STATE_CHANGE,),
            slot=key if structured else None, value=value, fact_value=value if structured else None,
        )
    ]  # fmt: skip


def _project(clause: Clause) -> list[Finding]:
    if not _PROJECT_TOPIC.search(clause.text):
        return []
    status = next(((zh, en) for zh, en, pattern in _STATUS if pattern.search(clause.text)), None)
    if status is None:
        return []
    chinese = clause.language == "zh"
    value = status[0] if chinese else status[1]
    slot = f"project/{project_in(clause.rest) or clause.project or 'current'}/project_status"
    episode = _progress_line(clause, value)
    return [
        Finding(text=episode, kind=Kind.EPISODIC, category="event", triggers=(Trigger.STATE_CHANGE,), value=value, end=len(clause.rest)),
        Finding(
            text=f"项目状态:{value}" if chinese else f"Project status: {value}", kind=Kind.FACT, category="state",
            triggers=(Trigger.STATE_CHANGE, Trigger.BUSINESS_FACT), slot=slot, value=value, fact_value=value, end=len(clause.rest),
        ),
    ]  # fmt: skip


def _progress_line(clause: Clause, value: str) -> str:
    """The episode in one line: "2025-06-16 项目进度:支付联调阻塞导致延期,预计下周恢复"."""
    day = f"{clause.at.astimezone(clause.zone):%Y-%m-%d}"
    cause, forecast = _CAUSE.search(clause.rest), _FORECAST.search(clause.rest)
    if clause.language == "zh":
        if cause is None:
            return f"{day} 项目进度:{clause.rest}"
        line = f"{day} 项目进度:{_TRIM_CAUSE.sub('', cause['zh'])}导致{value}"
        return f"{line},{forecast['zh'].replace('才能', '').replace('能够', '')}" if forecast and forecast["zh"] else line
    if cause is None or not cause["en"]:
        return f"{day} project progress: {clause.rest}"
    line = f"{day} project progress: {value}, {cause['en'].strip()}"
    return f"{line}, {re.sub(r'^expects? ', 'expected ', forecast['en'])}" if forecast and forecast["en"] else line


def customer_in(text: str) -> str | None:
    """The customer that ``text`` names, if any."""
    return _first_name(CUSTOMER, text)


def project_in(text: str) -> str | None:
    """The project that ``text`` names, if any."""
    return _first_name(PROJECT, text)


def _first_name(pattern: re.Pattern[str], text: str) -> str | None:
    for match in pattern.finditer(text):
        name = next((group for group in match.groups() if group), None)
        if name and not _NOT_NAMES.match(name):
            return name.strip().replace("/", " ")
    return None
