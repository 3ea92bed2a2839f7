# ruff: noqa: E501 (patterns read best one alternative a line)
"""The words that point, Chinese and English as equals, and what keeps an ordinary question from looking like one.

All patterns read folded text (NFKC, lower case).
"""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.mentions import EntityKind

HABIT: Final = re.compile(
    r"还是老样子|老样子|老规矩|照旧|(?:跟|和|同|按|照)?(?:上次|上回|之前|以前|平时|往常)(?:那样|一样|的来)|还是那样|同上次|一如既往|老地方"
    r"|\b(?:my |the )usual\b|\bsame (?:thing )?as (?:before|always|usual|last time|ever)\b|\bas usual\b"
    r"|\b(?:just )?like (?:before|last time|always)\b|\bsame again\b|\bthe same thing(?: again)?\b|\bsame old\b"
)
"""What is always so: a habit or the last choice."""

LAST_TIME: Final = re.compile(
    r"(?:上次|上回|刚才|刚刚|之前|前面|先前)(?:我|你|我们|咱们)?(?:说|提|讲|聊|推荐|看|问|定)(?:到|过|起)?的?(?:那个|那家|那件事|那些)?"
    r"|(?:上次|上回|刚才|刚刚|之前|前面)的?那(?:个|家|次|份|款|本|笔)|(?:上次|上回|刚才|刚刚|前面)的|刚说的"
    r"|\blast time\b|\bthe (?:last|previous|other|earlier) one\b|\bthe one (?:before|from before|from earlier|from last time)\b"
    r"|\bwhat (?:i|you|we) (?:just )?(?:said|mentioned|recommended|suggested|discussed|talked about)(?: earlier| before| last time)?\b"
    r"|\bjust now\b|\bfrom earlier\b|\bfrom before\b"
)
"""What was said or chosen a while ago."""

_MEASURE: Final = "个|家|间|款|本|部|首|篇|台|辆|份|单|笔|件|位|种"
REFERENT_ZH: Final = re.compile(
    rf"那(?P<measure>{_MEASURE})(?!时候|年代)|这(?P<near>{_MEASURE})(?=呢|怎么样|多少钱|好吗|行吗|可以吗|如何|[?]?$)"
    r"|(?P<thing>它们?)|(?P<somebody>[他她](?!们))|(?P<there>那里|那边|那儿)"
)
"""Demonstratives and pronouns."""

_NOUN_EN: Final = (
    "one|place|restaurant|hotel|store|shop|cafe|bar|company|book|movie|film|show|song|article|order|ticket|invoice|person|guy|man|woman"
    "|error|bug|issue|problem|project|product|phone|laptop|flight|trip|meeting|document|file|report|thing|option|plan|idea|deal|contract|model"
)
REFERENT_EN: Final = re.compile(
    rf"\bthat (?P<measure>{_NOUN_EN})\b(?! (?:i|we|you|he|she|they|that|which|who|whose|where)\b| (?:from|in|with|about|on|of|at|for) \w)"
    rf"|\bthis (?P<near>one)\b|\b(?:those|these) (?P<plural>ones)\b"
    r"|\b(?P<thing>it|its)\b(?!')|\b(?P<somebody>he|she|him|her|his)\b|\b(?:get|go|been|went|stay|eat|near|around|to|over|from|live) (?P<there>there)\b"
)
"""Demonstratives and pronouns."""

HEAD_KINDS: Final[dict[str, EntityKind]] = {
    **dict.fromkeys("家间", EntityKind.PLACE),
    **dict.fromkeys(("那里", "那边", "那儿", "there"), EntityKind.PLACE),
    **dict.fromkeys("本部首篇", EntityKind.TITLE),
    **dict.fromkeys("单笔", EntityKind.RECORD),
    **dict.fromkeys("位他她", EntityKind.PERSON),
    **dict.fromkeys(("place", "restaurant", "hotel", "store", "shop", "cafe", "bar", "company"), EntityKind.PLACE),
    **dict.fromkeys(("book", "movie", "film", "show", "song", "article"), EntityKind.TITLE),
    **dict.fromkeys(("order", "ticket", "invoice"), EntityKind.RECORD),
    **dict.fromkeys(("person", "guy", "man", "woman", "he", "she", "him", "her", "his"), EntityKind.PERSON),
}
"""What a word of pointing asks for, where it tells."""

_ASKED_ZH: Final = "多少钱|几点|几号|几楼|哪天|什么时候|什么时间|在哪里?|哪里|为什么|为啥|怎么走|怎么去|谁|哪个|哪家|怎么样|多久|多远|多大|多重|贵吗|好吃吗|好用吗|远吗|可以吗|有货吗|靠谱吗"
_ATTRIBUTE_ZH: Final = (
    "地址|电话|价格|价钱|时间|地点|位置|评价|营业时间|颜色|尺码|型号|口味|联系方式|进度|状态|结果|预算|密码"
)
_ASKED_EN: Final = "how much|how long|how far|how many|how come|how so|how about now|when|where|why|why not|who|which one|which|what time|what else|anything else|any others?|what then|then what|since when|until when"
_ATTRIBUTE_EN: Final = "price|cost|address|phone(?: number)?|hours|opening hours|color|colour|size|rating|reviews?|location|date|time|status|result|budget|deadline"
ELLIPSIS: Final = re.compile(
    rf"(?:那|那么|然后|还有)?(?:{_ASKED_ZH})(?:呢|呀|啊|吗|来着|的)?[?]*"
    rf"|(?:那|那么)?(?:{_ATTRIBUTE_ZH})(?:呢|[?]+)[?]*"
    r"|(?:然后|还有|接着|后来|接下来|别的|其他的?|剩下的)呢[?]*|继续说?|还有吗[?]*|还有别的吗[?]*"
    r"|(?:那|那么)?(?P<other_zh>(?!我|你|您|他|她|它|这|那)(?![^,。;?!\s]{0,7}(?:什么|怎么|哪|谁|多少|几|吗|为何))[^,。;?!\s]{1,8})呢[?]*"
    rf"|(?:and |so |but |ok(?:ay)? )?(?:{_ASKED_EN})\??"
    rf"|(?:and |so |but )?(?:what about |how about )?(?:the |its |their )?(?:{_ATTRIBUTE_EN})\?"
    r"|(?:and |so |ok )?(?:then|and then|go on|tell me more|more|continue|what about the rest|the rest)\??"
    r"|(?:and |so |but |ok )?(?:what about|how about|and)(?: (?:for|in|on|at|to|the|a|an))* (?P<other_en>(?!you\b|me\b|us\b|it\b|that\b|this\b|he\b|she\b|they\b)[^,.;?!]{1,30})\?"
)
"""Questions that lean on the last one as a whole; matched against the whole query."""

EXPLETIVE_EN: Final = re.compile(
    r"\b(?:is|was|will|would|does|did|isn't|wasn't|could|can|might|should) it (?:going to |be |still |really |ever )*"
    r"(?:rain\w*|snow\w*|hot|cold|warm|sunny|windy|cloudy|late|early|dark|possible|true|likely|unlikely|clear|known|ok|okay|safe|worth|normal|legal|allowed|better|best|necessary|required|time|me|take|matter|make sense|hurt|help if|help to|mean|too late|\d)\b"
    r"|\bit(?:'s| is| was| will| seems| looks| turns| takes| depends| rains| snows| appears| happens)\b(?! (?:called|open|closed|in stock|available|still|made|located|on sale|done|ready|broken|worth))"
    r"|\bwhat (?:time|day|date|year|month) (?:is|was) it\b|\bhow (?:far|long|hot|cold|late) (?:is|was|will|would|does|did) it (?:be |take |last )*(?:to|from|until|till|since|in|for)\b"
    r"|\bhow(?:'s| is) it going\b|\b(?:cost|take|takes|costs) (?:\w+ )?to \w+|\b(?:make|made|got|get|take|call|believe|that's|it was|book|like) it (?:to|is|was|that|when|if|a|the)\b"
    r"|\bit (?:that|is that|was that)\b"
)
"""`it` that stands for nothing that was mentioned."""

BEFORE_PRONOUN_EN: Final = re.compile(
    r"(?:\b(?:and|so|but|ok|okay|hey|well|please|just|then|what|what's|who|when|where|why|how|which|much|many|long|far|often|old|big|heavy|fast|good"
    r"|color|colour|size|time|day|kind|does|do|did|is|was|are|were|has|had|have|will|would|can|could|should|may|might|must|to"
    r"|i|you|we|they|me|us|a|lot|about|of|for|with|from|in|at|on|by|tell|show|give|remind|send|find|know|remember|again|also|still|ever|already"
    r"|buy|bought|get|got|order|ordered|book|booked|cancel|return|returned|use|used|see|seen|saw|read|watch|watched|try|tried|like|liked|love|hate"
    r"|pay|paid|cost|put|leave|left|keep|kept|fix|fixed|change|changed|move|make|made|take|took|want|need|say|said|call|called|describe|compare|open"
    r"|recommend|think|more|most|any|really|not|don't|didn't|doesn't|let's|let)\b[ ,]*)*"
)
"""Words that may stand before a pronoun without being what it stands for; a word outside of them may be just that."""

FUNCTION_WORDS_ZH: Final = re.compile(
    r"请问|请|麻烦|帮我|帮忙|帮|给我|我想|我要|我们|我|你|您|想|问一下|问|查一下|查|看一下|看看|看|说说|说|再|还|就|把|让|给|要|能|可以|能不能|会|是不是|是|有没有|有"
    r"|的|了|吗|呢|吧|啊|呀|嘛|来着|一下|一遍|一次|个|什么|怎么样|怎么|如何|多少钱|多少|几点|几号|几|哪里|哪个|哪|谁|在|到|从|对|跟|和|也|都|又|那|这|来|去|订|定|买|选|要|打|发|改|换|取消|介绍|推荐|告诉|知道|记得|关于|为什么|为啥|现在|今天|明天|然后|所以|但是|吃|点|事|东西|事情|内容"
)
"""What says nothing about the subject of a Chinese query."""

OWN_NAME: Final = re.compile(
    r"[《「『“][^》」』”]{1,40}[》」』”]|\"[^\"]{1,40}\"|(?<![a-z0-9])[a-z]{1,10}[-_#]\d{2,}|(?<![a-z0-9])#?\d{4,}(?!\d)|\w@\w"
)
"""A query with a name of its own says what it is about."""

SELF_DESCRIBED_ZH: Final = re.compile(
    r"^[\u4e00-\u9fff]{4,}的|^我|^[\u4e00-\u9fff]{0,8}\d{2}|^(?:当|穿|戴|住|在|做|叫|姓|会|爱|喜欢|拿|教)[\u4e00-\u9fff]{0,10}的"
)
"""After a demonstrative: a description of its own ("那个当老师的")."""
