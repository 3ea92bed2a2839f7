# ruff: noqa: E501, SIM905 (word lists read and change best as words)
"""The starting stock of words that resolve reads: synonyms, opposites, change, denial, in both languages.

Nothing here decides; it only says which wordings mean the same, which exclude each other, and which announce a change.
"""

from __future__ import annotations

from typing import Final

SYNONYMS_ZH: Final = (
    "喜欢 偏好 偏爱 喜爱 钟爱 热爱 爱好 爱吃 爱喝 爱看 爱听 倾向于 倾向 中意 喜好",
    "简短 简洁 简练 精简 简明 简要 短一点 短一些",
    "详细 详尽 细致 具体",
    "回复 回答 答复 应答 回应 答案",
    "条目 要点 列表 分点 条目式 列表式 要点式",
    "邮件 电子邮件 邮箱 email e-mail 电邮",
    "汇报 报告 汇报工作",
    "居住 住在 定居 家在 居住在 定居在 住",
    "工作 上班 任职 就职 供职 干活",
    "负责 主管 牵头",
    "经常 常常 时常",
    "每天 每日 天天",
    "讨厌 厌恶 反感 不喜欢 不爱 讨厌吃 受不了",
    "辣 吃辣 辣的 辣味 辛辣 辣菜 辣椒",
    "酒店 宾馆 旅馆",
    "妻子 老婆 太太",
    "丈夫 老公",
    "女儿 闺女",
    "手机 手机号 手机号码",
    "电话 电话号码",
    "价格 报价 价钱 售价",
    "会议 开会 例会",
    "素食 吃素 素食者 素食主义者 素食主义",
    "有 养了 养有 拥有 养着",
    "过敏 过敏症 过敏史",
    "健身房 健身",
    "航班 飞机 机票",
    "靠窗 窗边 靠窗户 临窗",
    "过道 靠过道 走廊 靠走道 走道",
    "购买 买 购入 采购 入手",
    "医生 大夫",
    "孩子 小孩 娃",
    "截止日期 截止时间 最后期限 期限 deadline",
    "生日 出生日期",
    "咖啡 喝咖啡",
)
"""Groups of wordings that mean the same; the first stands for all."""

SYNONYMS_EN: Final = (
    "like | likes | liked | prefer | prefers | preferred | love | loves | loved | enjoy | enjoys | enjoyed | adore | adores | is fond of | is a fan of | is into | favors | favours | is keen on | has a preference for | preference is | a fan of",
    "brief | short | concise | succinct | terse",
    "detailed | thorough | in-depth | long",
    "reply | replies | answer | answers | response | responses",
    "bullet | bullets | bullet points | bullet point | bulleted list | bulleted lists",
    "mail | email | e-mail | emails | e-mails",
    "lives | lives in | living in | resides in | is based in | home is in | live in | house is in | residing in | reside in | live | resides | based in",
    "works | works at | works for | is employed by | is employed at | has a job at | job is at | working at | working for | employed by | employed at",
    "purchase | buy | buys | bought | purchased",
    "daily | every day | each day",
    "weekly | every week | each week",
    "has | have | owns | own | keeps | has got | got",
    "allergic to | allergy | an allergy to | has an allergy to | is allergic to | allergies",
    "vegetarian | doesn't eat meat | does not eat meat | no meat",
    "kid | kids | child | children",
    "physician | doctor",
    "wife | spouse",
    "movie | movies | film | films",
    "car | automobile",
    "phone | telephone | mobile | cell phone",
    "deadline | due date",
    "color | colour",
    "favorite | favourite",
    "start | starts | begin | begins | started | began",
    "hate | hates | dislike | dislikes | hated | disliked | detest | detests | can't stand",
    "gym | fitness studio",
    "job | occupation | profession",
)

LIGHT_ZH: Final = frozenset(
    """
    用户 想要 要求 我 他 她 会 要 想 有点 比较 非常 特别 很 更 最 都 也 了 过 着 的 得 地 在 是 就 还 才 又 已经 已 现在 目前 一直 平时 通常 总是
    一般 每次 时候 方式 希望 需要 请 一只 一个 一名 一位 一家 一条 个 只 名 位 家 条 对 于 进行 方面 东西 那种 这种 那些 这些 比较 有 喜欢 最近
    以后 今后 曾 曾经 其实 真的 确实 觉得 认为 说 表示 提到 吃 喝 上 里 中 下 来 把 被 给 跟 和 与 及 或 而 且 但 但是 不过 一
    之 其 这 那 们 自己 本人 自 种 些 点 一点 一些 地方 内容 能 可以
    """.split()
)
"""Han words that say too little to set two statements apart."""

LIGHT_EN: Final = frozenset(
    """
    user really very usually generally quite always often currently now still also just kind sort thing things like
    has have is are was were be been a an the to of in on at for with and or but his her their its my your our
    he she they i we you it that this there would will can could should does do did about as from by into get gets
    say said mention tell told wants want need needs please one some any new place
    """.split()
)
"""Latin words (unstemmed) that say too little to set two statements apart."""

ANTONYMS: Final = (
    "简短/详细 brief/detailed 高/低 high/low 快/慢 fast/slow 早/晚 early/late"
    " 上午/下午 早上/晚上 白天/晚上 morning/evening morning/afternoon morning/night day/night am/pm 冷/热 hot/cold 开/关 open/closed open/close"
    " 安静/热闹 安静/吵闹 quiet/noisy quiet/loud quiet/lively 便宜/昂贵 cheap/expensive 正式/随意 formal/casual formal/informal 甜/咸 sweet/salty"
    " 坐/站 sit/stand 室内/室外 indoor/outdoor indoors/outdoors 有/没有"
    " 单身/已婚 single/married 进/出 enter/leave 开始/结束 start/end begin/end 增加/减少 increase/decrease 上涨/下跌 rise/fall 成功/失败 success/failure succeed/fail"
    " 赢/输 win/lose 支持/反对 support/oppose 同意/拒绝 agree/refuse accept/reject accepts/rejects 通过/驳回 approved/rejected 允许/禁止 allow/forbid 好/坏 good/bad"
    " 难/易 difficult/easy hard/easy 安全/危险 safe/dangerous 健康/生病 healthy/sick 忙/闲 busy/free 满/空 full/empty 湿/干 wet/dry"
    " 真/假 true/false 强/弱 strong/weak 远/近 near/far 多/少 many/few more/less awake/asleep alive/dead 远程/现场 remote/on-site 线上/线下 online/offline"
    " 买/卖 buy/sell push/pull 启用/停用 enabled/disabled enable/disable 公开/私密 public/private 手动/自动 manual/automatic"
    " 深色/浅色 dark/light 正常/异常 正确/错误 correct/incorrect happy/sad 高兴/难过 full-time/part-time 全职/兼职 独生/多胎 上升/下降 增长/下降 提高/降低 国内/国外 国有/私有"
)
"""Pairs of words that exclude each other where all else is equal."""

NEGATORS_ZH: Final = (
    r"(?:不再|不要|不想|不用|不会|不能|不可以|不是|没有|没|不|无|未|别|勿|非|禁止|拒绝|从不|从未|并非|并不)"
)
NOT_NEGATING_ZH: Final = (
    r"不错|不但|不仅|不过|不同|不断|不管|不论|不得不|没事|没关系|没问题|无论|非常|非洲|未来|特别|别人|区别|级别|别的|性别|差别|分别|告别|别墅|不久"
    r"|不锈钢|了不起|不好意思|差不多|是不是|要不要|能不能|会不会|有没有|对不起|不少|无线|无人机|无锡|不一会|未婚|非遗|别致|不动产|离不开|不只|无糖|类别|识别|个别|不知不觉|不禁|不由得"
)
"""Words that hold a negator's character and deny nothing."""
NEGATORS_EN: Final = (
    r"\b(?:no longer|not|never|no|none|without|neither|nor|nobody|nothing|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't"
    r"|won't|wouldn't|shouldn't|couldn't|hasn't|haven't|hadn't|ain't|dont|doesnt|didnt|isnt|cant|wont|hardly|any ?more)\b"
)
NOT_NEGATING_EN: Final = (
    r"\b(?:not only|no problem|no doubt|no later than|not just|no\. ?\d|nothing but|why not|whether or not)\b"
)

CHANGE_ZH: Final = (
    r"不再|取消|改为|更正|改成|改发|改到|改去|改用|改走|改喝|改吃|改住|换成|换到|换了|换用|换为|算了|不去了|别再|已改|纠正|其实不是|说错了|记错了|转到|跳槽|调整为|更新为|变更为|变成"
    r"|推迟到|提前到|延期到|搬到|搬去|搬家|戒了|戒掉|放弃|不用了|现在|开始|已经不|如今|后来"
)
CHANGE_EN: Final = (
    r"\b(?:no longer|instead|cancel\w*|chang\w+ to|correction|not any ?more|any ?more|never mind|switch\w* to|moved to|updated? to"
    r"|replac\w+|rather than|actually|used to|stopped|quit|gave up|given up|postponed to|rescheduled|now|these days|from now on|has become|became"
    r"|started|turned|relocat\w+)\b"
)
"""Words that announce that something is otherwise than before."""

EXCEPTION_ZH: Final = r"今天|今晚|昨天|昨晚|这次|上次|那次|偶尔|破例|难得|就这一次|陪|招待|客户要|被迫|不得不|一次|例外|朋友点|同事点|聚餐"
EXCEPTION_EN: Final = (
    r"\b(?:today|tonight|yesterday|last night|this time|just once|for once|once|occasionally|as an exception|exceptionally"
    r"|with (?:friends|clients|colleagues)|to please|had to|at a party|for a client)\b"
)
TREND_ZH: Final = r"经常|常常|总是|每天|每周|每次|最近(?:都|总|常|老)|越来越|又|连续|天天|一直|老是|都爱"
TREND_EN: Final = r"\b(?:often|always|every (?:day|week|time)|lately|recently|again|keeps?|regularly|these days|more and more|daily|weekly)\b"
EVENT_ZH: Final = r"昨天|昨晚|前天|今天|今早|今晚|刚才|刚刚|上周|上个月|上次|去年|那天|当天|(?:吃|喝|点|买|看|去|跑|走|打|做|见|聊|写|参加|收到|寄|订|花|送|听|玩|拍|游|学|读)(?:了|过)"
EVENT_EN: Final = (
    r"\b(?:yesterday|today|tonight|last (?:night|week|month|year|mon|tue|wed|thu|fri|sat|sun)\w*|ago|this (?:morning|afternoon|evening)"
    r"|ate|ordered|drank|bought|went|watched|ran|met|saw|visited|attended|received|sent|paid|had (?:a|an|the|some|lunch|dinner|breakfast)"
    r"|spent|played|wrote|read|took|made|gave|called|walked|drove|finished|told)\b"
)
"""Single happenings: what happened once does not deny what is true in general."""
