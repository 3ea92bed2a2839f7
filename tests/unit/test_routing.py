"""Routing: labelled questions in both languages, and the rules that hold whatever the words are."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memplane.domain.routing import MAX_CHARACTERS, RouteName, route
from memplane.domain.routing_words import DEFAULT_WORDS, SIGNALS, RoutingWords

QUESTIONS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "routing_questions.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
LABELS = tuple(RouteName)


def _confusion(rows: list[dict[str, str]]) -> tuple[float, str]:
    """Return the accuracy over `rows`, and the matrix (rows: label, columns: route) with every miss as text."""
    counts: Counter[tuple[str, str]] = Counter()
    misses: list[str] = []
    for row in rows:
        answer = route(row["question"], has_knowledge=True)
        counts[row["label"], answer.name] += 1
        if answer.name != row["label"]:
            misses.append(f"  {row['label']} -> {answer.name}: {row['question']} {answer.reasons}")
    accuracy = sum(counts[label, label] for label in LABELS) / len(rows)
    header = " " * 18 + "".join(f"{label:>18}" for label in LABELS)
    lines = [f"{label:<18}" + "".join(f"{counts[label, guess]:>18}" for guess in LABELS) for label in LABELS]
    return accuracy, "\n".join([f"accuracy {accuracy:.3f} over {len(rows)}", header, *lines, *misses])


def test_the_questions_are_many_balanced_and_split_by_pair() -> None:
    assert len(QUESTIONS) >= 200
    assert len({row["question"] for row in QUESTIONS}) == len(QUESTIONS)
    cells = Counter((row["language"], row["label"]) for row in QUESTIONS)
    assert set(cells) == {(language, label) for language in ("zh", "en") for label in LABELS}
    assert len(set(cells.values())) == 1
    held_out = [row for row in QUESTIONS if row["split"] == "held_out"]
    assert len(held_out) >= 0.4 * len(QUESTIONS)
    splits: dict[str, set[str]] = {}
    for row in QUESTIONS:
        splits.setdefault(row["pair"], set()).add(row["split"])
    assert all(len(found) == 1 for found in splits.values()), "a question and its translation are in different parts"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("split", ["held_out", "tune"])
def test_accuracy_on_labelled_questions(split: str, language: str) -> None:
    rows = [row for row in QUESTIONS if row["split"] == split and row["language"] == language]
    accuracy, matrix = _confusion(rows)
    assert accuracy >= 0.90, f"{split} {language}\n{matrix}"


def test_accuracy_on_what_the_rules_have_not_seen() -> None:
    accuracy, matrix = _confusion([row for row in QUESTIONS if row["split"] == "held_out"])
    assert accuracy >= 0.90, matrix


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("成都太古里有什么好逛的", RouteName.KNOWLEDGE_BASE),
        ("我上周收藏的那家店叫什么", RouteName.LONG_TERM_MEMORY),
        ("结合我之前说的预算,推荐一家川菜馆", RouteName.BOTH),
    ],
)
def test_the_questions_of_the_requirements(query: str, name: RouteName) -> None:
    assert route(query, has_knowledge=True).name is name


@pytest.mark.parametrize("row", QUESTIONS[:12], ids=lambda row: str(row["pair"]) + row["language"])
def test_without_documents_there_is_only_memory(row: dict[str, str]) -> None:
    answer = route(row["question"], has_knowledge=False)
    assert (answer.name, answer.reasons) == (RouteName.LONG_TERM_MEMORY, ("the tenant has no documents",))


@pytest.mark.parametrize("query", ["", "   ", "？！", "发票抬头", "Sichuan food", "好的", "ok"])
def test_what_shows_nothing_goes_to_both(query: str) -> None:
    assert route(query, has_knowledge=True).name is RouteName.BOTH


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("上次那个报错是什么", "pointing:那个"),
        ("What was that error last time?", "pointing:last time"),
        ("我女儿的生日是哪天", "kin:我女儿"),
        ("When is my daughter's birthday?", "kin:my daughter's"),
        ("订单ORD-20250611-003的状态", "record:"),
        ("status of ORD-20250611-003", "record:"),
        ("退货政策是什么", "documents:政策"),
        ("What is the return policy?", "documents:policy"),
        ("怎么重置登录密码", "howto:怎么"),
        ("How do I reset my password?", "howto:how do i"),
    ],
)
def test_reasons_name_what_was_seen(query: str, shown: str) -> None:
    reasons = route(query, has_knowledge=True).reasons
    assert any(reason.startswith(shown) for reason in reasons[1:]), reasons


@pytest.mark.parametrize(
    ("personal", "general"),
    [
        ("我的退款政策", "公司的退款政策"),
        ("What does my visa type permit?", "What does a tourist visa permit?"),
        ("我的车险什么时候到期", "车险什么时候到期"),
        ("When does my insurance run out?", "When does travel insurance run out?"),
    ],
)
def test_the_same_question_with_and_without_the_user(personal: str, general: str) -> None:
    assert route(personal, has_knowledge=True).name is not RouteName.KNOWLEDGE_BASE
    assert route(general, has_knowledge=True).name is RouteName.KNOWLEDGE_BASE


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("what is the RETURN POLICY?", "What is the return policy?"),
        ("结合我之前说的预算，推荐一家川菜馆", "结合我之前说的预算,推荐一家川菜馆"),
        ("What’s my shipping address?", "What's my shipping address?"),
    ],
)
def test_spelling_changes_no_route(typed: str, same: str) -> None:
    assert route(typed, has_knowledge=True).name is route(same, has_knowledge=True).name


def test_words_match_as_words() -> None:
    """`my` is not in "myth", `rule` not in "ruler"; `i` not in "it"."""
    answer = route("Which myth mentions a ruler of the sea?", has_knowledge=True)
    assert not any(reason.startswith(("possessive", "documents", "person")) for reason in answer.reasons)


def test_a_joined_conversation_is_never_for_documents_alone() -> None:
    lines = ["How do I install the SDK?", "Run the installer.", "And what about the licence?"]
    assert route("\n".join(lines), has_knowledge=True).name is RouteName.BOTH
    assert route(lines[0], has_knowledge=True).name is RouteName.KNOWLEDGE_BASE


def test_the_end_of_a_long_query_decides() -> None:
    assert route("a " * MAX_CHARACTERS + "我上次买的是什么", has_knowledge=True).name is RouteName.LONG_TERM_MEMORY


@pytest.mark.parametrize(
    ("query", "signal", "phrase"),
    [("一号食堂的菜单", "pointing", "一号食堂"), ("menu at the Crow's Nest", "pointing", "the crow's nest")],
)
def test_a_tenant_adds_words(query: str, signal: str, phrase: str) -> None:
    words = DEFAULT_WORDS.with_added(**{signal: (phrase,)})
    assert route(query, has_knowledge=True).name is not RouteName.LONG_TERM_MEMORY
    answer = route(query, has_knowledge=True, words=words)
    assert (answer.name, answer.reasons[1]) == (RouteName.LONG_TERM_MEMORY, f"{signal}:{phrase}")
    assert RoutingWords() == DEFAULT_WORDS, "the stock itself stays as it is"


def test_an_unknown_signal_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown routing signals"):
        DEFAULT_WORDS.with_added(pointers=("x",))


def test_no_phrase_stands_twice_in_a_signal() -> None:
    for signal in SIGNALS:
        phrases = getattr(DEFAULT_WORDS, signal)
        assert [phrase for phrase, count in Counter(phrases).items() if count > 1] == []


@settings(max_examples=300, deadline=None)
@given(query=st.text(max_size=700) | st.sampled_from([row["question"] for row in QUESTIONS]))
def test_any_text_has_a_route_and_always_the_same(query: str) -> None:
    answer = route(query, has_knowledge=True)
    assert answer == route(query, has_knowledge=True)
    assert answer.name in LABELS
    assert answer.reasons
    assert all(answer.reasons)
