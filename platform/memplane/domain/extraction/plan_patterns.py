# ruff: noqa: E501 (patterns)
"""How a clause says what is going to happen, and that it does not."""

from __future__ import annotations

import re
from typing import Final

LATEST_TRIP: Final = "trip/*"
LATEST_PLAN: Final = "plan/*"
"""Slots of a cancellation that does not say of what: the latest trip, the latest plan of any sort."""
TIMEWORD_ZH: Final = r"(?:[今明后]天|[今明]晚|(?:本|这|下下?)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天末]|(?:本|这|下)?周末|[上中下]午|早上|晚上|月底|月初|下个?月|\d{1,2}[月日号点]|[一二三四五六七八九十]+[号日]|国庆|五一|春节|元旦|中秋)"
TIMEWORD: Final = re.compile(TIMEWORD_ZH)
HOLIDAY: Final = re.compile(
    r"端午|中秋|国庆|五一|春节|元旦|清明|暑假|寒假|圣诞|小长假|\b(?:long weekend|spring break|summer break|thanksgiving|christmas|easter|new year)",
    re.IGNORECASE,
)
WILL_ZH: Final = r"(?:要|打算|计划|准备|将要?|会|得|需要|安排|约了?|定了?|想)"
TRIP_ZH: Final = re.compile(
    r"(?<![挪推移延改搬发寄送收拿看想听等提前升调转迟换达])(?:去|到|飞往|飞|前往|回)(?P<to>[\u4e00-\u9fff]{2,6}?|[A-Z][A-Za-z ]{2,20}?)(?:市|那边)?(?P<for>出差|旅游|旅行|玩|开会|度假|参会|看展|拜访|面试|培训|考察|探亲|过年|见客户|办事|待|住|的?(?:机票|高铁票?|火车票|酒店|航班|行程)|看|找|参加|一趟|几天|$|(?=[，,。吧]))"
)
FLIGHT_ZH: Final = re.compile(r"(?:飞|去|到)(?P<to>[\u4e00-\u9fff]{2,6}?)的(?:机票|高铁票?|火车票|航班|车票|票)")
NOT_PLACES: Final = re.compile(
    r"^(?:旅游|旅行|出差|度假|医院|公司|学校|超市|健身|单位|办公|吃|喝|看|买|做|见|取|拿|上(?!海|饶|虞)|下(?!关)|开(?!封|平|罗)|接|送|参加|体检|哪|那|这|银行|机场|车站|面试|公园|图书|什么|了|过|底|时候|店|现在|目前|点|家里?|前|一下|时|我|你|他|民宿|面|办理|出|打|跑|游)"
)
EVENT_ZH: Final = re.compile(
    r"(?P<what>开会|会议|例会|评审会?|面试|体检|考试|考研|答辩|看医生|看牙医?|复查|手术|搬家|上线|发布|发版|交付|培训|演出|演唱会|婚礼|聚会|聚餐|生日会|牙医|医生|出发|打电话|电话|值班|请假|休假|报到|入职|签约|路演|汇报|面谈|拜访|见客户|见面|约会|讲座|比赛|马拉松|毕业典礼|家长会|到期|交房租|上课|开学|出国|回国|回老家|打疫苗|参加[\u4e00-\u9fff]{2,12}|参观[\u4e00-\u9fff]{2,8}|去医院[\u4e00-\u9fff]{0,6}|吃饭|晚餐|午餐|电话会议?|视频会议?|截止|还款|提车|交稿|开庭|装修|直播)"
)
WITH_ZH: Final = re.compile(
    r"(?:和|跟|与|同|约了?|见)(?P<who>(?!我|你|您)[\u4e00-\u9fff]{1,5}?|[A-Z][A-Za-z]+)(?:一起)?(?=开|有|见|约|吃|面|通|聚|碰|会|谈|聊|去|的会|$)"
)
OURS_ZH: Final = re.compile(
    rf"^(?:那|对了|然后|嗯|提醒我?|帮我|请|麻烦|[，,\s])*(?:{TIMEWORD_ZH}|我|我们|咱们|公司|团队|部门|项目组|新版本|有|{WILL_ZH}|(?:本|这)次|和|跟|约|订|预订|预约|安排|去|飞|定|加|把|个|\d|[一二三四五六七八九十]点|半|年|，)"
)
INTENT_ZH: Final = re.compile(
    r"(?:我|我们|咱们?)[^，,你您他她]{0,10}?(?:打算|计划|准备|将要?|决定|要去|要飞|会去|安排)(?P<do>[^，,吗呢]{2,30})"
)
DOING_ZH: Final = re.compile(
    r"我(?:们)?(?:近期|最近|这段时间|目前|现在|这阵子|这几天|今年)?(?:正在|正|在|一直在)(?P<do>准备|备考|备孕|减肥|学习?|健身|戒烟|戒酒|找工作|找房|装修|写论文|写书|创业|考|复习|练|研究|负责|筹备|养病|休假|休产假|实习|开发|做)(?P<what>[^，,吗呢]{0,20})"
)
PAST_ZH: Final = re.compile(
    r"昨天|前天|上周|上个月|去年|刚才|刚刚|刚(?!好)|之前|以前|过了?$|了[^，,]{0,6}(?:电影|饭|书)"
)
OFF_ZH: Final = re.compile(
    r"(?:不(?:打算|想|准备|用|需要)?(?:去|到|飞|参加)(?P<to>[\u4e00-\u9fffA-Za-z]{2,8}?)?(?:的?(?:会议?|活动))?了)|(?P<to2>[\u4e00-\u9fffA-Za-z]{2,6}?)(?:就|也|那边)?(?:不去了|去不了了?|先不去|不用去了)|(?P<bare>不去了|去不了了|不参加了|取消行程)"
)
CANCEL_ZH: Final = re.compile(
    r"(?:取消|推掉|退掉|撤销|不办)(?:了|掉)?(?P<what>[^，,]{2,20}?)(?:吧|了)?$|(?:把)?(?P<what2>[^，,我]{2,16}?)(?:先|就|都|已经|给)*(?:取消|泡汤|作罢|推掉|退掉)(?:了|吧|掉)*$"
)
PLANNED_ZH: Final = re.compile(
    r"会|行程|机票|车票|高铁|酒店|预[约订]|聚餐|航班|约|旅行|出差|面试|体检|课|活动|聚会|安排"
)
WILL_EN: Final = r"(?:'m| am|'re| are)(?: also| now)? (?:going to|planning (?:to|on)|about to|scheduled to|supposed to|hoping to|heading|flying|travell?ing|driving|taking|visiting|leaving|meeting|interviewing|having|attending|presenting|moving|starting|getting|hosting|seeing|coming|running|launching|releasing|shipping|staying|speaking|throwing|joining|giving|picking)|'ll| will| plan to| plan on| intend to| have to| need to| want to (?:visit|go to|travel to)| decided to go to| have (?:an? |my |the )?(?:[\w'-]+ ){0,3}(?:meeting|appointment|interview|flight|exam|call|deadline|surgery|check-?up|party|wedding|class|reservation|trip|date|dinner|lunch|presentation|conference|concert|demo|review|training|workshop|game|match|race|test)"
OURS_EN: Final = re.compile(rf"\b(?:I|[Ww]e)(?:{WILL_EN})\b(?P<do>.*)$", re.IGNORECASE)
TRIP_EN: Final = re.compile(
    r"\b(?:go(?:ing)? (?:back )?to|fly(?:ing)? (?:back |out )?to|travel(?:l?ing)? to|visit(?:ing)?|head(?:ing)? (?:over |back |out )?to|driv(?:e|ing) to|trip to|flights? (?:from [A-Z]\w+ )?to|train to|vacation (?:in|to)|holiday in|hotels? in|conference in|tak(?:e|ing) (?:my |the |our )?[\w ]{2,20}? to|arriv\w+ in|mov(?:e|ing) to|leav(?:e|ing) for|stay(?:ing)? in)\s+(?P<to>[A-Z][\w'’-]*(?: (?:de |of )?[A-Z][\w'’-]*){0,2})"
)
NOT_PLACES_EN: Final = re.compile(
    r"^(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Plan|I|The|My|Slack|Teams|Email|Mr|Mrs|Ms|Dr|Mom|Dad|Grandma)\b"
)
EVENT_EN: Final = re.compile(
    r"\b(?P<what>meeting|appointment|interview(?:ing)?|exam|call|deadline|surgery|check-?up|party|wedding|class|reservation|dinner|lunch|presentation|presenting|conference|concert|demo|review|training|workshop|launch(?:ing)?|release|releasing|moving|visit(?:ing)?|marathon|dentist|doctor|flight|graduation|renewal|standup|sync|retro|webinar|lease|move|slot|release|surgery)\b",
    re.IGNORECASE,
)
WITH_EN: Final = re.compile(
    r"\b(?:with|meeting|see|seeing|visiting)\s+(?P<who>(?:Mr\. |Mrs\. |Ms\. |Dr\. )?[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?)"
)
THING_EN: Final = re.compile(
    r"^(?:(?:also|and|so|by the way|btw|hey)[\s,]+)*(?:the|my|our|there(?:'s| is)(?: an?)?|(?:I |I've |we |we've )?got (?:an? |my )|mom|mum|dad|grandma|grandpa|(?:book|schedule|set up|arrange|reserve|plan|add|put|create|remind)(?: me| us)?(?: of| about)?(?: a| an| the| my)?)\b",
    re.IGNORECASE,
)
BOOKING_EN: Final = re.compile(
    r"^(?:(?:please|can you|could you|hey)[\s,]+)*(?:book|reserve|find|get|buy|schedule|set up|arrange)\b",
    re.IGNORECASE,
)
DOING_EN: Final = re.compile(
    r"^(?:(?:and|so|also|but|since|because|right now|lately|recently|these days)[\s,]+)*I(?:'m| am| have been|'ve been)(?: currently| now| also)? (?P<do>training for|studying for|studying|preparing for|learning|looking for a (?:job|new job|house|flat|apartment)|job hunting|trying to (?:lose weight|quit|learn)|working on|writing a|building a|planning a|recovering from|saving (?:up )?for|renovating|dieting|on a diet|on (?:parental|maternity|sick) leave)(?P<what>.*)$",
    re.IGNORECASE,
)
PAST_EN: Final = re.compile(
    r"\b(?:yesterday|last (?:week|month|year|night|\w+day)|ago|earlier|went|watched|had|was|were|did|used to|just (?:finished|got|had|ate))\b",
    re.IGNORECASE,
)
OFF_EN: Final = re.compile(
    r"\b(?:I|we)(?:'m| am|'re| are|'ll| will)? (?:not|won't|no longer|can't|cannot|don't (?:need|want|plan|have) to)(?: be)? (?:going|go|attending|attend|flying|fly|travell?ing|visiting|visit|coming|make it|joining)\b(?: (?:to|on|for|in) )?\s*(?P<to>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?)?|\b(?:trip|visit|flight|journey)(?: to (?P<to2>[A-Z]\w+))? (?:is|has been|was|got) (?:off|cancel(?:l)?ed|called off)|\b(?:never ?mind|forget it|scratch that)\b.*\bnot going\b|\bnot going (?:there |to (?P<to3>[A-Z]\w+) )?(?:anymore|any more|after all)"
)
CANCEL_EN: Final = re.compile(
    r"\b(?:cancel|call off)\s+(?P<what>(?:the|my|our|that|this|tomorrow's|today's|all|friday's|monday's)\b[^,.]{2,50})$|^(?:the|my|our|that|tomorrow's|today's|\w+day's) (?P<what2>[\w' ]{3,40}?) (?:is|has been|was|got|are) (?:off|cancel(?:l)?ed|called off)\b",
    re.IGNORECASE,
)
PLANNED_EN: Final = re.compile(
    r"\b(?:meeting|trip|flight|hotel|reservation|booking|appointment|dinner|lunch|call|interview|party|class|visit|tickets?|standup|sync|event|demo|review)\b",
    re.IGNORECASE,
)
REQUEST_ZH: Final = re.compile(
    r"^(?:请|麻烦|你?能?帮我|给我|替我)+(?:查|找|看|搜|推荐|写|做|翻译|介绍|规划|列|算|总结|解释|讲|说)"
)
LEAD_REQUEST_ZH: Final = re.compile(r"^(?:请|麻烦|你|能|帮我|给我|替我)*(?:预?订|买|安排|约|定)(?:一?[张个间下])?")
