"""Traits of statements, in both languages."""

import pytest

from memplane.domain.traits import asks_when, has_time, is_question, names, speaker_of


@pytest.mark.parametrize(
    ("content", "role", "metadata", "expected"),
    [
        ("Caroline: I went hiking", "user", {}, "caroline"),
        ("小王:我明天去成都", "user", {}, "小王"),
        ("小王\uff1a我明天去成都", "user", {}, "小王"),
        ("I went hiking", "assistant", {}, "assistant"),
        ("I went: hiking, then home", "user", {"speaker": "Melanie"}, "melanie"),
        ("hello", "user", {"speaker": 3}, "user"),
        ("hello", "user", {"speaker": "  "}, "user"),
        ("At 10:30 we met", "user", {}, "user"),
        ("https://example.org is it", "tool", {}, "tool"),
    ],
)
def test_who_said_it(content: str, role: str, metadata: dict[str, object], expected: str) -> None:
    assert speaker_of(content=content, role=role, metadata=metadata) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Where did you go?", True),
        ("你去哪里了?", True),
        ('He asked "why?"', True),
        ("Did you see it? [image: a photo of a dog]", True),
        ("I saw it [did you?]", False),
        ("Why? Because.", False),
        ("我不知道", False),
        ("", False),
    ],
)
def test_whether_it_only_asks(content: str, expected: bool) -> None:
    assert is_question(content) is expected


@pytest.mark.parametrize(
    "content", ["I went yesterday", "上周去的", "in May? no, march", "2023年5月", "最近很忙", "on Friday"]
)
def test_texts_that_tell_a_time(content: str) -> None:
    assert has_time(content)


@pytest.mark.parametrize("content", ["I like tea", "我喜欢安静", "room 12"])
def test_texts_that_do_not(content: str) -> None:
    assert not has_time(content)


@pytest.mark.parametrize("query", ["When did she go?", "什么时候去的?", "How many weeks", "what year", "会议几号"])
def test_questions_for_a_time(query: str) -> None:
    assert asks_when(query)


def test_a_name_is_a_whole_word_in_latin_and_anything_in_han() -> None:
    assert names("What did Ann say?", "ann")
    assert not names("What did Anna say?", "ann")
    assert names("小王去了哪里", "小王")
    assert not names("who?", "")
