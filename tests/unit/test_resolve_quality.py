"""Resolve on the labelled data: unrelated statements stay, contradictions go. Lower bounds; the docs have figures."""

from __future__ import annotations

import pytest

from memplane.domain.ids import GenerationId
from memplane.domain.memory import Status
from memplane.domain.resolve import CALIBRATED, UNCALIBRATED, Thresholds, thresholds_for
from tests.bench.resolve_quality import START, decide, read, unrelated
from tests.support.resolve_store import ResolveStore, at, said

NOMINATED = 0.97


def nominated(_one: str, _other: str) -> float | None:
    """Every memory is near: the hardest case for what must be kept apart."""
    return NOMINATED


def test_fewer_than_one_in_a_hundred_unrelated_statements_is_retired() -> None:
    done = unrelated(nominated, Thresholds())
    assert sum(map(len, done.values())) == 200
    assert len(done.get("supersede", [])) + len(done.get("review", [])) < 2
    assert len(done["add"]) >= 198


@pytest.mark.parametrize("language", ["zh", "en"])
def test_supersession_on_labelled_pairs(language: str) -> None:
    rows = [row for row in read("resolve_pairs.jsonl") if row["lang"] == language]
    got = [(row["expected"], decide(row["older"], row["newer"], nominated, Thresholds())) for row in rows]
    superseded = [expected for expected, outcome in got if outcome == "supersede"]
    wanted = [outcome for expected, outcome in got if expected == "supersede"]
    assert superseded.count("supersede") / len(superseded) >= 0.97
    assert wanted.count("supersede") / len(wanted) >= 0.95


def test_the_labelled_set_is_large_and_bilingual() -> None:
    rows = read("resolve_pairs.jsonl")
    assert len(rows) >= 120
    assert min(sum(row["lang"] == language for row in rows) for language in ("zh", "en")) >= 60


TEN = [
    ("用户住在上海", "用户家在上海"),
    ("用户对花生过敏", "用户有花生过敏"),
    ("用户偏好简短回复", "用户喜欢简洁的回答"),
    ("用户有两只猫", "用户养了两只猫"),
    ("用户的生日是3月8日", "用户的生日是3月8号"),
    ("Bob lives in Paris", "Bob's home is in Paris"),
    ("Bob is allergic to peanuts", "Bob has a peanut allergy"),
    ("Bob likes hiking", "Bob enjoys hiking"),
    ("Bob buys bread daily", "Bob purchases bread every day"),
    ("Bob's deadline is March 3", "Bob's due date is 3 March"),
]


def test_a_replay_does_not_grow_the_store() -> None:
    store = ResolveStore(similarity=nominated)
    hour = 0
    for _ in range(50):
        for text, _other in TEN:
            hour += 1
            store.say(said(text), at(START.replace(day=1 + hour % 28, month=3 + hour % 7), str(hour)))
    assert len(store.memories) == 10
    assert all(one.status is Status.ACTIVE for one in store.memories.values())
    for _, text in TEN:
        hour += 1
        store.say(said(text), at(START.replace(year=2027), str(hour)))
    assert len(store.memories) <= 20


def test_thresholds_of_a_generation() -> None:
    for generation, value in CALIBRATED.items():
        assert thresholds_for(generation) == Thresholds(duplicate=value, generation=generation, calibrated=True)
    unknown = thresholds_for(GenerationId("g000000000000"))
    assert (unknown.duplicate, unknown.calibrated) == (UNCALIBRATED, False) == (0.92, False)
    assert thresholds_for(None).duplicate == UNCALIBRATED


@pytest.mark.parametrize(("similarity", "near"), [(0.9201, True), (0.9200, False), (None, False), (1.0, True)])
def test_near_is_strictly_above(similarity: float | None, near: bool) -> None:
    assert Thresholds().near(similarity) is near
