# ruff: noqa: E501 (word lists read and change best as words)
"""A few places that lie inside others, so that "lives in Italy" does not contradict "lives in Rome"."""

from __future__ import annotations

from typing import Final

from memplane.domain.text import fold

_INSIDE: Final = (
    "france: paris lyon marseille nice bordeaux | italy: rome milan naples turin florence venice bologna | germany: berlin munich hamburg cologne frankfurt"
    " | spain: madrid barcelona seville valencia | portugal: lisbon porto | uk: london manchester edinburgh bristol leeds oxford cambridge glasgow"
    " | england: london manchester bristol leeds oxford cambridge | netherlands: amsterdam rotterdam utrecht | japan: tokyo osaka kyoto sapporo"
    " | usa: seattle boston chicago austin denver portland miami california texas new+york san+francisco los+angeles | california: san+francisco los+angeles san+diego oakland"
    " | china: beijing shanghai shenzhen guangzhou hangzhou chengdu nanjing wuhan | canada: toronto vancouver montreal ottawa | australia: sydney melbourne brisbane perth"
    " | austria: vienna salzburg graz | switzerland: zurich geneva basel bern | ireland: dublin cork galway | india: mumbai delhi bangalore chennai"
    " | 北京: 海淀 朝阳区 西城 东城 丰台 通州 望京 中关村 海淀区 | 上海: 浦东 徐汇 静安 黄浦 虹口 浦东新区 徐汇区 静安区 | 四川: 成都 绵阳 | 广东: 广州 深圳 东莞 佛山"
    " | 浙江: 杭州 宁波 温州 | 江苏: 南京 苏州 无锡 | 湖北: 武汉 | 陕西: 西安 | 深圳: 南山 福田 罗湖 南山区 福田区 | 杭州: 西湖区 滨江 余杭 滨江区 余杭区 | 成都: 高新区 武侯区 锦江区"
    " | 中国: 北京 上海 广州 深圳 杭州 成都 南京 武汉 苏州 西安 重庆 天津 大连 烟台 青岛 厦门 长沙 郑州 宁波 昆明 | 法国: 巴黎 里昂 | 意大利: 罗马 米兰 | 德国: 柏林 慕尼黑 | 英国: 伦敦 | 日本: 东京 大阪 京都"
)


def _pairs() -> frozenset[tuple[str, str]]:
    pairs: set[tuple[str, str]] = set()
    for entry in _INSIDE.split("|"):
        outer, _, inner = entry.partition(":")
        pairs.update((name.replace("+", " "), outer.strip()) for name in inner.split())
    return frozenset(pairs)


_PAIRS: Final = _pairs()
_KNOWN: Final = frozenset(name for pair in _PAIRS for name in pair)


def is_known_place(name: str) -> bool:
    """Whether a name, in any case, is one of the places listed here."""
    return fold(name).strip() in _KNOWN


def inside(one: str, other: str) -> bool:
    """Whether one of two places is known to lie in the other."""
    first, second = fold(one).strip(" .市"), fold(other).strip(" .市")
    return (first, second) in _PAIRS or (second, first) in _PAIRS
