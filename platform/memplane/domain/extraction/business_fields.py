# ruff: noqa: E501 (patterns)
"""The business fields that words can set, and how they say so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

IS_ZH: Final = r"\s*(?:填错了?|写错了?|不对|有误|错了)?[，,]?\s*(?:已经?|现在|统一|请|都|暂定|初步|目前|应该|最终|就)*(?:(?:更新|调整|变更|改|换|变|定|设置?|修改)(?:成|为|到|在)|更正为|改用|是|为|用|有|写|填|要|需要?|得|最长|长达|[:：=])\s*"
IS_EN: Final = r"(?:\s+(?:for|of|with|on|to)\s+[\w '’-]{1,40}?)?(?:\s+is wrong,?\s*(?:it|that) should be|\s+should (?:now )?be|\s+(?:has |have |was |were |is |are )?(?:been )?(?:changed|updated|moved|set|corrected|extended|raised|cut|reduced|increased) to|\s+(?:is|are|will be)(?: now| still)?|\s*[:=])\s*"
CHANGE_ZH: Final = (
    r"(?:把|将|请把|帮我把|麻烦把)\s*{topic}.{{0,12}}?(?:调整|更新|变更|修改|改|换|设置?|定)(?:为|成|到|在)\s*"
)
CHANGE_EN: Final = r"\b(?:change|set|update|adjust|move|correct|raise|lower|reduce|cut|increase|extend)\s+(?:the |our |my |that |this )?{topic}(?:\s+(?:for|of|with)\s+[\w '’-]{{1,40}}?)?(?:\s+from\s+\S+)?\s+to\s+"
MONEY: Final = r"(?P<value>[¥￥$€£]?\s*(?:\d[\d,.]*|[一二两三四五六七八九十百]+(?=[万千百]))\s*(?:百|万|亿|千|k|m|元|块|美元|欧元|usd|eur|rmb|dollars|euros)*)"
WORDS_ZH: Final = r"(?P<value>[^，,。!！?？;；]{2,60}?)(?:吧|了|哦|啊)?(?=$|[，,。;；])"
WORDS_EN: Final = r"(?P<value>[^.!?;]{2,70}?)(?:\s+(?:from now on|please|instead|now))*(?=$|[.!;](?:\s|$)|,\s+(?:not|please|and|but|instead)\b)"
PERSON_ZH: Final = r"(?P<value>[\u4e00-\u9fff]{2,4}?|[A-Z][A-Za-z .]{1,30}?)(?:吧|了|来|审批|负责)?(?=$|[，,。;；])"
PERSON_EN: Final = r"(?P<value>(?:Mr\. |Ms\. |Dr\. )?[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,2})"
DATE_ZH: Final = r"(?P<value>(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]?|\d{4}-\d{1,2}-\d{1,2}|(?:本|下|这)?(?:个)?(?:周|月|星期)[一二三四五六日天底末]|明天|后天|今天|[\d一二三四五六七八九十]+[号日])"
DATE_EN: Final = r"(?P<value>(?:next |this |the )?(?:\d{4}-\d{1,2}-\d{1,2}|(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|today|end of (?:the |this |next )?(?:week|month|quarter|year)))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One business field: its name in a fact key and the patterns that tell its value (group ``value``)."""

    name: str
    patterns: tuple[re.Pattern[str], ...]
    customer: bool = False
    days: bool = False
    dated: bool = False


def field(
    name: str,
    zh: str,
    en: str,
    *,
    value_zh: str,
    value_en: str,
    extra: tuple[str, ...] = (),
    customer: bool = False,
    days: bool = False,
    dated: bool = False,
) -> Field:
    """A field from its names and value patterns in both languages; "X is V" and "change X to V" are the same for all."""
    patterns = (
        rf"(?:{zh}){IS_ZH}{value_zh}",
        CHANGE_ZH.format(topic=f"(?:{zh})") + value_zh,
        rf"\b(?:{en}){IS_EN}{value_en}",
        CHANGE_EN.format(topic=f"(?:{en})") + value_en,
        *extra,
    )
    return Field(
        name=name,
        patterns=tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns),
        customer=customer,
        days=days,
        dated=dated,
    )


DAYS_ZH: Final = r"(?:月结|票到|货到|开票后|收货后)?\s*(?P<value>\d{1,3})\s*(?:个?工作日|天|日)"
DAYS_EN: Final = r"(?:net )?(?P<value>\d{1,3})(?: (?:business )?days)?\b"
FIELDS: Final = (
    field("payment_term_days", "账期|付款周期|付款期限|回款周期|结算周期|付款账期", r"(?:payment|credit) (?:terms?|period)", value_zh=DAYS_ZH, value_en=DAYS_EN, customer=True, days=True,
           extra=(r"\b(?P<customer>[A-Z]\w+) (?:always |usually )?pays? (?:us )?(?:in|within|after) (?P<value>\d{1,3}) days",)),
    field("settlement_account_tail", "(?:结算|收款|付款|银行)?(?:账号|账户|卡号|银行卡)(?:的)?(?:尾号)?", r"(?:settlement|payout|bank|payment)?\s*(?:account|card)(?: number)?", value_zh=r"(?:的)?(?:尾号)(?:是|为)?\s*(?P<value>\d{4})(?!\d)", value_en=r"(?:the one )?ending (?:in|with) (?P<value>\d{4})(?!\d)",
           extra=(r"(?:账号|账户|卡)(?:的)?尾号(?:是|为|用)?\s*(?P<value>\d{4})(?!\d)", r"尾号(?:是|为)?\s*(?P<value>\d{4})(?!\d)的?(?:卡|账[号户])", r"\b(?:account|card)\b[\w ]{0,24}?\bending (?:in|with)(?: is)? (?P<value>\d{4})(?!\d)")),
    field("invoice_title", "(?:发票|开票)(?:的)?抬头|抬头", r"invoice (?:title|name|header)|billing name", value_zh=WORDS_ZH, value_en=WORDS_EN,
           extra=(r"发票(?:请|都)?开(?:给|成)(?P<value>[^，,。]{4,40}?)(?=$|[，,。])", r"\b(?:make|issue) the invoice (?:out )?to (?P<value>[A-Z][^,.!?]{2,50}?)(?=$|[,.!])")),
    field("tax_number", "税号|纳税人识别号", r"tax (?:id|number)|vat number", value_zh=r"(?P<value>[A-Z0-9]{9,20})", value_en=r"(?P<value>[A-Z0-9-]{6,20})"),
    field("shipping_address", "(?:收货|邮寄|寄送|配送|送货|快递)(?:的)?地址", r"(?:shipping|delivery|mailing) address", value_zh=WORDS_ZH, value_en=WORDS_EN,
           extra=(r"(?:都|请)?(?:寄|送|发)(?:到|去|往)(?P<value>[\u4e00-\u9fff]{2,}(?:省|市|区|县|路|街|号|楼|室|大厦|小区)[^，,。]{0,30})(?=$|[，,。])", r"\b(?:ship|deliver|mail) (?:it|them|this|everything|the \w+|all \w+|orders?) to (?P<value>(?:my |our )?\d[^.!?;]{4,60}?)(?:\s+(?:from now on|please|instead))*$")),
    field("budget_limit", "(?:预算|费用)(?:上限|总额|额度)?", r"budget(?: limit| cap)?", value_zh=r"(?:大概|大约|不超过|最多|控制在|在)*" + MONEY, value_en=r"(?:about |around |at most |up to |under |capped at )?" + MONEY,
           extra=(r"(?:报销|消费|住宿|餐饮|差旅)?(?:限额|额度|标准|上限)(?:是|为|不超过|控制在|:|：)+\s*" + MONEY, r"\b(?:expense|spending|travel|hotel|daily) (?:limit|cap|allowance)\b.{0,20}? (?:is|of|at)\s+" + MONEY, r"预算(?:大概|大约|不超过|最多|控制在|在|只有|就)+" + MONEY,)),
    field("quoted_price", "(?:报价|单价|价格|总价|售价)", r"(?:quote|quoted price|unit price|price|offer)", value_zh=MONEY, value_en=MONEY,
           extra=(r"每(?:件|个|台|斤|吨|小时|箱|套|天|人)(?:是|按)?\s*(?P<value>[¥$]?\d[\d,.]*\s*(?:元|块|美元)?)(?=$|[，,。])", r"(?P<value>[$€£]?\d[\d,.]*)(?: dollars| euros| bucks)? (?:apiece|each|per (?:unit|piece|item|hour|seat|head)|an hour)\b")),
    field("approver", "(?:审批|批准|审核)人", r"approver|person who approves", value_zh=PERSON_ZH, value_en=PERSON_EN,
           extra=(r"(?:由|找|让)(?P<value>[\u4e00-\u9fff]{2,4}?)(?:来)?审批", r"\b(?P<value>[A-Z]\w+(?: [A-Z]\w+)?) (?:approves|will approve|signs off)")),
    field("delivery_date", "(?:交付|交货|发货|上线|验收|发布|发版)(?:的)?(?:日期|时间|日)", r"(?:delivery|due|ship|launch|release|go-live) date", value_zh=DATE_ZH, value_en=r"(?:on )?" + DATE_EN, dated=True,
           extra=(r"\b(?:release|launch|delivery|go-live|handover) (?:is|are|has been|was) (?:set|scheduled|planned|fixed|due) (?:for|on) (?:the )?(?P<value>\d{1,2}(?:st|nd|rd|th)?[^,.]{0,24}|\w+day[^,.]{0,20})",)),
    field("deadline", "截止(?:的)?(?:日期|时间|日)?|最后期限|deadline", r"deadline", value_zh=r"(?:到|在)?" + DATE_ZH, value_en=r"(?:on |by )?" + DATE_EN, dated=True),
    field("contract_number", "合同(?:编)?号", r"contract (?:number|no\.?|id)", value_zh=r"(?P<value>[A-Za-z0-9-]{4,24})", value_en=r"(?P<value>[A-Za-z0-9-]{4,24})"),
    field("contact_person", "(?:对接|联系|接口|负责)人", r"(?:contact person|point of contact|account manager)", value_zh=PERSON_ZH, value_en=PERSON_EN),
)  # fmt: skip
BUSINESS_HINT: Final = re.compile(
    r"账期|周期|期限|尾号|账[号户]|抬头|发票|税号|地址|寄|送|预算|限额|额度|标准|上限|每[件个台斤吨小箱套天人]|费用|价|审批|批准|审核|日期|交付|交货|截止|合同|对接|联系人|接口人|负责人|时间"
    r"|\b(?:terms?|period|ending|invoice|billing|tax|vat|address|ship|deliver|mail|budget|quote|price|offer|approv\w+|signs|date|deadline|contract|contact|account|release|launch|delivery|go-live|handover|pays?|limit|cap|allowance|apiece|each|per|hour)\b",
    re.IGNORECASE,
)
CUSTOMER: Final = re.compile(
    r"(?P<zh>(?!应该|发票|抬头|改|填|开)[\u4e00-\u9fffA-Za-z]{2,12}?(?:科技|公司|集团|贸易|实业|股份|工厂|电子|传媒|物流|银行))(?:有限公司)?(?=的|这个客户|$|[，,。是])|客户(?P<zh2>[A-Z][\w-]{1,20}|[\u4e00-\u9fff]{2,6}?)(?=的|要|说|那边)"
    r"|(?P<en>[A-Z][\w&-]+(?: (?:Inc|Ltd|Corp|LLC|GmbH|Group|Trading)\.?)?)['’]s (?=payment|credit|budget|invoice|contract|contact|approver|delivery|shipping|quote)"
    r"|^(?P<en4>[A-Z][\w&-]+(?: [A-Z][\w&-]+)?) is (?:our|a|my|the) [\w ]{0,24}?(?:customer|client)\b|^(?P<zh3>[\u4e00-\u9fffA-Za-z]{2,10}?)是(?:我们|我)?的?[\u4e00-\u9fff]{0,4}客户"
    r"|\b(?:customer|client) (?P<en2>[A-Z][\w&-]+)|\bfor (?P<en3>[A-Z][\w&-]+(?: [A-Z][\w&-]+)?)(?= (?:is|are)\b)"
)
PROJECT: Final = re.compile(
    r"(?P<zh>[\u4e00-\u9fffA-Za-z0-9]{2,12}?)项目(?!经理|组|部)|(?P<en>\b[A-Z][\w-]+) project\b|\bproject (?P<en2>[A-Z][\w-]+)"
)
NOT_NAMES: Final = re.compile(
    r"^(?:应该|发票|抬头|账期|改|是|这个|那个|我们|我|本|该|整个|新|老|你们|他们|贵|某|一个|The|This|That|Our|My|Use|And|If|But|Your)"
)
KEYED: Final = re.compile(
    r"^(?P<entity>[^，,的我你您他她这那]{2,16})的(?P<field>地点|时间|日期|规模|主题|负责人|编号|版本|名称|主要内容|持续时间|人数|会议室)(?:是|为|在|定在)(?P<value>(?!什么|哪|谁|多|几)[^，,吗]{1,30})$"
    r"|^the (?P<field2>location|venue|date|time|theme|owner|version|room|start time|topic|duration|agenda) (?:of|for) (?:the |our )?(?P<entity2>[\w '&-]{2,40}?) (?:is|will be) (?P<value2>(?!not\b|unclear|what)[^,?]{1,50})$",
    re.IGNORECASE,
)
FAILURE: Final = re.compile(
    r"\b[\w.]+ (?:raised|threw|throws|failed with|crashed with|returned) (?:an? |the )?[\w. ]{0,30}?(?:exception|error|traceback)\b.{0,80}"
    r"|\b\w+(?:Error|Exception)\b.{0,80}|(?:报错|报异常|抛出异常|错误码|错误信息)(?:是|为|:|：)\s*(?P<zh>.{3,80})|\b(?:error|exception)\b.{0,30}\bline \d+|第\d+行.{0,6}(?:报错|异常|抛)"
)
ORDER: Final = re.compile(
    r"(?P<type>订单|工单|任务|审批单?|order|ticket|task|approval|invoice|发票)\s*(?:number|no\.?|id|号|#|：|:)?\s*#?(?P<id>[A-Za-z]{1,6}-[A-Za-z0-9-]{1,24}|\d{3,20}|[A-Z]{1,4}\d{2,20})(?![A-Za-z0-9])",
    re.IGNORECASE,
)
ORDER_STATUS: Final = re.compile(
    r"(?:状态|已(?:经)?(?:变更|更新|改)为|现在|目前|变更|更新|为|是|:|：|\s)*(?P<zh>已付款|待付款|已发货|待发货|已签收|已送达|已取消|已退款|退款中|已完成|已关闭|处理中|成功|失败|通过|驳回|已批准|已拒绝|付款|发货|签收|取消|完成)"
    r"|\b(?P<en>paid|unpaid|shipped|delivered|cancelled|canceled|refunded|pending|completed|succeeded|failed|approved|rejected|closed|open|in progress|processing)\b",
    re.IGNORECASE,
)
TYPE: Final = {
    "订单": "order",
    "工单": "ticket",
    "任务": "task",
    "审批": "approval",
    "审批单": "approval",
    "发票": "invoice",
}
TEAM: Final = re.compile(
    r"^我们?(?:团队|公司|部门|组|项目组|这边)(?:内部)?(?:都|统一|一直|主要|现在|一般)*(?:用|采用|使用|跑在|部署在|基于)(?P<zh>[^，,吗呢]{2,24})$"
    r"|^(?:our|my) (?:whole )?(?:team|company|department|group|office|shop)(?: all| mostly| mainly| currently)* (?:uses?|tracks?|runs?|works?|builds?|deploys?|keeps?|writes?|plans?)\b(?P<en>.{2,60})$",
    re.IGNORECASE,
)
CARES: Final = re.compile(
    r"^(?:客户(?P<named>[\u4e00-\u9fffA-Za-z]{2,8})|(?:这个|这位|该|我们的?)(?:大)?客户)(?:最|很|特别|比较|非常|一直)*(?:在意|看重|关注|重视|在乎|要求|偏好|喜欢|讨厌|反感)(?P<zh>[^，,吗呢]{2,20})$"
    r"|^(?:this|that|our) (?:customer|client)(?: (?P<named2>[A-Z]\w+))? (?:always |only |really )?(?:cares?(?: most| a lot| only)? about|insists on|prefers|values|wants|likes|dislikes|is (?:sensitive to|picky about))\s+(?P<en>[^,?]{2,50})$",
    re.IGNORECASE,
)
CODE: Final = re.compile(
    r"[{}]|\w\(|=>|;\s*$|^(?:except|def|class|import|from|return|try|raise|const|let|var)\b|\bas \w+:?$|\btrying to\b|\bhandl(?:e|ing)\b"
)
"""What a program or a question about one looks like; neither tells of a failure."""
