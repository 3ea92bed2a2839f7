"""Tokens, normal form and language: what the keyword arm can find, and that no text breaks it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memplane.domain.text import (
    MAX_TOKEN_LENGTH,
    MAX_TOKENS,
    content_hash,
    fold,
    language_of,
    query_terms,
    tokenize,
)

ANY_TEXT = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=200)


@pytest.mark.parametrize(
    ("row", "query"),
    [
        ("订单ORD-1已付款", "ORD-1"),
        ("订单ORD-20250611-003状态已变更为已付款。", "ord-20250611-003"),
        ("订单ORD-20250611-003状态已变更为已付款。", "20250611"),
        ("结算账号用尾号8890", "8890"),
        ("升级到v1.2.3后报E_CONN_42错误", "v1.2.3"),
        ("升级到v1.2.3后报E_CONN_42错误", "E_CONN_42"),
        ("发到user.name@example.com吧", "user.name@example.com"),
        ("文件report_v2.pdf在https://a.example/x?id=7里", "report_v2.pdf"),
        ("文件report_v2.pdf在https://a.example/x?id=7里", "https://a.example/x?id=7"),
        ("报价调整为12,000元", "12000"),
        ("The price is 12000", "12,000"),
        ("会议在2025年6月11日", "2025-06-11"),
        ("created 2025-06-11T10:00:00Z", "2025/6/11"),
        ("ran 10km on the 7th", "10 km"),
        ("用C++写的", "c++"),
        ("ＯＲＤ－９ 已付款", "ord-9"),
    ],
)
def test_identifiers_numbers_and_dates_are_found_whole_or_in_part(row: str, query: str) -> None:
    assert set(tokenize(query)) & set(tokenize(row))
    assert tokenize(query)[0] in tokenize(row)


@pytest.mark.parametrize(
    ("row", "query"),
    [
        ("我不吃辣", "辣"),
        ("点了麻辣火锅", "辣"),
        ("南京市长江大桥", "市长"),
        ("用户偏好简洁回答", "偏好"),
        ("訂單已付款", "訂單"),
        ("わたしは東京に住んでいます", "東京"),
        ("寿司が好きです", "好き"),
        ("コーヒーを飲む", "コーヒー"),
        ("서울에 살아요", "서울"),
        ("저는 커피를 좋아해요", "커피"),
        ("𠮷野家で食べた", "𠮷"),
        ("อยู่กรุงเทพ", "กรุงเทพ"),
        ("Привет, мир", "МИР"),
        ("会议很好🎉", "🎉"),
        ("She painted sunrises", "painting a sunrise"),
        ("Caroline’s dogs", "Caroline dog"),
        ("I don’t eat fish", "don't"),
        ("dont eat fish", "don't"),
    ],
)
def test_one_word_queries_of_any_script_find_the_row(row: str, query: str) -> None:
    assert set(tokenize(query)) & set(tokenize(row))


def test_stop_words_go_unless_there_is_nothing_else() -> None:
    assert tokenize("What is the dog's name?") == ["dog", "name"]
    assert "的" not in tokenize("我的狗")
    assert tokenize("who are you") == ["who", "are", "you"]
    assert tokenize("的") == ["的"]


@pytest.mark.parametrize(
    ("text", "negation"), [("I do not like it", "not"), ("never again", "never"), ("我不去", "不"), ("没有钱", "没")]
)
def test_negations_are_no_stop_words(text: str, negation: str) -> None:
    assert stem_free(negation) in tokenize(text)


def stem_free(word: str) -> str:
    return tokenize(word)[0]


def test_repetitions_are_kept_as_term_frequencies() -> None:
    assert tokenize("dog and dog").count("dog") == 2


def test_single_ideographs_weigh_less_beside_words_and_full_alone() -> None:
    assert query_terms("辣") == {"辣": 1.0}
    weights = query_terms("火锅 ORD-1")
    assert weights["火锅"] == 1.0
    assert weights["ord-1"] == 1.0
    assert weights["火"] < 0.5


def test_long_texts_and_long_tokens_are_bounded_and_stay_distinct() -> None:
    assert len(tokenize("词 " * 50_000)) <= MAX_TOKENS
    one, other = tokenize("x" * 5_000 + "1"), tokenize("x" * 5_000 + "2")
    assert [len(token) <= MAX_TOKEN_LENGTH for token in one] == [True] * len(one)
    assert one[0] != other[0]


@pytest.mark.parametrize("text", ["", " \n", "。，！", "\0", "\ud800", "\udfff\ud800", "'", "--//..", "://"])
def test_texts_without_words_have_no_tokens(text: str) -> None:
    assert tokenize(text) == []


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_no_text_breaks_the_tokens(text: str) -> None:
    tokens = tokenize(text)
    assert tokens == tokenize(text)
    for token in tokens:
        assert 0 < len(token) <= MAX_TOKEN_LENGTH
        assert token.encode("utf-8").decode("utf-8") == token
        assert not any(char.isspace() or char == "\0" for char in token)
    assert set(query_terms(text)) == set(tokens)
    assert language_of(text) in ("zh", "en")


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_folding_is_idempotent_and_hashing_does_not_see_case_or_outer_space(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert content_hash(f"  {text}\n") == content_hash(text)


def test_tokens_are_the_same_from_many_threads() -> None:
    texts = ["running painted dogs", "订单ORD-1已付款", "北京大学生前来应聘"] * 50
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tokenize, texts)) == [tokenize(text) for text in texts]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("用户偏好简洁回答。", " 用户偏好 简洁回答"),
        ("订单 ORD-1 已付款", "订单ORD-1已付款！"),
        ("The user likes  tea.", "the user likes tea"),
        ("ＡＢＣ１２３", "abc123"),
        ("it’s fine", "it's fine"),
    ],
)
def test_same_statement_same_hash(one: str, other: str) -> None:
    assert content_hash(one) == content_hash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.5 元", "15 元"),
        ("-5度", "5度"),
        ("不吃辣", "吃辣"),
        ("ORD-1", "ORD-2"),
        ("now here", "nowhere"),
        ("c#", "c"),
    ],
)
def test_other_statement_other_hash(one: str, other: str) -> None:
    assert content_hash(one) != content_hash(other)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("用户偏好简洁回答", "zh"),
        ("订单ORD-20250611-003已付款", "zh"),
        ("用 Python 写了 validator", "zh"),
        ("The user prefers short answers", "en"),
        ("I went to 北京 last week with Anna", "en"),
        ("わたしは東京に住んでいます", "zh"),
        ("8890", "en"),
        ("", "en"),
    ],
)
def test_language_by_script(text: str, language: str) -> None:
    assert language_of(text) == language
