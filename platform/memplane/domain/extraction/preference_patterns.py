# ruff: noqa: E501 (patterns)
"""How a clause says what a user likes, dislikes, does always, and how they want to be answered."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.extraction.people import KIN_EN, KIN_ZH

SUBJECT_ZH: Final = rf"(?:我(?:们|家)?的?(?:{KIN_ZH}|老板|领导|上司|上级|主管)|我们?|咱们?|本人|俺|用户)"
GAP_ZH: Final = r"(?:这个?人)?(?:(?!的|下属|舍友|队友|师|朋友|同事|同学|室友|邻居|客户|女神|听说|觉得|想知道|问|以为|怀疑|知道|记得|看到|昨天|今天|刚才|上次|不是)[^，,我你您他她]){0,10}?"
NEG_ZH: Final = r"(?:很|最|都|真的?|特别|非常|一直|从来|实在|现在|已经|比较|还是|也|就)*(?:不(?:太|大|怎么|是很|是特别)?(?:喜欢|爱|习惯|想要?|愿意|偏好|能接受|接受)|讨厌|反感|厌恶|受不了|接受不了|无法接受|最烦|最怕|从不|从来不|再也不|不能?再?(?:吃|喝|用|住|坐|买|抽|碰)|吃不了|喝不了|戒了?|不(?:再)?(?:吃|喝|抽烟|碰)|怕(?=冷|热|吵|辣|黑|高|挤|水|晒)|再也不)"
POS_ZH: Final = r"(?:很|最|都|真的?|特别|非常|一直|从来|现在|比较|还是|也|就|更|超级?|尤其|越来越|蛮|挺|个人|一般|通常|平时|其实|向来)*(?:喜欢|喜爱|偏好|偏爱|钟爱|热爱|酷爱|中意|爱(?=吃|喝|看|听|玩|打|用|买|穿|住|坐|去|爬|跑|游|读|逛)|倾向于?|习惯于?|宁愿|宁可|更?愿意|迷上了?|离不开|只(?=吃|喝|用|住|坐|买|看|穿|要|接受))"
HABIT_ZH: Final = r"(?:一般|通常|平时|平常|总是|都|向来|习惯|经常|每次都?|从来都?|基本|老是|常|一直)+(?:[^，,我的]{0,6}?)(?P<do>用|住|坐|吃|喝|买|选|点|订|穿|走|看|听|去|乘|付|睡|起床|早起)"
LIKES_ZH: Final = re.compile(
    rf"^(?P<topic>(?:[^，,我你您他她]){{0,12}}?)(?P<subject>{SUBJECT_ZH})(?!这种|这样|这个(?!人))(?P<gap>{GAP_ZH})(?:(?P<neg>{NEG_ZH})|(?P<pos>{POS_ZH}))(?P<object>.*)$"
)
BARE_ZH: Final = re.compile(
    r"^(?:(?:其实|还是|也|并且|还|而且|但是?|不过|特别|就)*)(?:(?P<neg>不喜欢|不爱|讨厌|受不了|不吃|不喝|不能吃|不要(?!了$|紧|脸|命|客气|担心|再说))|(?P<pos>(?:更|最|比较|很|还是)?(?:喜欢|偏好|偏爱|倾向于|习惯)))(?P<object>.+)$"
)
DOES_ZH: Final = re.compile(
    rf"^(?:[^，,我你您他她]{{0,12}}?)(?:{SUBJECT_ZH})(?:[^，,我你您他她听]{{0,8}}?){HABIT_ZH}(?P<object>[^了].*)$"
)
ALLERGY_ZH: Final = re.compile(
    rf"(?P<subject>{SUBJECT_ZH})?[^，,你您他她]{{0,4}}?对(?P<object>[^，,的]{{1,12}}?)(?:严重|有点|有些|都)?过敏|(?P<subject2>{SUBJECT_ZH})?(?P<object2>[^，,我对]{{1,6}})过敏"
)
SUITS_ZH: Final = re.compile(
    r"(?:^|[^\u4e00-\u9fff]|最近|以后|现在|这段时间)(?:还是)?用(?P<object>[\u4e00-\u9fffA-Za-z ]{2,12}?)(?:就行|就好|就可以|即可|吧|好了|更方便|比较方便|也行)"
)
CAN_EAT_ZH: Final = re.compile(
    rf"(?:{SUBJECT_ZH}|^)(?:现在|也|还|其实|都|挺|很|特别)*(?P<verb>能吃|可以吃|会喝|能喝|吃得了|无)(?P<object>[^，,了吗]{{1,8}}(?:不欢)?)"
)
INTEREST_ZH: Final = re.compile(
    rf"(?:{SUBJECT_ZH})(?:个人|其实|一直|从小)*对(?P<object>[^，,]{{1,14}}?)(?:(?P<neg>没(?:有)?(?:啥|什么|太大|多大)?(?:兴趣|感觉)|不(?:太|怎么|是很)?感(?:兴趣|冒)|无感)|(?P<pos>(?:很|挺|特别|非常|比较|一直)*(?:感兴趣|有兴趣|着迷|上瘾|有研究)))"
)
TASTE_ZH: Final = re.compile(
    r"(?P<object>[^，,]{0,10}?(?:不加|少加?|多加?|去|免|不放|别放|不要)(?:糖|冰|辣椒?|盐|油|香菜|葱|姜|蒜|醋|奶|冰块)(?!店|块钱))$"
)
STYLE_ZH: Final = re.compile(
    r"^(?P<object>[^，,我]{2,14}?)(?P<neg>(?:都|就)?(?:省了|免了|省略|跳过|不用写|不用说|不必了|去掉))(?:吧)?$|(?:直接|只要?|只需)(?:给我?|说|讲|上|告诉我)(?P<object2>结论|重点|答案|结果|干货|要点|代码|数据)"
)
IDIOM_EN: Final = re.compile(
    r"^(?:honestly|personally|frankly|well)?,?\s*(?P<object>[\w' -]{2,40}?)\s+(?:(?P<neg>(?:does nothing|do nothing|doesn't do (?:it|much|anything)) for me|(?:is|are)(?: not|n't) (?:really )?(?:my (?:thing|cup of tea|style|favou?rite)|for me)|(?:is|are) (?:a (?:hard |total |absolute )?)?(?:no-go|deal-?breaker|non-starter|turn-?off|off the table)(?= for me| to me|$)|(?:gives?|makes?) me (?:a headache|sick|anxious|nervous|uncomfortable))|(?P<pos>(?:is|are) (?:totally |really )?(?:(?:a must(?:-have)?(?= for me)|my (?:thing|jam|style|favou?rite|go-to|comfort food)))|would be (?:ideal|perfect|great|best|lovely|preferred|preferable)))(?: for me)?$|\bI run (?P<object2>cold|hot)$|\bI(?:'m| am) (?P<neg2>never) (?P<object3>\w+ing .+?)(?: again)?$",
    re.IGNORECASE,
)
TASTE_EN: Final = re.compile(
    r"(?P<object>(?:an? |large |small |medium |double |iced |hot )*[\w ]{2,24}? (?:with(?:out| no| extra| less| light)|no|hold the) (?:sugar|ice|milk|dairy|onions?|cilantro|garlic|salt|oil|mayo|pickles|cream|foam|gluten|meat)\b.*)$",
    re.IGNORECASE,
)
STYLE_EN: Final = re.compile(
    r"^(?:(?:please|just|also|and|so)[\s,]+)*(?:(?P<neg>skip|drop|cut|spare me|go easy on|leave out|no need for|hold off on|lose)\s+(?:out )?(?:the |all the |on the |with the )?(?P<object>(?!it\b|this\b|that\b|me\b|by\b|off\b)[\w' -]{3,40}?)(?: and .*)?|(?P<pos>(?:just |only )?(?:give|tell|show) me (?:just |only )?the )(?P<object2>conclusion|gist|answer|code|short version|bottom line|result|key points|highlights|numbers)\b.*)$",
    re.IGNORECASE,
)
MUST_EN: Final = re.compile(
    r"^(?P<object>(?:reports?|answers?|replies|emails?|summaries|updates?|the reports?|slides|documents?)\b.{0,20}\b(?:must|should|need to|have to)(?: always)? .{3,60})$",
    re.IGNORECASE,
)
MUST_ZH: Final = re.compile(
    r"^(?P<object>(?:汇报|报告|回复|回答|周报|日报|邮件|文档|文案|PPT|总结|代码|方案)(?:里面?|中|时|的时候|上)?[^，,]{0,6}?(?:一定要|必须|要|得|务必)(?:有|带|写|包含|附|用|突出|加)[^，,]{1,20})$"
)
QUALITY_ZH: Final = re.compile(
    r"^(?:[^，,我]{0,6}?(?:要|得|最好|希望))?(?P<object>[\u4e00-\u9fff]{2,6}?)(?P<condition>(?:但是?|不过)[，,]?(?:不要|别|不能|也?不(?:可以)?)(?:太|过于)?[^，,]{1,8})$"
)
DIRECT_ZH: Final = re.compile(
    r"^(?:请|.{0,8}?)(?P<not>不要|(?<![特个区级分类性告识差离])别(?!的|样|提|致|具|开|人|墅|急|担心|客气|忘|说了|闹|提了|介意|去|走|动)|请勿|少(?=用|发|说|给|放)|禁止)(?:再|总是?|老是?|那么|这么|太|每次|动不动)*(?P<object>.{2,})$"
)
ADVERBS_EN: Final = r"(?:\s+(?:really|also|always|usually|generally|normally|typically|still|now|absolutely|strongly|much|only|personally|actually|just|definitely|mostly|particularly|especially|kind of|sort of|honestly|truly|do|would|both|rather|totally|quite|at times|in general|these days))*"
SUBJECT_EN: Final = rf"(?:\b(?:I|we|the user)\b|\b(?:my|our)\s+(?:\w+\s)?(?:{KIN_EN}|boss|manager)\b)"
OPEN_EN: Final = r"^(?:(?:for|when|on|in|at|as|during|while|if possible|compared to|instead of)\b.{0,40}?\s)?(?:(?:and|but|so|because|also|since|honestly|well|yeah|yes|no|nah|btw|though|personally|lately|usually|recently|oh|wow|cool|actually|my \w+ and)\s+){0,3}"
LIKES_EN: Final = re.compile(
    rf"{OPEN_EN}{SUBJECT_EN}{ADVERBS_EN}\s+(?:(?P<neg>don'?t (?:really |much |particularly )?(?:like|love|enjoy|want(?! to)|eat|drink|use|care for|do well with|fly|appreciate)|do not (?:like|want|eat|drink|use|enjoy)|does(?:n't|nt) (?:like|eat|drink|enjoy|want|use|care for)|does not (?:like|eat|drink|enjoy)|hates?|dislikes?|detests?|loathes?|can'?t stand|cannot stand|can'?t (?:eat|drink|have|tolerate|bear)|cannot (?:eat|drink|have)|avoids?|never (?:eat|drink|use|fly|take|buy|stay|wear|order|watch|liked?|liked)s?|no longer (?:eat|drink|use|like|want|enjoy|take)s?|stopped (?:eating|drinking|using|smoking)|quit (?:smoking|drinking|eating|coffee|sugar)|gave up|(?:am|is) not (?:a (?:big )?fan of|into|fond of|keen on)|(?:am|is) tired of)"
    rf"|(?P<pos>prefers?|preferred|likes?|loves?|enjoys?|adores?|favou?rs?|(?:am|is) (?:a (?:big |huge )?fan of|into|fond of|keen on|used to|crazy about|obsessed with|partial to)|only (?:eat|drink|use|fly|stay|buy|take|wear|want)s?|always (?:fly|book|order|take|use|drink|eat|stay|choose|sit|buy|go|wear|pick|get|ask|pay|travel|want|read|start|have|work)s?|usually (?:fly|book|order|take|use|drink|eat|stay|choose|sit|buy|go|wear|pick|get|pay|travel|read|start|have|work|run)s?|(?:normally|typically|generally|mostly) (?:fly|book|order|take|use|drink|eat|stay|choose|sit|buy|go|wear|pick|get|pay|travel)s?|pays?(?= (?:with|by|in)\b)|tend to|rather))(?P<object>\b.*)$",
    re.IGNORECASE,
)
CONTRACTED_EN: Final = re.compile(
    r"\bI(?:'m|’m) (?P<not>not )?(?:really |also |quite |very |such )?(?:a (?:big |huge )?fan of|into|fond of|keen on|used to|crazy about|obsessed with)(?P<object>\b.*)$|\bI(?:'d|’d) (?:much |really )?rather (?P<not2>not )?(?P<object2>.*)$",
    re.IGNORECASE,
)
BARE_EN: Final = re.compile(
    r"^(?:(?:also|and|but|just|really|no need for)\s+)?(?:(?P<pos>prefer)|(?P<neg>hate|dislike|can'?t stand|no))\s+(?P<object>(?!idea|problem|worries|way|thanks|thank|rush|doubt|need|one\b|longer|matter|clue|this\b|that\b|it\b|more questions).+)$",
    re.IGNORECASE,
)
ROUTINE_EN: Final = re.compile(
    r"^(?:I|we) (?P<object>(?:get up|wake up|go to bed|go to sleep|run|jog|exercise|swim|meditate|work out|commute|read|cook|walk|cycle|journal|play|practice|go) .{0,60}?\b(?:every|most|each|daily|weekdays|weekends|mornings|evenings|nights)\b.*)$",
    re.IGNORECASE,
)
ROUTINE_ZH: Final = re.compile(
    r"^(?:我|我们|本人)(?:一般|通常|基本)?(?:每天|每周|每晚|每早|每个?周末|每个?月|天天)(?!都?(?:给|发|要汇))(?P<object>[^，,吗呢]{2,20})$"
)
ALLERGY_EN: Final = re.compile(
    rf"(?:{SUBJECT_EN}).{{0,14}}?\ballergic to (?P<object>[\w ]{{2,30}}?)(?:$|,| and I| but)|(?:{SUBJECT_EN}).{{0,12}}?\b(?:has|have) an? (?P<object2>\w+(?: \w+)?) allergy",
    re.IGNORECASE,
)
ALLERGY_SHORT_EN: Final = re.compile(
    r"\bI['’]m .{0,12}?\ballergic to (?P<object>[\w ]{2,30}?)(?:$|,| and I| but)", re.IGNORECASE
)
SUITS_EN: Final = re.compile(
    r"(?:^|\b)(?:just )?(?:use )?(?P<object>[\w-]+(?: \w+)?) (?:is|works|would be|will be) (?:just )?(?:fine|better|best|good enough|enough|ok|okay|great)\b",
    re.IGNORECASE,
)
IMPERATIVE_EN: Final = re.compile(
    r"^(?:(?:please|also|and|just|so|ok|can you|could you|always)[\s,]+)*(?:keep|make|use|answer|reply|respond|write|speak|talk|give|send|be|avoid|skip|include|add|start|format|post|ping|text|email|call|contact|reach|notify|limit|don'?t|do not|never|stop|cut)\b",
    re.IGNORECASE,
)
FAVOURITE: Final = re.compile(
    r"我最(?:喜欢|爱)的(?P<what>[^，,是]{1,8}?)(?:是|叫)(?P<value>.+)$|\b(?:my|our) favou?rite (?P<what2>[\w ]{2,24}?) (?:is|are) (?P<value2>.+)$",
    re.IGNORECASE,
)
CHANNEL_WISH: Final = re.compile(
    r"^(?:直接|请|改|还是|就|以后)*(?:打我?|发|用)(?:我)?(?:电话|短信|微信|邮件|企业微信|钉钉|飞书)(?:给我|联系|通知|找我|就行|就好|吧|$)|^不用发|^(?:just |please |only )*(?:contact|reach|notify|call|text|email|message|ping) me (?:on|by|via|at|instead|through)\b",
    re.IGNORECASE,
)
ONCE: Final = re.compile(
    r"这(?:句|段|篇|封|份|道|个问题|首|张|次回答)|\bthis (?:sentence|paragraph|article|email|text|letter|essay|code|answer|one)\b|\bthe (?:following|above)\b",
    re.IGNORECASE,
)
ASKING: Final = re.compile(
    r"什么|哪(?:个|家|些|里|种)|谁|怎么|为什么|多少|吗$|呢$|\b(?:what|which|why|how|whether|if you)\b", re.IGNORECASE
)
ABOUT_OTHERS: Final = re.compile(
    r"^(?:你|您|他|她|它|这(?:个|样)?$|那个?$|的?(?:人|话)$)|^\s*(?:you|him|her|them|it)\b|^\s*(?:this|that|when you|how you|to (?:know|see|ask|have|get|book|order|check|find|make|say|thank))\b[^,]{0,40}$",
    re.IGNORECASE,
)
VERB_ZH: Final = re.compile(
    r"^(?:去|在|于|到|跟|和|把|被|给|让|能够?|要|用|吃|喝|看|听|玩|打|住|坐|买|穿|选|点|订|乘|有)*"
)
VERB_EN: Final = re.compile(
    r"^(?:to |the |a |an |my |our |in |at |with |by |on |having |eating |drinking |taking |using |staying (?:in |at )?|stay (?:in |at )?|take |drink |eat |use |have |go (?:by |to )?|that |it when |when |sitting (?:in |by )?)+",
    re.IGNORECASE,
)
TAIL: Final = re.compile(
    r"(?:的(?:那种|类型|风格)?|了|的话|什么的|之类的?|更多一点|多一点|一点|一些)+$|\s+(?:more|better|best|a lot|very much|the most|too|as well|these days|now|anymore|any more|at all|everywhere|for everything)$",
    re.IGNORECASE,
)
THAN: Final = re.compile(
    r"\s+(?:better than|more than|over|rather than|instead of|than|when|for|because|to \w+ (?:with|for))\b.*$|(?:胜过|多过|而不是|，).*$",
    re.IGNORECASE,
)
PATTERNS_ZH: Final = (
    INTEREST_ZH,
    CAN_EAT_ZH,
    LIKES_ZH,
    BARE_ZH,
    DOES_ZH,
    TASTE_ZH,
    STYLE_ZH,
    MUST_ZH,
    ROUTINE_ZH,
)
PATTERNS_EN: Final = (CONTRACTED_EN, LIKES_EN, IDIOM_EN, BARE_EN, STYLE_EN, TASTE_EN, MUST_EN, ROUTINE_EN)
ATE: Final = re.compile(
    r"^(?:我|我们)?(?:今天|昨天|中午|晚上|早上|刚刚?|刚才|又|还|在外面|昨晚)*(?:点|吃|喝|叫|尝)了(?:一?[份个杯碗顿点些])?(?P<object>[^，,吗呢]{1,16})$"
    r"|\b(?:I|we) (?:just |also )?(?:ordered|ate|had|drank|tried)(?: some| a| an| the)? (?P<object2>[\w ]{2,40}?)(?: today| yesterday| tonight| last night| for (?:lunch|dinner|breakfast))*$",
    re.IGNORECASE,
)
REPORTS_ZH: Final = re.compile(r"汇报|报告|通知|联系|日报|周报|提醒|沟通|推送")
FIRST_PERSON: Final = re.compile(r"我(?!推荐|发|说|回|看|听)|\b(?:I|we|my|our)\b")
ASKED_FOR: Final = re.compile(r"\bplease\b|\bfor me$", re.IGNORECASE)
"""What makes "no coffee" a wish rather than a remark."""
POINTING: Final = re.compile(r"^(?:that|this|it|which|what|those|these|they)$|\b(?:you|anything)\b", re.IGNORECASE)
"""An idiom of liking about something that is only pointed at says nothing by itself."""
