"""Laws of masking, on texts made to be difficult."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.pii import PiiKind, mask

PIECES = st.sampled_from(
    [
        "13812345678", "138-1234-5678", "+86", "212-555-0123", "(415) 555-2671", "11010519491231002X",
        "4111 1111 1111 1111", "4111111111111111", "6222021234567890128", "DE89370400440532013000", "536-90-4399",
        "ann@example.org", "password", "密码", "PIN", "is", "是", ":", "=", " ", ",", "-", ".", "\n", '"', "<", ">",
        "hunter2", "Abc@12345", "api key", "token", "9f8a7b6c5d4e3f2a1b0c", "AKIAIOSFODNN7EXAMPLE", "eyJ", "://", "@",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "电话", "call me at", "订单号", "order", "元",
        "8890", "<phone:***5678>", "<password:***>", "<email:***example.org>", "2025-06-16",
        "１３８", "\ue000", "\ud800", "𠮷",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=14).map("".join)
KINDS = st.frozensets(st.sampled_from(list(PiiKind)))


@given(text=TEXTS | st.text(), disabled=KINDS)
def test_masking_twice_is_masking_once(text: str, disabled: frozenset[PiiKind]) -> None:
    once = mask(text, disabled=disabled)
    twice = mask(once.text, disabled=disabled)
    assert twice.text == once.text
    assert twice.found == ()


@given(text=TEXTS | st.text(), disabled=KINDS)
def test_spans_are_ordered_and_explain_the_text(text: str, disabled: frozenset[PiiKind]) -> None:
    masked = mask(text, disabled=disabled)
    position, parts = 0, []
    for span in masked.found:
        assert position <= span.start < span.end <= len(text)
        assert span.kind not in disabled
        parts += [text[position : span.start], span.masked]
        position = span.end
    assert "".join(parts) + text[position:] == masked.text


@given(text=st.text(alphabet="abc xyz,.!?你好世界记忆喜欢用户的\n", max_size=200))
def test_words_alone_never_change(text: str) -> None:
    assert mask(text).text == text


@given(text=TEXTS)
def test_masking_is_deterministic(text: str) -> None:
    assert mask(text) == mask(text)


def test_work_grows_with_length_only() -> None:
    # Inputs that make backtracking patterns explode: they finish, and are answered as their short forms are.
    begin = "-----BEGIN PRIVATE KEY-----"
    for piece in ("eyJ", "a@", "1 ", begin, "password", "4111 ", "+1", "(1", "x://y:", "密码是", "A1"):
        long = piece * 4_000
        assert mask(mask(long).text).text == mask(long).text
