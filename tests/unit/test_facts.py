"""Keys of facts, and how facts read."""

from __future__ import annotations

from typing import Any

import pytest

from memplane.domain.errors import InvalidError
from memplane.domain.facts import FactKey, render_fact, render_removal

ORDER = FactKey.parse("order/ORD-20250611-003/status")
TERM = FactKey.parse("customer/ACME/payment_term_days")
CHANNEL = FactKey.parse("user/preference/report_channel")
OWN = FactKey.parse("合同/HT-1/签署人")


@pytest.mark.parametrize(
    ("key", "value", "zh", "en"),
    [
        (
            ORDER,
            "已付款",
            "订单ORD-20250611-003的状态为已付款。",
            "The status of order ORD-20250611-003 is 已付款.",
        ),
        (TERM, 45, "客户ACME的账期天数为45。", "The payment term days of customer ACME is 45."),
        (TERM, 4.5, "客户ACME的账期天数为4.5。", "The payment term days of customer ACME is 4.5."),
        (CHANNEL, "email", "用户偏好的报告渠道为email。", "The report channel of user preference is email."),
        (OWN, "张三", "合同 HT-1的签署人为张三。", "The 签署人 of 合同 HT-1 is 张三."),
        (ORDER, True, "订单ORD-20250611-003的状态为是。", "The status of order ORD-20250611-003 is true."),
        (ORDER, None, "订单ORD-20250611-003的状态为空。", "The status of order ORD-20250611-003 is unset."),
        (
            TERM,
            [1, None, "x"],
            "客户ACME的账期天数为1、空、x。",
            "The payment term days of customer ACME is 1, unset, x.",
        ),
        (TERM, [], "客户ACME的账期天数为[]。", "The payment term days of customer ACME is []."),
        (
            TERM,
            {"b": [1], "a": "文"},
            '客户ACME的账期天数为{"a":"文","b":[1]}。',
            'The payment term days of customer ACME is {"a":"文","b":[1]}.',
        ),
    ],
)
def test_a_fact_reads_as_a_sentence_in_both_languages(key: FactKey, value: Any, zh: str, en: str) -> None:
    assert render_fact(key, value, language="zh") == zh
    assert render_fact(key, value, language="en") == en
    assert render_fact(key, value, language="fr") == en


def test_a_removal_reads_as_a_wish() -> None:
    assert render_removal(ORDER, language="zh") == "删除订单ORD-20250611-003的状态。"
    assert render_removal(ORDER, language="en") == "Delete the status of order ORD-20250611-003."


def test_a_key_is_one_text_and_back() -> None:
    key = FactKey.checked(entity_type="订 单", entity="a.b", attribute="c%")
    assert str(key) == "订 单/a.b/c%"
    assert FactKey.parse(str(key)) == key
    for text in ("", "a/b", "a/b/c/d"):
        with pytest.raises(InvalidError):
            FactKey.parse(text)


def test_every_part_at_fault_is_named() -> None:
    with pytest.raises(InvalidError) as caught:
        FactKey.checked(entity_type="a/b", entity="ok", attribute="_x")
    assert [(issue.path, issue.code) for issue in caught.value.issues] == [
        ("entity_type", "bad_id"),
        ("attribute", "bad_id"),
    ]
