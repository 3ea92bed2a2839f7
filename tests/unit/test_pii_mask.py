"""Masking: what is found, what it looks like afterwards, and that nothing else changes."""

from __future__ import annotations

import pytest

from memplane.domain.context_block import quote
from memplane.domain.pii import PiiKind, mask
from memplane.domain.text import tokenize

MASKED = [
    # Chinese, mostly without a space around the value.
    ("我的手机号是13812345678谢谢", "我的手机号是<phone:***5678>谢谢"),
    ("王国庆的联系电话是15388636991。", "王国庆的联系电话是<phone:***6991>。"),
    ("手机138-1234-5678,微信同号", "手机<phone:***5678>,微信同号"),
    ("电话+86 138 1234 5678", "电话<phone:***5678>"),
    ("手机号１３８１２３４５６７８", "手机号<phone:***5678>"),
    ("电话13812345678/13912345678都行", "电话<phone:***5678>/<phone:***5678>都行"),
    ("0086-13812345678", "<phone:***5678>"),
    ("订单的联系电话是13812345678", "订单的联系电话是<phone:***5678>"),
    ("家里座机010-62345678", "家里座机<phone:***5678>"),
    ("打电话62345678找我", "打电话<phone:***5678>找我"),
    ("身份证号11010519491231002X,请登记", "身份证号<resident_id:***002X>,请登记"),
    ("身份证11010519491231002x办理", "身份证<resident_id:***002X>办理"),
    ("编号同身份证:360426199101010071", "编号同身份证:<resident_id:***0071>"),
    ("银行卡号6222021234567890128到账", "银行卡号<bank_card:***0128>到账"),
    ("卡号4111 1111 1111 1111", "卡号<bank_card:***1111>"),
    ("邮箱zhang.san@example.com.cn谢谢", "邮箱<email:***example.com.cn>谢谢"),
    ("密码是 Abc@12345, 记一下", "密码是 <password:***>, 记一下"),
    ("密码:hunter2。", "密码:<password:***>。"),
    ("密码改成了qwerty123", "密码改成了<password:***>"),
    ("WiFi密码 12345678", "WiFi密码 <password:***>"),
    ("密码是「芝麻 开门」", "密码是「<password:***>」"),
    ("PIN码是1234", "PIN码是<password:***>"),
    ("我的密钥是 9f8a7b6c5d4e3f2a1b0c", "我的密钥是 <api_key:***1b0c>"),
    ("密钥sk-abcdefghijklmnopqrst0123泄露了", "密钥<api_key:***0123>泄露了"),
    # English.
    ("call me at 212-555-0123", "call me at <phone:***0123>"),
    ("call me at 2125550123", "call me at <phone:***0123>"),
    ("my number is 4155552671", "my number is <phone:***2671>"),
    ("It is 13812345678.Thanks", "It is <phone:***5678>.Thanks"),
    ("(415) 555-2671 works", "<phone:***2671> works"),
    ("+44 20 7946 0958 is the office", "<phone:***0958> is the office"),
    ("+1 415-555-2671", "<phone:***2671>"),
    ("card 4111-1111-1111-1111 exp 12/27", "card <bank_card:***1111> exp 12/27"),
    ("amex 3782 822463 10005", "amex <bank_card:***0005>"),
    ("IBAN DE89 3704 0044 0532 0130 00 PLEASE", "IBAN <iban:***3000> PLEASE"),
    ("to GB82WEST12345698765432.", "to <iban:***5432>."),
    ("my SSN is 536-90-4399", "my SSN is <ssn:***4399>"),
    ("social security number 536904399", "social security number <ssn:***4399>"),
    ("mail Ann.Lee+x@Example.org!", "mail <email:***example.org>!"),
    ("my password is hunter2", "my password is <password:***>"),
    ("My password is swordfish.", "My password is <password:***>."),
    ("password: correcthorse", "password: <password:***>"),
    ('{"password": "tr0ub4dor"}', '{"password": "<password:***>"}'),
    ("I changed my password to Tr0ub4dor", "I changed my password to <password:***>"),
    ("the password for the wifi is blue42", "the password for the wifi is <password:***>"),
    ("DB_PASSWORD=s3cr3t!", "DB_PASSWORD=<password:***>"),
    ("postgres://admin:pa55@db:5432/x", "postgres://admin:<password:***>@db:5432/x"),
    ("PIN is 1234", "PIN is <password:***>"),
    ("key AKIAIOSFODNN7EXAMPLE here", "key <api_key:***MPLE> here"),
    ("ghp_" + "a1B2" * 9, "<api_key:***a1B2>"),
    ("Authorization: Bearer abcDEF1234567890xyz", "Authorization: Bearer <api_key:***0xyz>"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w", "<api_key:***Hl0w>"),
    ("api key: 9f8a7b6c5d4e3f2a1b0c", "api key: <api_key:***1b0c>"),
    (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAK\n-----END RSA PRIVATE KEY-----\nkeep it",
        "<private_key:***>\nkeep it",
    ),
    ("-----BEGIN PRIVATE KEY-----\nMIIBOgIB。之后", "<private_key:***>。之后"),
]

UNCHANGED = [
    # Chinese.
    "结算账号用尾号 8890",
    "用户结算账号尾号为 8890",
    "订单ORD-20250611-003状态已变更为已付款。",
    "订单号13812345678已发货",
    "运单号:13812345678",
    "快递单号6222021234567890128",
    "版本 2.0.1 于 2025-06-16 14:00 发布",
    "价格 12000 元,共 3 件",
    "营业额13800138000元",
    "身份证号110105194912310021校验不对",
    "出生日期不对110105194913310021",
    "卡号4111 1111 1111 1112不对",
    "密码是什么",
    "密码是16位的",
    "密码为8到16位",
    "忘记密码了",
    "客服热线400-820-8820",
    "时间戳1718500000000",
    "这个客户的账期是45天",
    "报价调整为12000",
    "用户生日是1990年3月7日",
    "第13812345678号提案",
    # English.
    "order ORD-20250611-003 is paid",
    "order 13812345678 has shipped",
    "tracking number 4111111111111111",
    "invoice no. 212-555-0123",
    "ticket #2125550123",
    "version 10.15.7 of 2025-06-16",
    "a price of $1,299.00 or $2125550123",
    "validator raised exception at line 42",
    "timestamps 1718500000000 and 1718500000",
    "my password is wrong",
    "my password is not working",
    "password is required",
    "Password: string",
    "change the password to something better",
    "password = request.form['password']",
    "hashed_password = hash_password(password)",
    "password: ${DB_PASSWORD}",
    "**Password Hashing**: use bcrypt",
    "password: ****",
    "git@github.com:org/repo.git",
    "icon@2x.png",
    "bearer of bad news",
    "token budget: 12000 tokens",
    "https://example.com/items/13812345678.html",
    "uuid 550e8400-e29b-41d4-a716-446655440000",
    "sha256 4111111111111111aa",
    "1/4 of 2025 and 3-4 items",
    "call 911",
    "the meeting room is 415-2671",
    "sk-learn and sk-image are libraries",
    "the secret is patience",
]


@pytest.mark.parametrize(("text", "expected"), MASKED)
def test_masks(text: str, expected: str) -> None:
    masked = mask(text)
    assert masked.text == expected
    assert mask(expected).found == ()


@pytest.mark.parametrize("text", UNCHANGED)
def test_leaves(text: str) -> None:
    masked = mask(text)
    assert masked.text == text
    assert masked.found == ()


def test_spans_point_into_the_original_text() -> None:
    text = "邮箱a.b@example.com,手机13812345678"
    found = mask(text).found
    assert [(span.kind, text[span.start : span.end], span.masked) for span in found] == [
        (PiiKind.EMAIL, "a.b@example.com", "<email:***example.com>"),
        (PiiKind.PHONE, "13812345678", "<phone:***5678>"),
    ]


def test_several_values_in_one_text() -> None:
    text = "张三 11010519491231002X 13812345678 6222021234567890128 zs@example.com 密码:Qq112233"
    expected = (
        "张三 <resident_id:***002X> <phone:***5678> <bank_card:***0128> <email:***example.com> 密码:<password:***>"
    )
    assert mask(text).text == expected


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (PiiKind.PHONE, "手机13812345678"),
        (PiiKind.EMAIL, "mail ann@example.org"),
        (PiiKind.PASSWORD, "my password is hunter2"),
        (PiiKind.RESIDENT_ID, "身份证11010519491231002X"),
        (PiiKind.BANK_CARD, "card 4111 1111 1111 1111"),
        (PiiKind.IBAN, "DE89 3704 0044 0532 0130 00"),
        (PiiKind.SSN, "SSN 536-90-4399"),
        (PiiKind.API_KEY, "AKIAIOSFODNN7EXAMPLE"),
        (PiiKind.PRIVATE_KEY, "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----"),
    ],
)
def test_a_policy_can_switch_a_kind_off(kind: PiiKind, text: str) -> None:
    assert [span.kind for span in mask(text).found] == [kind]
    assert mask(text, disabled=frozenset({kind})).text == text
    assert mask(text, disabled=frozenset(PiiKind) - {kind}).text == mask(text).text


def test_the_masked_form_can_be_searched_and_quoted() -> None:
    masked = mask("用户的手机是13812345678").text
    assert {"phone", "5678"} <= set(tokenize(masked))
    assert quote(masked) == masked
    assert mask("谁的手机是13812345678?").text == "谁的手机是<phone:***5678>?"


def test_a_forged_placeholder_hides_nothing() -> None:
    assert mask("<phone:13812345678>").text == "<phone:<phone:***5678>>"
    assert mask("<password:***>hunter2, password: hunter2").text == "<password:***>hunter2, password: <password:***>"
