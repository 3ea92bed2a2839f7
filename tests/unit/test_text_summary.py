"""Summaries: within the limit, whole characters and numbers, and the sentence that carries the entities."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memplane.domain.text import SUMMARY_CHARACTERS, collapse_whitespace, graphemes, summarise

ANY_TEXT = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=400)
FAMILY = "👨‍👩‍👧‍👦"


def test_a_text_that_fits_is_itself_with_its_white_space_collapsed() -> None:
    assert summarise("  用户偏好\n简洁回答 ") == "用户偏好 简洁回答"
    assert summarise("x" * SUMMARY_CHARACTERS) == "x" * SUMMARY_CHARACTERS
    assert summarise("") == ""


ORDER_ZH = (
    "你好呀，好久不见，最近过得怎么样，我这边一切都还不错，天气也慢慢变凉了，周末常常出去走走。"
    "订单ORD-20250611-003的金额改为12000元，收货人是张三。"
    "谢谢你一直以来的帮助，以后有空我们再慢慢聊吧，期待下次见面，祝一切顺利。"
)
ORDER_EN = (
    "Hey there, so good to hear from you again after such a very long time! How have you been doing? "
    "Order ORD-20250611-003 was changed to 12000 euros on June 11. "
    "Anyway, I hope that all is well with you and yours!"
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (ORDER_ZH, "订单ORD-20250611-003的金额改为12000元"),
        (ORDER_EN, "Order ORD-20250611-003 was changed to 12000 euros on June 11."),
        ("啊" * 150 + "尾号8890" + "啊" * 150, "8890"),
        ("blah " * 40 + "account 8890 " + "blah " * 40, "8890"),
    ],
)
def test_the_part_with_the_entities_is_kept(text: str, wanted: str) -> None:
    summary = summarise(text)
    assert len(summary) <= SUMMARY_CHARACTERS
    assert wanted in summary


@pytest.mark.parametrize("speaker", ["Caroline: ", "用户："])
@pytest.mark.parametrize("text", [ORDER_ZH, ORDER_EN])
def test_the_speaker_stays_before_what_was_said(speaker: str, text: str) -> None:
    summary = summarise(speaker + text)
    assert summary.startswith(speaker)
    assert "ORD-20250611-003" in summary
    assert len(summary) <= SUMMARY_CHARACTERS


@pytest.mark.parametrize("unit", ["ORD-20250611-003", "12,000.50元", "2025年6月11日", "v1.2.3", "someone@example.com"])
@pytest.mark.parametrize("filler", ["很", "a "])
def test_numbers_and_identifiers_are_never_cut(unit: str, filler: str) -> None:
    for before in range(60, 110, 3):
        summary = summarise(filler * before + unit + filler * 60 + unit)
        assert len(summary) <= SUMMARY_CHARACTERS
        assert set(summary.replace(unit, "").replace("…", "").replace(" ", "")) <= set(filler)


def test_emoji_sequences_and_accents_stay_whole() -> None:
    for text, unit in ((FAMILY * 40, FAMILY), ("🇨🇳" * 80, "🇨🇳"), ("e\u0301" * 90, "e\u0301"), ("👍🏽" * 80, "👍🏽")):
        summary = summarise(text)
        assert len(summary) <= SUMMARY_CHARACTERS
        assert summary.replace(unit, "") == "…"


def test_a_single_token_longer_than_the_limit_is_shown_from_its_beginning() -> None:
    assert summarise("9" * 300) == "9" * (SUMMARY_CHARACTERS - 1) + "…"


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        summarise("text", limit=0)


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT, st.integers(min_value=1, max_value=120))
def test_any_text_is_summarised_within_the_limit_from_its_own_characters(text: str, limit: int) -> None:
    summary = summarise(text, limit)
    assert len(summary) <= limit
    assert summary == summarise(text, limit)
    assert summary.encode("utf-8").decode("utf-8") == summary
    assert set(summary) <= set(collapse_whitespace(text)) | {"…"}


@given(ANY_TEXT)
def test_graphemes_join_to_the_text(text: str) -> None:
    assert "".join(graphemes(text)) == text
    assert graphemes(f"a{FAMILY}e\u0301한") == ["a", FAMILY, "e\u0301", "한"]
