# ruff: noqa: E501 (tables read best one entry a line)
"""Preferences with a closed list of answers: channel, length, format, tone, language, seat, payment, theme, diet.

One answer holds at a time, and it is recognised without any word of change: "最近用企业微信就行,邮件太慢了" names the
channel of reports as surely as "改用企业微信".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memplane.domain.resolve.claim import USER, Claim
from memplane.domain.resolve.subjects import subject_of
from memplane.domain.resolve.wording import is_negated
from memplane.domain.text import fold

_WANT: Final = r"偏好|喜欢|习惯|用(?!户)|走|发|通过|选|要|改|换|希望|请|\b(?:prefer\w*|likes?|uses?|using|via|by|through|over|with|switch\w*|send\w*|wants?|chooses?|books?|instead|on|in|please|should|set|keep|pays?|always)\b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """One preference: its possible answers, the words that must stand near one, and its topics."""

    name: str
    answers: tuple[tuple[str, str], ...]
    needs: str = _WANT
    """What must be in the clause for an answer to count."""
    topics: tuple[tuple[str, str], ...] = ()
    """What the answer is about; the first that is found, else ``default_topic``."""
    default_topic: str = ""
    excluded: str = r"$^"
    """What must not be in the clause."""


_REPLIES: Final = (
    ("report", r"报告|汇报|日报|周报|总结|摘要|report|summar|digest|minutes"),
    ("mail", r"邮件|e-?mails?\b"),
    ("reply", r"回复|回答|答复|说话|repl(?:y|ies)|answers?|responses?|respond"),
)

DIMENSIONS: Final = (
    Dimension(
        name="channel",
        answers=(
            ("wecom", r"企业微信|企微|wecom"),
            ("wechat", r"(?<!企业)微信|wechat"),
            ("email", r"电子邮件|邮件|邮箱|\be-?mails?\b|\bmail\b"),
            ("dingtalk", r"钉钉|dingtalk"),
            ("lark", r"飞书|lark"),
            ("sms", r"短信|\bsms\b|text messages?"),
            ("phone", r"打?电话|phone calls?|\bby phone\b|\bphone\b"),
            ("slack", r"slack"),
            ("teams", r"\b(?:ms |microsoft )?teams\b(?! of)"),
            ("whatsapp", r"whatsapp"),
            ("telegram", r"telegram"),
            ("signal", r"\bsignal\b(?= app|$|\.| instead)"),
        ),
        needs=rf"汇报|联系|通知|沟通|反馈|报告|发送|提醒|contact|notif|reach|report|updates?|reminder|messag|{_WANT}|太慢|太麻烦|too (?:slow|noisy|many)",
        topics=(
            ("report", r"汇报|报告|日报|周报|report|updates|summar|digest"),
            ("contact", r"联系|通知|沟通|提醒|contact|reach|notif|remind|messag"),
        ),
        default_topic="*",
        excluded=r"登录|注册|支付|付款|地址|号码|账号|log ?in|sign ?(?:in|up)|address|number|pays?\b|paid|收到|received|about|关于|回复|repl|写|简短|write|wrote|手机壳|charger|case|太长|screen|(?:微信|邮件|飞书|钉钉|电话|短信|slack|teams|e-?mail)(?:做|开|记|看|管|拍|订|买|存|群|太多|签名|草稿)|(?:微信|邮件|邮箱|电话|手机)(?:号码?)?(?:是|为|:|叫)|\b(?:e-?mail|phone)\b(?: number| address)? is (?!too|fine|best|preferred|ok|better|slow|not)|checks?\b|reads?\b|notes|signature",
    ),
    Dimension(
        name="length",
        answers=(
            (
                "short",
                r"简短|简洁|简练|精简|简明|短一[点些]|短的?回复|\bbrief|\bshort(?:er)?\b|concise|succinct|terse|to the point",
            ),
            ("long", r"详细|详尽|细致|长一[点些]|detailed|thorough|in-depth|\blong(?:er)?\b|verbose|elaborate|太长"),
        ),
        needs=r"回复|回答|答复|报告|汇报|日报|周报|总结|摘要|邮件|说话|repl|answer|response|respond|report|summar|e-?mail|digest|minutes|explanation",
        topics=_REPLIES,
        default_topic="reply",
    ),
    Dimension(
        name="format",
        answers=(
            ("bullets", r"条目|分点|要点式|列表|bullet"),
            ("table", r"表格|\btables?\b"),
            ("prose", r"段落|整段|长文|\bprose\b|paragraph"),
        ),
        needs=r"回复|回答|答复|报告|汇报|日报|周报|总结|摘要|输出|格式|repl|answer|response|report|summar|digest|format|output",
        topics=_REPLIES,
        default_topic="reply",
    ),
    Dimension(
        name="tone",
        answers=(("formal", r"正式|\bformal"), ("casual", r"轻松|随意|口语|\bcasual|informal|relaxed")),
        needs=r"回复|回答|语气|口吻|邮件|风格|repl|answer|response|tone|style|e-?mail",
        topics=_REPLIES,
        default_topic="reply",
    ),
    Dimension(
        name="language",
        answers=(
            ("zh", r"中文|汉语|\bchinese\b"),
            ("en", r"英文|英语|\benglish\b"),
            ("fr", r"法语|法文|\bfrench\b"),
            ("de", r"德语|德文|\bgerman\b"),
            ("ja", r"日语|日文|\bjapanese\b"),
            ("es", r"西班牙语|\bspanish\b"),
        ),
        needs=r"回复|回答|答复|交流|沟通|报告|文档|写|repl|answer|respon|communicat|report|documents?|write",
        topics=_REPLIES,
        default_topic="reply",
        excluded=r"学|考试|课|老师|learn|stud|lesson|teacher|exam|小说|novels?|food|菜",
    ),
    Dimension(
        name="seat",
        answers=(("window", r"靠窗|窗边|window"), ("aisle", r"过道|走道|走廊|aisle")),
        needs=r"座|位|靠|seat",
    ),
    Dimension(
        name="payment",
        answers=(
            ("wechat_pay", r"微信支付|微信付款|wechat pay"),
            ("alipay", r"支付宝|alipay"),
            ("card", r"信用卡|刷卡|credit card|\bcards?\b"),
            ("cash", r"现金|\bcash\b"),
            ("transfer", r"对公转账|银行转账|bank transfer|wire"),
            ("paypal", r"paypal"),
        ),
        needs=r"支付|付款|结算|付|\bpay|checkout|settle",
        excluded=r"失败|流程|failed|lost|丢|办了?|applied|昨天|yesterday|paid",
    ),
    Dimension(
        name="theme",
        answers=(("dark", r"深色|暗色|黑暗|dark"), ("light", r"浅色|亮色|明亮|\blight\b")),
        needs=r"模式|主题|界面|\bmode\b|theme|interface",
    ),
    Dimension(
        name="diet",
        answers=(
            ("plants", r"吃素|素食|vegetarian|vegan|doesn't eat meat|does not eat meat|不吃肉"),
            ("meat", r"吃肉|吃荤|eats? meat|eating meat"),
        ),
        needs=r"",
        excluded=r"餐厅|菜单|restaurant|menu|options?|recipe|肉松|朋友|friend|dishes",
    ),
)


PREFERENCES: Final = frozenset(dimension.name for dimension in DIMENSIONS)
"""The slots of this module."""


def claims_in(clause: str) -> list[Claim]:
    """What a clause says in one of the dimensions."""
    folded = fold(clause)
    return [claim for dimension in DIMENSIONS for claim in _read(dimension, folded)]


def _read(dimension: Dimension, folded: str) -> list[Claim]:
    if not re.search(dimension.needs, folded) or re.search(dimension.excluded, folded):
        return []
    topic = next((name for name, pattern in dimension.topics if re.search(pattern, folded)), dimension.default_topic)
    claims: list[Claim] = []
    taken: set[int] = set()
    for answer, pattern in dimension.answers:
        match = re.search(pattern, folded)
        if match is None or match.start() in taken:
            continue
        if (
            dimension.name in {"length", "tone"}
            and topic == "mail"
            and not re.search(r"写|回复|style|tone|repl|short|brief|long|简|详", folded)
        ):
            continue
        taken.add(match.start())
        before = folded[: match.start()]
        negative = is_negated(_own_part(before)) or _complained(folded, match)
        if dimension.name == "diet":
            negative = is_negated(_own_part(before)) and not match[0].startswith(("不", "does"))
        claims.append(
            Claim(
                slot=f"{dimension.name}:{topic}" if topic else dimension.name,
                subject=_subject(folded, dimension),
                value=frozenset({answer}),
                positive=not negative,
                said=match[0],
            )
        )
    return claims


def _own_part(before: str) -> str:
    """The words that can deny an answer: those since the last comma or contrast."""
    return re.split(r"[,，;；]|\bbut\b|而|改|换|\bover\b|\brather\b", before)[-1]


def _complained(folded: str, match: re.Match[str]) -> bool:
    """Whether the answer is named to be turned down: 邮件太慢了, too long, instead of email, rather than email."""
    after, before = folded[match.end() : match.end() + 14], folded[max(0, match.start() - 18) : match.start()]
    return bool(
        re.match(r"\s*(?:太(?!多)|(?:is |are |was )?too\b(?! many| much))", after)
        or re.search(r"(?:太|too |instead of |rather than |而不是|代替|别再?用?|over |from )$", before)
        or match[0].startswith("太")
    )


_SUBJECT: Final = re.compile(
    r"^(?P<zh>用户的[\u4e00-\u9fff]{1,6}?|[\u4e00-\u9fffa-z0-9]{1,6}?)(?=偏好|喜欢|习惯|希望|要求|想要|用|以后|现在|平时|一般|最近|不|的)"
    r"|^(?P<en>(?:the )?[a-z]+(?:'s [a-z]+)?)(?= (?:now |usually |always |currently |really )?(?:prefers|likes|wants|uses|pays|asked|is|became|no longer|eats|switched))"
)


def _subject(folded: str, dimension: Dimension) -> str:
    match = _SUBJECT.match(folded)
    if match is None or any(re.search(pattern, match[0]) for _, pattern in dimension.answers):
        return USER
    return subject_of(match[0])
