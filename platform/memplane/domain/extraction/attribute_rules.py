# ruff: noqa: E501 (patterns)
"""How a clause says who a user is, and who the people around them are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memplane.domain.extraction.people import KIN_EN, KIN_ZH, ROLE_EN, ROLE_ZH
from memplane.domain.extraction.reading import Trigger
from memplane.domain.memory import Kind

ME: Final = r"(?:我|本人|俺)(?:现在|目前|今年|一直|其实|是|自己|也|就|已经|刚刚?|才|都|上?个?月|去年|今年|最近|今天|昨天|准备|全家|们一?家?)*"
ADV_EN: Final = r"(?:\s+(?:currently|now|also|still|just|recently|actually|really|originally|already|finally|both))*"
JOBS_ZH: Final = r"工程师|程序员|设计师|架构师|分析师|老师|教师|教授|讲师|医生|护士|律师|法官|会计|出纳|经理|总监|主管|创始人|老板|CEO|CTO|学生|研究生|本科生|博士生?|博士后|记者|编辑|作家|销售|客服|司机|厨师|摄影师|导演|演员|警察|军人|公务员|自由职业者?|翻译|顾问|咨询师|产品|运营|测试|开发|农民|工人|建筑师|药剂师|营养师|教练|主播|博主|店主|创业者|实习生|管理员|研究员|科学家|画家|音乐人|全职妈妈|家庭主妇|退休.{0,4}"
JOBS_EN: Final = r"[\w-]*(?:er|or|[iy]st|ian|eer|ant|tect|man|woman)|nurse|chef|student|teacher|pilot|lawyer|attorney|doctor|judge|clerk|freelancer|founder|ceo|cto|intern|coach|barista|cashier|accountant|consultant|professor|scientist|journalist|phd student|stay-at-home \w+|retiree|head of \w+|architect|therapist|cook|nanny|vet|surgeon"
NOT_JOBS_EN: Final = frozenset(
    [
        "number",
        "order",
        "matter",
        "member",
        "never",
        "ever",
        "over",
        "another",
        "other",
        "winner",
        "loser",
        "customer",
        "user",
        "stranger",
        "beginner",
        "fan",
        "later",
        "sooner",
        "bit",
        "little",
        "doctor's",
        "mother",
        "father",
        "brother",
        "sister",
        "speaker",
        "eater",
        "drinker",
        "smoker",
        "sleeper",
        "lover",
        "believer",
        "supporter",
        "better",
        "vegetarian",
        "either",
    ]
)
END: Final = (
    r"(?=$|[，,。!！?？;；、(（]|\s+(?:and|but|so|now|since|because|with|these|for|who|which|in|at|on|from|as)\b)"
)
STOP_ZH: Final = r"(?=$|[，,。!！;；、(（了吧啊呢哦哈的])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One attribute: its slot, the pattern that tells it (group ``value``), and what kind of statement it gives."""

    slot: str
    pattern: re.Pattern[str]
    triggers: tuple[Trigger, ...] = (Trigger.ATTRIBUTE,)
    category: str = "attribute"
    kind: Kind = Kind.FACT
    fits: Callable[[re.Match[str]], bool] = lambda _match: True


def rx(pattern: str) -> re.Pattern[str]:
    """A pattern read without case."""
    return re.compile(pattern, re.IGNORECASE)


def is_job(match: re.Match[str]) -> bool:
    """Whether what follows "I'm a" is a job, not a mood or a habit ("a bit of a coffee drinker")."""
    words = match["value"].lower().split()
    return (
        bool(words)
        and words[-1] not in NOT_JOBS_EN
        and not any(word.endswith("ing") for word in words[:-1])
        and not {"bit", "fan", "little", "lot"} & set(words)
    )


def is_name(match: re.Match[str]) -> bool:
    """Whether what follows 叫 is a name, not a thing that is ordered."""
    return not re.search(r"什么|一下|外卖|车|救护|他|她|你|我", match["value"])


def is_proper(match: re.Match[str]) -> bool:
    """A name begins with a capital letter; the rules are read without case, so it is asked here."""
    return match["value"][:1].isupper() or not match["value"].isascii()


def is_place(match: re.Match[str]) -> bool:
    """Whether a home is told, not a place to stay for a night."""
    return not re.search(r"哪|什么|这里$|那里$|楼上|楼下|隔壁|学校$|公司$|酒店|民宿|宾馆|医院", match["value"])


CHANGE: Final = (Trigger.ATTRIBUTE, Trigger.STATE_CHANGE)
RULES_ZH: Final = (
    Rule(
        slot="user/trait",
        pattern=re.compile(
            r"我(?:这人|这个人)?(?:是个?|就是个?|一直是个?|属于|有点|比较|很|特别)+(?P<value>左撇子|夜猫子|急性子|慢性子|社恐|社牛|[IEie]人|内向|外向|强迫症|路痴|早起党|[\u4e00-\u9fffA-Za-z]{1,6}(?:爱好者|发烧友|粉丝|迷|控|党))(?:的?人)?(?=$|[，,。])"
        ),
        kind=Kind.SEMANTIC,
    ),
    Rule(slot="user/profile/name", pattern=re.compile(rf"(?:^|[，,])?(?:我的名字(?:是|叫)|我(?:本名)?叫做?|我名叫|本人叫|我的?姓名是|我是(?=[\u4e00-\u9fff]{{2,4}}$))(?P<value>[\u4e00-\u9fff·]{{2,6}}?|[A-Za-z][A-Za-z .]{{1,30}}?){STOP_ZH}"), fits=lambda m: is_name(m) and not re.search(rf"(?:{JOBS_ZH}|人|生|新手|主义者?|单身|已婚|的)$", m["value"]) and "我是" not in m[0]),
    Rule(slot="user/profile/surname", pattern=re.compile(r"我姓(?P<value>[\u4e00-\u9fff]{1,2})(?=$|[，,。])")),
    Rule(slot="user/profile/address_as", pattern=re.compile(r"(?:可以|请|就|直接|都)*(?:叫|称呼|喊)我(?:为|做|一声)?(?P<value>[\u4e00-\u9fff]{1,6}?|[A-Za-z][\w ]{0,20}?)(?:就行|就好|就可以|即可|吧|好了)?(?=$|[，,。!！])"), fits=lambda m: not re.search(r"起床|一下|去|来|吃|回|做|什么|出", m["value"])),
    Rule(slot="user/profile/home", pattern=re.compile(rf"(?:{ME}|^|用户)(?:家)?(?:住在?(?!的|着|得|那|这)|定居在?|家在|常驻|生活在)(?:了)?(?P<value>[\u4e00-\u9fffA-Za-z0-9]{{2,20}}?)(?=$|[，,。;；的]|附近|这边|那边|了|快|已经|\d+年)"), fits=is_place),
    Rule(slot="user/profile/home", pattern=re.compile(rf"(?:{ME}|^)(?:搬家?到|搬去|搬回|移居到?|迁到|搬来)了?(?P<value>[\u4e00-\u9fffA-Za-z]{{2,15}}?)(?:住|生活)?(?:了)?(?=$|[，,。;；])"), triggers=CHANGE, fits=is_place),
    Rule(slot="user/profile/employer", pattern=re.compile(rf"(?:{ME}|^)(?:上个?月|上周|刚|去年|今年)?(?:跳槽到|跳槽去|入职|加入|转到|去)了?(?P<value>[\u4e00-\u9fffA-Za-z0-9]{{2,15}}?)(?:公司)?(?:了|上班了|工作了)(?=$|[，,。;；])"), triggers=CHANGE, fits=lambda m: bool(re.search(r"跳槽|入职|加入|上班|工作", m[0]))),
    Rule(slot="user/profile/employer", pattern=re.compile(rf"{ME}在(?P<value>[\u4e00-\u9fffA-Za-z0-9]{{2,20}}?)(?:上班|工作|任职|就职|实习|做[\u4e00-\u9fff]{{2,8}}$|当[\u4e00-\u9fff]{{2,8}}$)"), fits=lambda m: not re.search(r"家$|努力|认真|这|那|哪", m["value"])),
    Rule(slot="user/profile/school", pattern=re.compile(rf"{ME}(?:在|就读于)(?P<value>[\u4e00-\u9fffA-Za-z]{{2,15}}?)(?:读|上|念)(?:书|大学|研究?生?|博士?|本科|高中|初中|小学|大[一二三四]|研[一二三]|硕士?)")),
    Rule(slot="user/profile/job", pattern=re.compile(rf"(?:(?:我|本人)(?:现在|目前|其实|以前)?(?:是|做|当|从事)(?:一?[名个位]|做)?|我的?(?:职业|工作|岗位|职位)(?:是|为)(?:一?[名个位])?)(?P<value>[\u4e00-\u9fffA-Za-z]{{0,12}}?(?:{JOBS_ZH}))(?:的)?(?=$|[，,。;；])"), fits=lambda m: "不" not in m["value"]),
    Rule(slot="user/profile/age", pattern=re.compile(r"我(?:今年|现在|都|已经|马上|快)*(?:就)?(?P<value>\d{1,3}|[二三四五六七八九]?十[一二三四五六七八九]?)岁")),
    Rule(slot="user/profile/age", pattern=re.compile(r"我(?:是)?(?P<value>\d{2})后(?=$|[，,。])")),
    Rule(slot="user/profile/hometown", pattern=re.compile(r"(?:我(?:的)?(?:老家|家乡|籍贯)(?:在|是)|我来自|我是从)(?P<value>[\u4e00-\u9fffA-Za-z]{2,15}?)(?:的|来的|人|那边)?(?=$|[，,。;；])")),
    Rule(slot="user/profile/hometown", pattern=re.compile(r"我(?:是|就是)(?:土生土长的)?(?P<value>[\u4e00-\u9fff]{2,6}?)人(?=$|[，,。;；])"), fits=lambda m: not re.search(r"好|坏|懒|普通|年轻|中年|老|怕|个|成年|负责|联系|现代|有|本$|家$", m["value"])),
    Rule(slot="user/profile/birthday", pattern=re.compile(r"我的?(?:农历|阴历|阳历)?生日(?:是|在|为)?(?P<value>(?:农历|阴历)?(?:\d{4}年)?[\d一二三四五六七八九十正腊冬]{1,3}月[\d初一二三四五六七八九十廿]{1,4}[日号]?)")),
    Rule(slot="user/profile/marital_status", pattern=re.compile(r"我(?:们)?(?:已经|还|现在|目前|去年|今年|刚刚?|上个?月|是|单身|前年)*(?P<value>结婚(?=了|$)|离婚(?=了|$)|单身|未婚|已婚|订婚(?=了|$)|分手(?=了|$))"), triggers=CHANGE, fits=lambda _match: True),
    Rule(slot="user/profile/children", pattern=re.compile(r"(?:我|我们|我家)(?:家)?有(?P<value>[一二两三四五六\d]个(?:孩子|小孩|娃|儿子|女儿|宝宝)|(?:一|1)?对双胞胎)")),
    Rule(slot="user/pet/name", pattern=re.compile(r"(?:我|我们|我家|家里)(?:家)?(?:养|有)了?(?:一?[只条]|[两三]只)?(?:[\u4e00-\u9fff]{1,5})?(?:猫|狗|兔子|仓鼠|鹦鹉|金毛|柯基|泰迪|拉布拉多|龟|橘猫)[，,]?(?:名字)?(?:叫|名叫)做?(?P<value>[\u4e00-\u9fffA-Za-z]{1,8})"), category="relation", triggers=(Trigger.RELATION,)),
    Rule(slot="user/pet/name", pattern=re.compile(r"我(?:家|们家)?的?(?:猫|狗|橘猫|金毛|柯基)(?:名字)?(?:叫|是)(?P<value>[\u4e00-\u9fffA-Za-z]{1,8})$"), category="relation", triggers=(Trigger.RELATION,)),
    Rule(slot="user/pet/kind", pattern=re.compile(r"(?:我|我们|我家)(?:家)?(?:养|有)了?(?P<value>(?:[一二两三四五\d][只条])[\u4e00-\u9fff]{0,5}(?:猫|狗|兔子|仓鼠|鹦鹉|金毛|柯基|龟))")),
    Rule(slot="user/skill", pattern=re.compile(r"我(?:的)?(?P<value>(?:英语|日语|法语|韩语|口语|普通话|编程|数学|写作|游泳|车技|厨艺|电脑|Excel|Python)(?:口语|水平)?(?:也|还|都)?(?:不太?行|不太?好|很?一般|很差|很烂|挺好|很好|不错|流利|零基础|还可以))"), category="skill", kind=Kind.SEMANTIC),
    Rule(slot="user/profile/job", pattern=re.compile(r"我(?:主要|现在|自己)?(?:是)?(?:做|搞|干|从事)(?P<value>[\u4e00-\u9fffA-Za-z]{2,10}?)(?:的|工作|行业|生意|这行|这一行)(?:的)?(?=$|[，,。])"), fits=lambda m: not re.search(r"什么|这样|错|好|完", m["value"])),
    Rule(slot="user/profile/birth_year", pattern=re.compile(r"(?:^|我)(?:是|属[\u4e00-\u9fff][，,])?(?P<value>(?:19|20)?\d{2})年(?:出?生)?的?(?=$|[，,。])"), fits=lambda m: "我" in m[0]),
    Rule(slot="user/profile/zodiac", pattern=re.compile(r"我(?:是)?(?:属(?P<value>[鼠牛虎兔龙蛇马羊猴鸡狗猪])|(?P<value2>[\u4e00-\u9fff]{2}座)(?:的)?)(?=$|[，,。])")),
    Rule(slot="user/pet/kind", pattern=re.compile(r"(?:我家|家里|我们家)(?:有|养了?)?(?P<value>[一二两三四五\d][只条][\u4e00-\u9fff]{0,4}(?:猫|狗|兔子|仓鼠|鹦鹉|龟))")),
    Rule(slot="user/skill/languages", pattern=re.compile(r"我(?:的母语是|会说?|能说|精通|懂|擅长)(?P<value>(?:[\u4e00-\u9fff]{1,3}[语文](?:和|、|及|跟)?)+)"), category="skill", kind=Kind.SEMANTIC),
    Rule(slot="user/skill", pattern=re.compile(r"我(?:很|比较|最|也|还)*(?:擅长|精通|会弹|会写|会画|熟悉|熟练使用)(?P<value>[\u4e00-\u9fffA-Za-z+# ]{2,16}?)(?=$|[，,。])"), category="skill", kind=Kind.SEMANTIC),
    Rule(slot="user/profile/body", pattern=re.compile(r"我(?:的)?(?:身高|体重|血型|视力|鞋码|衣服尺码|尺码)(?:是|有|为|大概|差不多)*(?P<value>\d{1,3}(?:\.\d+)?(?:cm|kg|公斤|斤|厘米|码)?|[ABO]{1,2}型?|[XSML]{1,3}码?)")),
    Rule(slot="user/health/condition", pattern=re.compile(r"我(?:患)?有(?P<value>[\u4e00-\u9fff]{0,4}(?:高血压|糖尿病|哮喘|胃病|鼻炎|心脏病|乳糖不耐受?|近视|颈椎病|失眠|痛风))|我(?P<value2>乳糖不耐受?|怀孕了?)")),
)  # fmt: skip
RULES_EN: Final = (
    Rule(
        slot="user/trait",
        pattern=rx(
            r"\bI(?:'m| am) (?:really |very |a bit |quite |also |definitely )*(?P<value>(?:an? )?(?:(?:[\w-]+ )?(?:sleeper|eater|introvert|extrovert|night owl|early bird|morning person|people person|perfectionist|homebody|workaholic|foodie|minimalist|beginner|smoker|drinker|gamer|reader|runner|cyclist|hiker)|left-handed|right-handed|introverted|extroverted|short-sighted|near-sighted|claustrophobic|afraid of \w+|scared of \w+|sensitive to [\w ]{2,24}))(?=$|[,.!;]|\s+(?:and|but|so)\b)"
        ),
        kind=Kind.SEMANTIC,
    ),
    Rule(slot="user/profile/name", pattern=rx(rf"\b(?:my (?:full |real |first )?name is|my name's|I am called|I'm called|I go by)\s+(?P<value>[^\W\d_][\w'’.-]*(?: [A-Z][\w'’.-]*){{0,3}}){END}")),
    Rule(slot="user/profile/address_as", pattern=rx(r"\b(?:call|address) me (?P<value>(?!back|later|when|if|at|on|tomorrow|a\b|an\b|crazy|now|maybe|today|after|before|by\b|in\b|to\b)[^\W\d_][\w'’.-]*(?: (?!from|please|in|instead|and|when|next|if|by)[\w'’.-]+)?)(?=$|[,.!]|\s+(?:from|please|in|instead|and|by)\b)"), fits=is_proper),
    Rule(slot="user/profile/home", pattern=re.compile(rf"(?:\b(?:I|[Ww]e|[Tt]he user){ADV_EN} |^)(?:lives?|[Ll]ives?|resides?|am based|are based|live (?:alone|together))(?: now| currently)? (?:in|at|near) (?P<value>(?:the )?[\w'’. -]{{2,40}}?){END}|\b(?:I'm|we're|I've|we've|I have|we have|We've|We're|We have) (?:currently |now |just )?(?:based|living|settled|settled down) in (?P<value2>[\w'’. -]{{2,40}}?){END}")),
    Rule(slot="user/profile/home", pattern=re.compile(rf"(?:\b(?:I|[Ww]e|[Tt]he user)(?:'ve)?{ADV_EN}(?: have)?{ADV_EN} |^)(?:[Mm]oved|relocated)(?: back)?(?: from [A-Z]\w+)? to (?P<value>(?:the )?[A-Z][\w'’. -]{{1,40}}?)(?=$|[,.!;]|\s+(?:and|but|so|last|this|in|for|with|from|because|two|three|a|yesterday|recently)\b)"), triggers=CHANGE),
    Rule(slot="user/profile/employer", pattern=re.compile(rf"\bI(?:'ve)?{ADV_EN}(?: have)? (?:joined|started (?:working )?at|started a (?:new )?job at|got a (?:new )?job at) (?P<value>[A-Z][\w&'’.-]*(?: [A-Z][\w&'’.-]*){{0,3}})"), triggers=CHANGE),
    Rule(slot="user/profile/employer", pattern=re.compile(rf"\b(?:I(?:'m)?{ADV_EN} (?:work(?:ing)?|am employed|employed|am working|intern)(?: [\w ]{{0,20}}?)? (?:at|for) |my (?:company|employer) is )(?P<value>(?:the )?[A-Z][\w&'’.-]*(?: (?:of |and )?[A-Z][\w&'’.-]*){{0,3}})")),
    Rule(slot="user/profile/job", pattern=rx(rf"\b(?:I(?: am|'m){ADV_EN}(?= an? | the )|I (?:currently |now )?work(?:ed)? as|my (?:job|profession|occupation|role|title) is|I got promoted to|I was promoted to)\s+(?:an? |the )?(?P<value>(?:[\w/-]+ ){{0,3}}?(?:{JOBS_EN}))(?=$|[,.!;]|\s+(?:and|but|at|for|in|by|with|from|so|who|now|specializ\w+|based|on)\b)"), fits=is_job),
    Rule(slot="user/profile/age", pattern=rx(r"\b(?:I'm|I am|I just turned|I turned|I'll be|I turn)\s+(?P<value>\d{1,3})(?: years old| years of age)?(?=$|[,.!;]| and| but| years| this| next)")),
    Rule(slot="user/profile/hometown", pattern=re.compile(rf"\b(?:I(?:'m| am| come){ADV_EN} from|I was born(?: and raised)? in|I grew up in|my home ?town is)\s+(?P<value>[A-Z][\w'’. -]{{1,30}}?){END}")),
    Rule(slot="user/profile/birthday", pattern=rx(r"\b(?:my birthday (?:is|falls) (?:on |in )?|I was born on )(?P<value>(?:the )?[\w ,]{3,24}?)(?=$|[.!;]| and| but)")),
    Rule(slot="user/profile/marital_status", pattern=rx(r"\b(?:I|we)(?:'m|'re|'ve)?(?: am| are| have)?(?: just| recently| already| still| got| gotten)*\s+(?P<value>married|divorced|single|engaged|widowed|separated)(?=$|[,.!;]| and| but| last| this| in| with| for| now| to| recently)"), triggers=CHANGE),
    Rule(slot="user/profile/children", pattern=rx(r"\b(?:I|we)(?:'ve got| have)\s+(?P<value>(?:a|one|two|three|four|five|\d)(?: \w+)? (?:kids?|child|children|sons?|daughters?|boys?|girls?|twins)|twins)\b")),
    Rule(slot="user/pet/name", pattern=rx(r"\b(?:(?:I|we)(?:'ve got| have| adopted| got)|my)\s+(?:an? |two |three )?(?:[\w-]+ ){0,3}?(?:dogs?|cats?|puppy|kitten|parrot|rabbit|hamster|retriever|labrador|poodle|corgi|horse)(?:'s name)?,?\s+(?:named|called|is named|is called|whose name is|is)\s+(?P<value>[^\W\d_][\w'’-]*)"), category="relation", triggers=(Trigger.RELATION,), fits=is_proper),
    Rule(slot="user/pet/kind", pattern=rx(r"\b(?:I|we)(?:'ve got| have| adopted| just adopted)\s+(?P<value>(?:an?|two|three|\d) (?:[\w-]+ ){0,2}?(?:dogs?|cats?|puppy|puppies|kittens?|parrot|rabbits?|hamsters?|retriever|corgi|horse))\b")),
    Rule(slot="user/skill", pattern=rx(r"\b(?:my (?:spoken |written )?(?P<value>(?:english|chinese|spanish|french|german|japanese|coding|math|maths|writing|cooking|excel|python)(?: skills)? (?:is|are|isn't|aren't) (?:not |pretty |very |quite |really |a bit )*(?:great|good|bad|poor|rusty|fluent|weak|strong|decent|terrible|basic)))"), category="skill", kind=Kind.SEMANTIC),
    Rule(slot="user/profile/job", pattern=rx(r"\bI (?:do|make) (?P<value>[\w -]{3,30}?) for a living|\bI run (?:a|an|my own) (?P<value2>(?:[\w-]+ ){0,3}(?:shop|store|company|business|restaurant|cafe|agency|startup|studio|bakery|farm|practice|blog|channel))\b")),
    Rule(slot="user/profile/birth_year", pattern=rx(r"\bI was born in (?P<value>(?:19|20)\d{2})\b")),
    Rule(slot="user/pet/name", pattern=rx(r"\b(?:my|our) (?:two |three |other )?(?:[\w-]+ )?(?:dogs?|cats?|puppy|puppies|kittens?|rabbits?|hamsters?|horses?|parrots?)(?:'s? names?)? (?:is|are)(?: called| named)? (?P<value>[^\W\d_][\w'’-]*(?:(?:,| and| &) [A-Z][\w'’-]*)*)"), category="relation", triggers=(Trigger.RELATION,), fits=is_proper),
    Rule(slot="user/skill/languages", pattern=re.compile(r"\b(?:I(?: can| also)? speak|I'm fluent in|I am fluent in|[Mm]y (?:native|first) language is)\s+(?P<value>(?:fluent |some |a bit of |native |basic )?[A-Z]\w+[\w ,]{0,40})"), category="skill", kind=Kind.SEMANTIC),
    Rule(slot="user/skill", pattern=rx(r"\bI(?:'m| am) (?:really |very |pretty |quite )?(?:good at|skilled (?:in|at)|proficient (?:in|with)|experienced (?:in|with)|an expert (?:in|on))\s+(?P<value>[\w+# /-]{2,40}?)(?=$|[,.!;])|\bI (?:can )?play the (?P<value2>\w+)"), category="skill", kind=Kind.SEMANTIC),
    Rule(slot="user/profile/timezone", pattern=rx(r"\bmy time ?zone is (?P<value>[\w/+: -]{2,24})")),
    Rule(slot="user/profile/body", pattern=rx(r"\bmy (?:height|weight|blood type|shoe size|shirt size|size) is (?P<value>[\w.' \"+-]{1,16})|\bI wear (?:a )?size (?P<value2>\w{1,4})")),
    Rule(slot="user/health/condition", pattern=rx(r"\bI(?: have|'ve got| suffer from)(?: been diagnosed with)?\s+(?P<value>(?:type \d )?(?:diabetes|asthma|high blood pressure|hypertension|celiac disease|migraines?|insomnia|arthritis|lactose intolerance|adhd|anxiety)(?: \w+)?)|\bI(?:'m| am) (?P<value2>lactose intolerant|diabetic|pregnant|colou?r-?blind|celiac)")),
)  # fmt: skip
SURNAME: Final = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺顾毛郝龚邵万钱严覃武戴莫孔向汤欧阳温"
RELATION_ZH: Final = re.compile(
    rf"我(?:们)?(?:家)?的?(?P<who>{KIN_ZH}|{ROLE_ZH})(?:的名字)?(?:名?叫做?|姓|是(?=[{SURNAME}][\u4e00-\u9fff]{{0,2}}(?:$|[，,。])))(?P<name>[\u4e00-\u9fff·]{{1,4}}|[A-Za-z][A-Za-z .]{{1,30}})(?=$|[，,。])"
)
RELATION_EN: Final = re.compile(
    rf"\b[Mm]y (?:new |direct )?(?P<who>{KIN_EN}|{ROLE_EN})(?:'s name)?(?: is|'s)(?: now)?(?: called| named)? (?P<name>(?:Mr\. |Ms\. |Dr\. )?[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){{0,2}})(?=$|[,.!]| and| but| who)"
)
IS_OURS_ZH: Final = re.compile(
    rf"^(?P<name>[{SURNAME}][\u4e00-\u9fff]{{1,2}}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)是我(?:们)?(?:家)?的?(?P<who>{KIN_ZH}|{ROLE_ZH})(?=$|[，,。])"
)
IS_OURS_EN: Final = re.compile(
    rf"^(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?) is my (?:new )?(?P<who>{KIN_EN}|{ROLE_EN})(?=$|[,.!]| and| but)"
)
KIN_FIELD_ZH: Final = re.compile(
    rf"^我(?:们)?(?:家)?的?(?P<who>{KIN_ZH}|{ROLE_ZH})的?(?P<field>家乡|老家|生日|学历|职业|爱好|单位|公司|身高|口味|专业|工作地点|教育背景)(?:是|在|叫|为|挺高的，是)(?P<value>[^，,吗]{{1,20}})$"
)
KIN_FIELD_EN: Final = re.compile(
    rf"^my (?P<who>{KIN_EN}|{ROLE_EN})'s (?P<field>birthday|hobby|job|company|hometown|degree|major|diet) is (?P<value>[^,?]{{2,40}})$",
    re.IGNORECASE,
)
KIN_STATE_ZH: Final = re.compile(
    rf"^我(?:们)?(?:家)?的?(?P<who>{KIN_ZH})(?:现在|今年|已经|刚|也|明年|马上|快|都|还|才)*(?P<state>(?:上|读|念|在读)[\u4e00-\u9fff]{{1,10}}|(?:\d{{1,3}}|[一二三四五六七八九十]{{1,3}})岁.{{0,4}}|是(?:一?[名个位])?[\u4e00-\u9fff]{{0,8}}(?:{JOBS_ZH})|在[\u4e00-\u9fffA-Za-z]{{2,12}}(?:上班|工作|上学|读书|住)|住在?[\u4e00-\u9fff]{{2,12}}|有[\u4e00-\u9fff]{{1,5}}(?:病|炎|血压)|怀孕了?|退休了?)"
)
KIN_STATE_EN: Final = re.compile(
    rf"^(?:and |also )?my (?P<who>{KIN_EN})(?: is|'s| are| was)?(?: currently| now| just)? (?P<state>(?:in|at) (?:\w+ )?(?:grade|school|college|kindergarten|university|preschool)\b.*|\d{{1,3}}(?: years old| months old)?$|turns? \d+.*|(?:an? )(?:[\w-]+ ){{0,2}}?(?:{JOBS_EN})$|works? (?:at|as|for|in) .+|lives? in .+|goes to .+|starts? (?:school|college|kindergarten).*|pregnant|retired|lactose intolerant|diabetic|autistic|deaf|blind|colou?r-?blind|vegetarian|vegan|has (?:diabetes|asthma|high blood pressure).*)",
    re.IGNORECASE,
)
NEGATED: Final = re.compile(r"不叫|不住|不在|不是|\b(?:not|n't|no longer)\b|n't\b|不再", re.IGNORECASE)
NO_MORE: Final = re.compile(
    r"^我(?:已经|现在)?不再(?P<value>.{2,24})|^我(?P<value2>(?:离职|辞职|退休|毕业|失业|升职|创业|怀孕|当爸爸?|当妈妈?|分手|退学|转行|被裁|下岗|换工作|转正|戒[烟酒糖]|生(?:孩子|宝宝|二胎)|买房|创业|(?:刚|已经|终于|要)?(?:升|当上|晋升(?:为|到)?|转岗(?:到)?|调到|被提拔为)(?=[\u4e00-\u9fff]{2,8}))(?:了|[^，,吗]{0,12}了)?(?=$|[，,。]))|\bI(?:'m| am)? no longer (?P<value3>.+)|\bI(?:'ve)?(?: have)? (?:just |recently )?(?P<value4>(?:quit my job|resigned|retired|graduated|lost my job|got promoted|started my own (?:company|business)|got laid off|was laid off|changed jobs|switched (?:jobs|teams|careers)|got (?:hired|fired)|had a baby|bought a (?:house|flat|home|car)|(?:became|made|got made) (?:an? )?(?:father|mother|dad|mom|director|manager|partner|vp|lead|head|senior|principal|professor)|been (?:sober|clean|vegan|vegetarian|[\w]+-free|off \w+) (?:for|since)).*)",
    re.IGNORECASE,
)
