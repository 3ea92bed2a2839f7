# ruff: noqa: E501 (phrase tables read best by theme)
"""The starting stock of words for routing and rewriting, Chinese and English as equals. Tenants add to it.

A phrase with ideographs matches anywhere in a text; any other phrase matches whole words. Both are compared folded
(NFKC, lower case). Every field is one signal; what a signal means for a route is told in `routing`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from memplane.domain.text import fold, is_cjk


def _stock(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for line in text.splitlines() for phrase in line.split("|") if phrase.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingWords:
    """The phrases of each signal, in the order in which a signal looks at them."""

    recall: tuple[str, ...] = _stock(
        """
        记得 | 记不记得 | 来着 | 说过 | 提过 | 讲过 | 聊过 | 告诉过你 | 有没有说 | 有没有提 | 提醒我一下
        do you remember | you remember | remind me | have i ever | did i ever | i ever told | told you | tell you
        """
    )
    """What was said or is remembered is itself what is asked for."""
    pointing: tuple[str, ...] = _stock(
        """
        上次 | 上回 | 之前 | 刚才 | 刚刚 | 那个 | 那家 | 那笔 | 那次 | 那天 | 那份 | 那位 | 那台 | 以前 | 先前 | 早些时候 | 老样子 | 老地方
        last time | earlier | previously | before that | just now | that one | the usual | same as before | that day
        that place | back then | the other day | a while ago | when we first | you recommended | recommended to me
        """
    )
    """Points back at something that both sides know."""
    past: tuple[str, ...] = _stock(
        """
        昨天 | 前天 | 昨晚 | 上周 | 上个星期 | 上星期 | 上个月 | 上月 | 去年 | 前年 | 今早 | 今天的 | 今日的 | 这几天
        yesterday | last night | last week | last week's | last month | last month's | last year | last monday
        last tuesday | last wednesday | last thursday | last friday | last weekend | the day before | this morning
        today's | yesterday's | days ago | weeks ago | months ago | years ago | lately
        """
    )
    """A stretch of time that has been lived through."""
    possessive: tuple[str, ...] = _stock(
        """
        我的 | 我家 | 我们家 | 我公司 | 我司 | 我这 | 我那 | 我自己的 | 本人的 | 咱们 | 咱家 | 我们项目 | 我们团队 | 我们组 | 我们部门 | 这个项目 | 本项目
        my | mine | our | ours | this project | the project
        """
    )
    """Something that belongs to who asks."""
    kin: tuple[str, ...] = _stock(
        """
        我老婆 | 我老公 | 我妻子 | 我丈夫 | 我爱人 | 我女儿 | 我儿子 | 我孩子 | 我妈 | 我爸 | 我母亲 | 我父亲 | 我爷爷 | 我奶奶 | 我男朋友 | 我女朋友
        我朋友 | 我同事 | 我老板 | 我领导 | 我客户 | 我家人 | 我室友
        my wife | my wife's | my husband | my husband's | my daughter | my daughter's | my son | my son's | my child | my kids
        my mother | my mother's | my mom | my mom's | my father | my father's | my dad | my dad's | my sister | my brother
        my partner | my girlfriend | my boyfriend | my friend | my colleague | my boss | my manager | my client | my family
        """
    )
    """People in the life of who asks."""
    habit: tuple[str, ...] = _stock(
        """
        我喜欢 | 我不喜欢 | 我爱 | 我讨厌 | 我习惯 | 我平时 | 我一般 | 我通常 | 我偏好 | 我常 | 我总是 | 我不吃 | 我不喝 | 我忌口 | 我过敏
        我的口味 | 我口味 | 我的偏好 | 我偏爱
        do i like | do i prefer | do i usually | do i normally | i usually | i normally | i always | i never | i prefer
        i like | i love | i hate | i don't eat | i don't drink | i don't like | i can't eat | i'm allergic | i am allergic
        """
    )
    """Habits, tastes, traits."""
    person: tuple[str, ...] = _stock("我 | 咱 | 俺 | 本人 | i | i'm | i've | i'd | i'll | myself | we | about me")
    """Who asks is in the question at all: weak by itself ("how do I …")."""
    basis: tuple[str, ...] = _stock(
        """
        根据 | 结合 | 按照 | 按我 | 照我 | 以我 | 依我 | 凭我 | 考虑到 | 基于 | 鉴于 | 参考我 | 像我 | 适合我 | 符合我 | 针对我 | 对照我
        given | based on | considering | judging by | going by | in light of | taking into account | in view of | fits my
        fit my | match my | matches my | suits my | suit my | within my | according to my | someone like me | in my situation
        """
    )
    """What follows is to be used for an answer that lies elsewhere."""
    documents: tuple[str, ...] = _stock(
        """
        政策 | 制度 | 规定 | 规则 | 条例 | 条款 | 手册 | 文档 | 说明书 | 知识库 | 流程 | 手续 | 标准 | 规范 | 指南 | 模板 | 章程 | 教程 | 保修 | 质保
        公告 | 发布说明 | 使用说明 | 白皮书 | 常见问题 | 法规 | 范围内 | 无理由退货
        policy | policies | rules | rule | regulation | regulations | manual | docs | documentation | documents | handbook
        guideline | guidelines | terms | terms and conditions | procedure | procedures | template | warranty | faq | guide
        knowledge base | white paper | bylaws | compliance | delivery area | service area
        """
    )
    """What documents hold: policies, rules, manuals."""
    howto: tuple[str, ...] = _stock(
        """
        怎么办 | 怎么 | 怎样 | 如何 | 咋 | 步骤 | 方法 | 解决办法 | 哪里可以 | 哪里能
        how do i | how can i | how to | how should i | how would i | how do we | how can we | how do you | how can you
        where can i | where do i | steps for | steps to | the steps | what should i do | way to | ways to
        calculated | set up | fix for | workaround | steps
        """
    )
    """Asks for a procedure: what is "my" in it is everybody's."""
    trouble: tuple[str, ...] = _stock(
        """
        忘了密码 | 忘记密码 | 打不开 | 无法 | 登录不了 | 连不上 | 用不了 | 失败怎么 | 不能登录
        i forgot my | won't | doesn't | keeps failing | fails to | can't log in | cannot log in | unable to | not working | i can't access
        """
    )
    """Something does not work: a case for the documents, whoever it happens to."""
    advice: tuple[str, ...] = _stock(
        """
        推荐 | 适合 | 合适 | 建议 | 规划 | 哪款 | 哪一款 | 哪种 | 该选 | 该买 | 该吃 | 该穿 | 该用 | 注意什么 | 有什么好 | 有什么可以 | 攻略 | 对比一下
        我想了解 | 我想知道 | 我想咨询 | 请问
        recommend | recommendation | recommendations | suggest | suggestion | suggestions | suitable | safe for | safe with | good for | right for | suit | suits
        should i | could i | best | plan a | plan me | ideas for | advise | what to see
        would i like | i'd like to know | worth
        """
    )
    """Asks for a choice among things of the world."""
    eligibility: tuple[str, ...] = _stock(
        """
        符合 | 符不符合 | 合规 | 合不合规 | 资格 | 适用 | 能不能 | 可不可以 | 能否 | 是否可以 | 算不算 | 在保 | 过期了吗 | 享受 | 报销多少 | 一般多久 | 通常多久 | 一般要
        qualify | qualifies | eligible | eligibility | entitled | comply | complies | compliant | allowed | permitted
        usually take | are usually | is usually | covered | can i | may i | can he | can she | can they | can we | service due
        """
    )
    """Asks whether or how a rule applies."""
    offers: tuple[str, ...] = _stock(
        """
        手续费 | 费率 | 运费 | 收费 | 利率 | 收益率 | 优惠 | 折扣 | 几折 | 权益 | 违约金 | 版本 | 最新版 | 新特性 | 新功能 | 新品 | 这款 | 企业版 | 专业版
        废弃 | 兼容 | 更新 | 展览 | 景点 | 押金 | 兑换 | 升级 | 需要准备 | 需要什么 | 材料 | 附近 | 好逛 | 好玩 | 特色 | 介绍
        fee | fees | interest rate | rates | discount | discounts | benefit | benefits | perks | surcharge | penalty | deposit
        redeem | upgrade | upgraded | required | needed
        version | edition | release | latest | deprecated | compatible | feature | features | new products
        sights | near | nearby | things to do | tell me about | attractions | opening hours | updated | cost to | exhibition | exhibitions | charged | replacement
        """
    )
    """What the tenant or the world offers: products, fees, places."""
    meaning: tuple[str, ...] = _stock(
        """
        什么是 | 什么意思 | 是指 | 区别 | 为什么会 | 原理 | 含义 | 定义
        what is a | what is an | what does | mean | means | definition | define | explain | the difference | difference between
        """
    )
    """Asks what something is; says nothing when it is the asker's own."""
    interrogative: tuple[str, ...] = _stock(
        """
        什么 | 哪 | 谁 | 几 | 多少 | 多久 | 多长 | 多大 | 吗 | 么 | 呢 | 是否 | 有没有 | 为何 | 为什么 | ?
        what | what's | which | who | who's | whose | where | where's | when | when's | why | how | is | are | does | do | can
        could | will | would | should
        """
    )
    """The shape of a question."""
    index: dict[str, tuple[tuple[str, str], ...]] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Phrases by their first ideograph or first word, with their signals; longest first."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", _index(self))

    def with_added(self, **added: tuple[str, ...]) -> RoutingWords:
        """Return these words and a tenant's own, by signal. Raises `ValueError` for an unknown signal."""
        unknown = sorted(added.keys() - set(SIGNALS))
        if unknown:
            raise ValueError(f"unknown routing signals {unknown!r}; known are {', '.join(SIGNALS)}")
        merged: dict[str, Any] = {name: (*getattr(self, name), *phrases) for name, phrases in added.items()}
        return replace(self, **merged)


SIGNALS: Final = tuple(item.name for item in fields(RoutingWords) if item.init)
"""Names of the signals."""


def is_ideographic(phrase: str) -> bool:
    """Return whether a phrase is matched anywhere (it begins with an ideograph or a mark) instead of by words."""
    return is_cjk(phrase[:1]) or not phrase[:1].isalnum()


def _index(words: RoutingWords) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for signal in SIGNALS:
        for written in getattr(words, signal):
            phrase = " ".join(fold(written).split())
            if phrase:
                key = phrase[0] if is_ideographic(phrase) else phrase.split(" ")[0]
                found.setdefault(key, []).append((phrase, signal))
    return {key: tuple(sorted(entries, key=lambda entry: -len(entry[0]))) for key, entries in found.items()}


DEFAULT_WORDS: Final = RoutingWords()
"""The starting stock."""
