# ruff: noqa: E501 (phrase tables and patterns read best one entry a line)
"""The starting stock of phrases for the gates. Tenants add to it; nothing here is a word of change or refusal.

Phrases are folded and without punctuation; Chinese ones without spaces. Left out on purpose, since they decide
something: 取消, 算了, 不去了, 不要, 确认, cancel, never mind, stop.
"""

import re
from typing import Final


def _lines(text: str) -> frozenset[str]:
    return frozenset(phrase.strip() for line in text.splitlines() for phrase in line.split("|") if phrase.strip())


ADDRESSABLE: Final = _lines(
    """
    hi | hello | hey | hi there | hey there | hello there | good morning | good afternoon | good evening | good night
    bye | goodbye | bye bye | see you | see ya | cya | see you soon | see you later | see you then | see you around
    see you tomorrow | talk to you later | talk to you soon | talk soon | chat soon | later | catch you later
    catch you soon | take care | stay safe | thanks | thank you | thank you so much | thanks so much | thanks a lot
    many thanks | thx | cheers | good luck | have a good day | have a great day | have a nice day
    have a good one | sweet dreams | how are you | how are you doing | how's it going | what's up
    """
)

ACKNOWLEDGEMENTS: Final = ADDRESSABLE | _lines(
    """
    ok | okay | k | kk | yes | yeah | yep | yup | no | nope | sure | sure thing | fine | alright | all right | right
    got it | understood | i see | makes sense | sounds good | sounds great | great | cool | nice | wow | awesome
    perfect | good | very good | agreed | totally | of course | no problem | no worries | np | you're welcome
    you are welcome | my pleasure | you bet | you too | same here | me too | same to you | will do
    ty | lol | haha | hahaha | hehe | hmm | hm | mm | mhm | uh huh | uh | um | oh | ah | aww | well | thanks again
    i'll think about it | let me think | let me think about it | i'll have another look | let me see
    for now | so much | then | again | too
    嗯 | 嗯嗯 | 哦 | 噢 | 喔 | 额 | 呃 | 啊 | 呀 | 哇 | 哈 | 哈哈 | 哈哈哈 | 呵呵 | 嘿嘿 | 嘻嘻 | 诶 | 唉 | 嗨 | 喂
    好 | 好的 | 好吧 | 好滴 | 好哒 | 好嘞 | 好呀 | 好啊 | 好哦 | 行 | 行吧 | 可以 | 可以的 | 没问题 | 没事 | 没关系
    对 | 对的 | 对啊 | 是 | 是的 | 是啊 | 不是 | 没有 | 当然 | 收到 | 明白 | 明白了 | 了解 | 了解了 | 知道了 | 懂了 | 清楚了
    谢谢 | 谢谢你 | 谢谢您 | 多谢 | 感谢 | 非常感谢 | 太感谢了 | 谢啦 | 谢了 | 辛苦了 | 麻烦了 | 麻烦你了 | 麻烦您了 | 不客气
    不用谢 | 不谢 | 客气了 | 你好 | 您好 | 你们好 | 大家好 | 早 | 早安 | 早上好 | 上午好 | 中午好 | 下午好 | 晚上好 | 晚安
    再见 | 拜拜 | 拜 | 回见 | 回头见 | 明天见 | 一会见 | 待会见 | 下次见 | 在吗 | 在么 | 在不在 | 有人吗
    太好了 | 太棒了 | 真棒 | 不错 | 真不错 | 厉害 | 牛 | 赞 | 祝你好运 | 加油 | 保重 | 吧 | 呢 | 啦 | 哈喽 | 哎
    我再看看 | 再看看 | 我看看 | 看看再说 | 我想想 | 我再想想 | 想一想 | 我考虑一下 | 我考虑考虑 | 考虑一下 | 再说吧 | 回头再说
    ok | okay | hi | hello | hey | bye | thanks | thx | haha | lol
    """
)

_DAY_ZH = ("", "今天", "今儿", "今日", "这", "外面", "最近")
_SKY_ZH = ("天气", "天儿", "天")
_STATE_ZH = (
    "不错",
    "真不错",
    "挺好",
    "很好",
    "真好",
    "好热",
    "真热",
    "很热",
    "好冷",
    "真冷",
    "很冷",
    "挺冷的",
    "挺热的",
    "好极了",
    "真差",
    "不好",
)

SMALL_TALK: Final = frozenset(day + sky + state for day in _DAY_ZH for sky in _SKY_ZH for state in _STATE_ZH) | _lines(
    """
    nice weather | nice weather today | lovely weather | lovely weather today | the weather is nice today
    the weather is nice | the weather is lovely today | it's a nice day | what a nice day | what a lovely day
    it's hot today | it's cold today | it's so hot today | it's so cold today | nice day today | beautiful day
    吃了吗 | 吃饭了吗 | 最近好吗 | 最近怎么样 | 你好吗 | 忙吗
    """
)

FRAGMENTS: Final = _lines(
    """
    那个 | 这个 | 那 | 这 | 然后 | 然后呢 | 就是 | 就 | 还有 | 所以 | 但是 | 因为 | 如果 | 比如 | 什么 | 啥 | 为什么 | 怎么 | 继续 | 那个呢
    and | and then | so | but | because | if | the | a | this | that | it | like | you know | i mean | what | why | how
    huh | hm what | go on | continue | also | or | that one
    """
)

HEARTBEATS: Final = _lines(
    """
    ping | pong | heartbeat | heartbeat ok | keepalive | keep alive | health check | health check ok | healthcheck ok
    对方正在输入 | 正在输入 | 心跳 | 心跳正常 | is typing | user is typing | typing | message deleted | 此消息已撤回 | 消息已撤回
    """
)

LASTING_MARKERS: Final = (
    "以后", "今后", "每次", "每天", "每周", "总是", "一直", "记住", "记得", "喜欢", "偏好", "不要", "别再", "习惯",
    "always", "never", "every ", "from now on", "remember", "prefer", " like ", "don't", "instead",
)  # fmt: skip
"""A request with one of these is (also) an instruction or a preference, so it is not over once it is answered."""

NOT_NAMES: Final = _lines(
    """
    monday | tuesday | wednesday | thursday | friday | saturday | sunday | january | february | march | april | may | june
    july | august | september | october | november | december | christmas | easter
    """
)
"""Capitalised words that answer a question rather than name who is spoken to."""

BLOCK_OPENING: Final = re.compile(
    r"以下是关于用户的记忆片段[,，]\s*请参考但不编造[。.:：]?|Memory notes about the user[;；] use them, do not invent more[.:]?",
    re.IGNORECASE,
)
"""The fixed first line of a context block, in both languages."""

_POLITE_ZH = r"(?:请|麻烦|能不能|可以|能)?(?:你|您)?(?:帮我|给我|替我|帮忙)?(?:再|先)?"
_ONCE_ZH = r"(?:一下|下|一查|查|看|个|一个|首|一首|点|一点)?"
_TAIL_ZH = r"(?:吧|吗|呢|啊|呗|好吗|可以吗|谢谢)?"
_WHEN_ZH = r"(?:今天|明天|后天|现在|这会儿|当前|今晚|周末|这周|本周)?"
_WHERE_ZH = r"(?:[\u4e00-\u9fff]{2,4}?)??"
_PLEASE_EN = r"(?:please |hey |hi )?(?:can you |could you |would you |will you )?(?:please )?"
_WHEN_EN = r"(?: (?:right now|now|today|tomorrow|tonight|this weekend|this week|currently))?"
_WHERE_EN = r"(?: (?:in|for|at) [a-z ]{2,30}?)?"
_END_EN = r"(?:,? please|,? thanks| for me)?"

ONE_OFF_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_POLITE_ZH}(?:查|看|搜|问|说|告诉我|播报){_ONCE_ZH}{_WHEN_ZH}{_WHERE_ZH}{_WHEN_ZH}的?(?:天气|气温|温度|空气质量|时间|日期|汇率|新闻|路况|限行)(?:预报|情况|怎么样|如何)?{_TAIL_ZH}",
        rf"{_WHEN_ZH}{_WHERE_ZH}{_WHEN_ZH}的?(?:天气|气温)(?:怎么样|如何|好吗|热吗|冷吗)",
        rf"(?:现在|今天)(?:是)?(?:几点|几点了|几点钟|几号|星期几|周几|多少号|什么日子)(?:了)?{_TAIL_ZH}",
        rf"{_WHEN_ZH}会?(?:下雨|下雪|冷|热)(?:吗|么)",
        rf"{_POLITE_ZH}(?:翻译|润色|朗读|复述){_ONCE_ZH}(?:这|那|下面|上面)(?:句话|段话|段|句|个词|篇文章|些)?{_TAIL_ZH}",
        rf"{_POLITE_ZH}(?:把)?(?:这|那|下面|上面)(?:句话|段话|段|句|个词)翻译(?:成|为)(?:中文|英文|英语|日语|日文|法语|韩语){_TAIL_ZH}",
        rf"{_POLITE_ZH}(?:讲|说){_ONCE_ZH}(?:笑话|故事|段子){_TAIL_ZH}",
        rf"{_POLITE_ZH}(?:放|播放|来){_ONCE_ZH}(?:歌|音乐|歌曲){_TAIL_ZH}",
        rf"{_POLITE_ZH}(?:定|设|设置){_ONCE_ZH}\d{{1,3}}(?:分钟|秒|小时)的?(?:闹钟|倒计时|计时器|定时){_TAIL_ZH}",
        rf"{_PLEASE_EN}(?:check|look up|find|show me|get|tell me)(?: out)? (?:the |today's |tomorrow's )?(?:current )?(?:weather|temperature|forecast|time|date|exchange rate|news|traffic)(?: forecast)?{_WHERE_EN}{_WHEN_EN}{_END_EN}",
        rf"(?:what's|what is|how's|how is) (?:the |today's )?(?:weather|temperature|time|date|forecast)(?: like)?{_WHERE_EN}{_WHEN_EN}",
        rf"what (?:time|day|date) is it{_WHERE_EN}{_WHEN_EN}",
        rf"(?:will|is) it (?:going to )?(?:rain|snow|be cold|be hot|raining|snowing){_WHERE_EN}{_WHEN_EN}",
        rf"{_PLEASE_EN}(?:translate|rephrase|proofread|read) (?:this|that|the following)(?: sentence| text| paragraph| word)?(?: (?:in|into|to) [a-z]{{4,12}})?{_END_EN}",
        rf"{_PLEASE_EN}tell me (?:a|another) (?:joke|story){_END_EN}",
        rf"{_PLEASE_EN}play (?:a song|some music|music|a playlist){_END_EN}",
        rf"{_PLEASE_EN}(?:set|start) (?:a |an )?(?:timer|alarm|countdown)(?: for \d{{1,3}} (?:seconds?|minutes?|hours?))?{_END_EN}",
    )
)
