"""Anchors: one spelling for one thing, other things kept apart, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.resolve import anchors


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ("报价12,000元", "numbers", {"12000"}),
        ("报价1.2万元", "numbers", {"12000"}),
        ("两只猫", "numbers", {"2"}),
        ("The user has two cats", "numbers", {"2"}),
        ("the user has 2 cats", "numbers", {"2"}),
        ("折扣15%", "numbers", {"15%"}),
        ("订单ORD-20250611-003已付款", "ids", {"ord-20250611-003"}),
        ("Order ORD-1 is paid", "ids", {"ord-1"}),
        ("write to a@b.com", "ids", {"a@b.com"}),
        ("3月3日开会", "dates", {"03-03"}),
        ("meet on March 3rd", "dates", {"03-03"}),
        ("meet on 3 March", "dates", {"03-03"}),
        ("2026年3月4日", "dates", {"2026-03-04"}),
        ("due 2026-03-04", "dates", {"2026-03-04"}),
        ("周三下午3点半", "dates", {"weekday 3", "15:30"}),
        ("on Wednesday at 3:30 pm", "dates", {"weekday 3", "15:30"}),
        ("下周三", "dates", {"next weekday 3"}),
        ("next Wednesday", "dates", {"next weekday 3"}),
        ("主题是“三体”", "quoted", {"三体"}),
        ('the title is "Dune"', "quoted", {"dune"}),
        ("老王负责登录", "names", {"老王"}),
        ("Anna met Bob", "names", {"anna", "bob"}),
        ("客户A的账期", "names", {"letter a"}),
        ("use plan B", "names", {"letter b"}),
        ("The user likes a walk", "names", set()),
        ("用Kubernetes部署", "unknown_words", {"kubernetes"}),
        ("The user runs PostgreSQL", "unknown_words", {"postgresql"}),
        ("用户不喜欢香菜", "negation", {"not"}),
        ("用户讨厌香菜", "negation", {"not"}),
        ("The user doesn't like coriander", "negation", {"not"}),
        ("味道不错,非常好,没问题", "negation", set()),
        ("not only good, no problem", "negation", set()),
    ],
)
def test_anchor(text: str, field: str, expected: set[str]) -> None:
    assert getattr(anchors(text), field) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ORD-1 已付款", "ORD-2 已付款"),
        ("The user has 2 cats", "The user has 5 cats"),
        ("用户喜欢香菜", "用户不喜欢香菜"),
        ("Anna comes on Monday", "Bob comes on Monday"),
        ("Anna comes on Monday", "Anna comes on Tuesday"),
        ("客户A已签约", "客户B已签约"),
        ("会议在下午3点", "会议在下午4点"),
        ("密码是“abc”", "密码是“abd”"),
    ],
)
def test_what_no_cosine_tells_apart_has_other_anchors(one: str, other: str) -> None:
    assert anchors(one) != anchors(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers a window seat", "The user prefers a window seat"),
        ("用户偏好简洁回答", "用户喜欢简短的回复"),
        ("The deadline is March 3", "The due date is 3 March"),
        ("预算12,000元", "预算1.2万元"),
    ],
)
def test_paraphrases_have_equal_anchors(one: str, other: str) -> None:
    assert anchors(one) == anchors(other)


@given(st.text(max_size=200))
def test_any_text_has_anchors(text: str) -> None:
    assert anchors(text) == anchors(text)
