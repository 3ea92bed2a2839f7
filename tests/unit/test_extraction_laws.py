# ruff: noqa: E501 (tables of examples)
"""What holds of extraction for any text: it never raises, is bounded, is the same twice, and speaks in the third person."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memplane.domain.extraction import PRESETS, ExtractionWords, expansions_of, extract, importance_of, unwanted
from memplane.domain.extraction.perspective import request, third_person, units
from memplane.domain.extraction.rules import MAX_STATEMENTS
from memplane.domain.statements import MAX_SUBSTANCE_CHARACTERS, Statement
from tests.support.labelled_turns import ZONE, event, labelled_turns, statements_of

PIECES = st.sampled_from(
    ["我", "不喜欢", "喜欢", "以后都", "记住", "，", "。", "？", "周五", "去", "成都", "改成", "不是", "是", "取消", "I ", "prefer ", "don't ",
     "from now on ", ", ", ". ", "? ", "Friday ", "my ", "wife ", "not ", "change ", "to ", "the ", "budget ", "is ", "12000 ", "\n", "\ud800", "\0",
     "ORD-1 ", "的", "了", "吧", "但", "“", "”", "\"", "如果", "if "]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map("".join))


def said(
    *turns: str, role: str = "user", words: ExtractionWords | None = None, metadata: dict[str, object] | None = None
) -> tuple[Statement, ...]:
    """What one batch of turns says."""
    events = [event(text, role=role, metadata=metadata, event_id=f"evt_{n}") for n, text in enumerate(turns)]
    return extract(events, zone=ZONE, language="en", words=words or ExtractionWords())


@settings(max_examples=400, deadline=None)
@given(st.lists(TEXTS, max_size=3), st.sampled_from(["user", "assistant", "tool", "event", "system"]))
def test_any_text_is_bounded_and_the_same_twice(texts: list[str], role: str) -> None:
    found = said(*texts, role=role)
    assert found == said(*texts, role=role)
    assert len(found) <= MAX_STATEMENTS * max(1, len(texts))
    for statement in found:
        assert statement.text.strip()
        assert units(statement.text) <= MAX_SUBSTANCE_CHARACTERS + 3
        assert statement.source_event_ids
        assert 0.0 <= importance_of(statement).value <= 1.0
        assert (statement.fact_key is None) or statement.fact_key.count("/") == 2
        expansions_of(statement.text)


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=20),
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30)),
        max_size=6,
    )
)
def test_any_metadata(metadata: dict[str, object]) -> None:
    said("done", role="tool", metadata={**metadata, "order_id": "ORD-1"})


@pytest.mark.parametrize(
    "text",
    [
        "a" * 30_000,
        "我" * 30_000,
        "我喜欢" * 8_000,
        "not " * 8_000,
        "不是" * 10_000,
        "[" * 20_000,
        "1," * 10_000,
        "I like " * 5_000,
        "“" * 5_000,
        "{" * 20_000,
        "the the " * 4_000,
    ],
)
def test_long_text_costs_no_more_than_its_head(text: str) -> None:
    started = time.process_time()
    said(text)
    said(text, role="tool")
    assert time.process_time() - started < 5  # A backtracking pattern needs minutes here.


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_statements_name_their_subject(lang: str) -> None:
    for turn in labelled_turns():
        if turn.lang == lang and turn.role == "user":
            for statement in statements_of(turn):
                assert not re.search(r"我(?!国|方)|\b(?:I|my|me)\b", statement.text), statement.text


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("我喜欢安静", "用户喜欢安静"), ("我老婆不吃香菜", "用户老婆不吃香菜"), ("我是张伟的同事", "用户是张伟的同事"),
        ("嗯，其实我不太喜欢辣的", "用户不太喜欢辣的"), ("I prefer quiet rooms", "The user prefers quiet rooms"),
        ("I don't like my old desk", "The user does not like their old desk"), ("My wife doesn't eat fish", "The user's wife doesn't eat fish"),
        ("I've moved to Rome", "The user has moved to Rome"), ("I really hate waiting", "The user really hates waiting"),
        ("I need a desk", "The user needs a desk"), ("We decided to use Plan B", "The user decided to use Plan B"),
        ("I work with Anna and love tea", "The user works with Anna and loves tea"),
    ],
)  # fmt: skip
def test_first_person_becomes_third(text: str, statement: str) -> None:
    assert third_person(text) == statement


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("别再给我推荐连锁酒店了", "用户要求别再给用户推荐连锁酒店了"), ("Never message me after 10 pm", "The user asks never to message them after 10 pm"),
        ("Don't use tables", "The user asks not to use tables"), ("Always cc my manager", "The user asks to always cc their manager"),
    ],
)  # fmt: skip
def test_instructions_become_requests(text: str, statement: str) -> None:
    assert request(text) == statement


@pytest.mark.parametrize(
    "text",
    ["如果我喜欢辣的怎么办", "If I were rich I would prefer villas", "他说他喜欢辣的", "She said she prefers tea", "你喜欢什么颜色？", "What do you prefer?",
     "听说用户都不喜欢这个版本", "I heard that I hate it", "老板说以后都要打卡", "帮我写一封邮件", "Write me an email", "要是我住在北京就好了", "“我喜欢你”用英语怎么说"],
)  # fmt: skip
def test_what_is_asked_supposed_or_reported_is_no_statement(text: str) -> None:
    assert said(text) == ()


@pytest.mark.parametrize(
    ("text", "count"), [("我不吃辣,有什么推荐吗?", 1), ("I'm a vegetarian, what can I eat there?", 1)]
)
def test_a_question_behind_a_statement_leaves_the_statement(text: str, count: int) -> None:
    assert len(said(text)) == count


@pytest.mark.parametrize(
    "text", ["您可能喜欢安静的酒店", "You might prefer a quiet hotel", "I like that place", "我推荐您住民宿"]
)
def test_an_assistant_states_nothing_about_the_user(text: str) -> None:
    assert said(text, role="assistant") == ()


@pytest.mark.parametrize(
    "text", ["已为您预订6月20日成都的锦江宾馆", "I've booked the Jinjiang Hotel in Chengdu for you on June 20"]
)
def test_an_assistant_confirms_what_it_did(text: str) -> None:
    (statement,) = said(text, role="assistant")
    assert "confirmation" in statement.triggers
    assert statement.event_time is not None


def test_speakers_are_named() -> None:
    (statement,) = said("I prefer quiet rooms", metadata={"speaker": "Anna"})
    assert statement.text == "Anna prefers quiet rooms"


def test_a_tenants_own_words() -> None:
    words = ExtractionWords(
        preference=("超爱",), dislike=("雷区是",), decision=("拍了",), explicit=("存档",), change=("翻盘",)
    )
    assert [found.polarity for found in said("超爱露营", words=words)] == ["positive"]
    assert [found.polarity for found in said("雷区是海鲜", words=words)] == ["negative"]
    assert said("方案二拍了", words=words)[0].category == "decision"
    assert "explicit" in said("存档：门禁卡在抽屉里", words=words)[0].triggers
    assert "翻盘" in said("我喜欢翻盘的比赛", words=words)[0].change_words


def test_sentences_give_one_statement_each() -> None:
    found = said("我不喜欢辣的，但是喜欢甜的。我住在北京。")
    assert [statement.slot for statement in found] == ["user/diet/spicy", "user/diet/sweets", "user/profile/home"]


@pytest.mark.parametrize(
    ("text", "holds", "lacks"),
    [
        ("用户爱吃辣", ("川菜", "湘菜"), ()), ("用户不吃辣", ("清淡",), ("川菜", "湘菜")), ("The user is a vegetarian", ("no meat",), ()),
        ("The user loves spicy food", ("Sichuan",), ()), ("The user does not eat spicy food", ("mild",), ("Sichuan",)),
    ],
)  # fmt: skip
def test_expansions(text: str, holds: tuple[str, ...], lacks: tuple[str, ...]) -> None:
    found = expansions_of(text)
    assert 1 <= len(found) <= 3
    assert set(holds) <= set(found)
    assert not set(lacks) & set(found)


@pytest.mark.parametrize(
    ("preset", "text", "wanted"),
    [
        ("travel", "我喜欢靠窗的座位", True), ("travel", "周五去成都出差", True), ("travel", "我叫张伟", True), ("travel", "这个客户的账期是45天", False),
        ("e-commerce", "收货地址改成杭州市西湖区文三路18号", True), ("e-commerce", "我只买有机蔬菜", True), ("e-commerce", "My manager is Grace Lee", False),
        ("office", "My manager is Grace Lee", True), ("office", "明天下午三点和李总开会", True), ("office", "项目进度延迟了", True), ("office", "我爱吃火锅", False),
        ("office", "记住我爱吃火锅", True),
    ],
)  # fmt: skip
def test_presets_say_why_they_drop(preset: str, text: str, wanted: bool) -> None:
    reasons = [unwanted(statement, PRESETS[preset]) for statement in said(text)]
    assert reasons
    assert (None in reasons) is wanted
    if not wanted:
        assert "not on the list" in (reasons[0] or "")
