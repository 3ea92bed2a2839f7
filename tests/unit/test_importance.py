"""Importance: the worked examples, both languages alike, and parts that add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.importance import EXPLICIT_FLOOR, ImportanceWords, is_kept, score_importance


@pytest.mark.parametrize(
    ("content", "kind", "expected"),
    [
        ("用户偏好简洁回答", "semantic", 0.8),
        ("用户结算账号尾号为 8890", "fact", 0.8),
        ("用户决定采用方案B", "semantic", 0.7),
        ("确认用户偏好邮件", "fact", 1.0),
        ("用户今天问了退货政策", "semantic", 0.5),
        ("不要", "semantic", 0.5),
        ("好的", "semantic", 0.2),
        ("我不喜欢辣的", "semantic", 0.8),
        ("The user prefers concise answers", "semantic", 0.8),
        ("The user's billing account ends in 8890", "fact", 0.8),
        ("The user decided on plan B", "semantic", 0.7),
        ("Confirmed that the user prefers mail", "fact", 1.0),
        ("The user asked about the return policy today", "semantic", 0.5),
        ("don't", "semantic", 0.5),
        ("okay", "semantic", 0.2),
        ("I don’t like spicy food", "semantic", 0.8),
        ("We agreed on Monday", "episodic", 0.7),
        ("It is unlikely to be a clover", "semantic", 0.5),
        ("我喜欢安静，不要太吵，偏好民宿", "semantic", 0.8),
        ("", "semantic", 0.2),
    ],
)
def test_worked_examples(content: str, kind: str, expected: float) -> None:
    assert score_importance(content, kind=kind).value == pytest.approx(expected, abs=1e-4)


def test_the_threshold_is_kept_and_what_is_below_is_not() -> None:
    assert is_kept(0.60)
    assert is_kept(0.1 + 0.2 + 0.3)
    assert not is_kept(0.59)
    assert score_importance("用户偏好简洁回答", kind="semantic").kept
    assert not score_importance("用户今天问了退货政策", kind="semantic").kept


def test_explicit_statements_reach_the_floor_and_say_so() -> None:
    score = score_importance("这个客户的账期是45天", kind="semantic", explicit=True)
    assert score.value == EXPLICIT_FLOOR
    assert dict(score.parts)["explicit_floor"] == pytest.approx(0.3)
    assert score_importance("确认用户偏好邮件", kind="fact", explicit=True).value == 1.0


def test_tenants_add_their_own_words() -> None:
    words = ImportanceWords(preference=("钟意",), decision=("拍板",))
    assert score_importance("我钟意喝茶", kind="semantic", words=words).value == pytest.approx(0.8)
    assert score_importance("老板拍板了方案", kind="semantic", words=words).value == pytest.approx(0.7)


@given(st.text(max_size=40), st.sampled_from(["fact", "semantic", "episodic"]), st.booleans())
def test_parts_add_up_to_the_value(content: str, kind: str, explicit: bool) -> None:
    score = score_importance(content, kind=kind, explicit=explicit)
    assert 0.0 <= score.value <= 1.0
    assert sum(weight for _, weight in score.parts) == pytest.approx(score.value, abs=1e-4)
