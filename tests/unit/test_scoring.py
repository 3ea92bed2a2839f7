"""The worked examples of the scoring formulas, to four decimals."""

from datetime import UTC, datetime, timedelta

import pytest

from memplane.domain.queries import Profile, Weights
from memplane.domain.results import ScoreParts
from memplane.domain.scoring import frequency, recency, score, step_weight, weighted_score

NOW = datetime(2025, 6, 30, tzinfo=UTC)


def _parts(relevance: float, importance: float, recency_part: float, frequency_part: float = 0.0) -> ScoreParts:
    return ScoreParts(relevance=relevance, importance=importance, recency=recency_part, frequency=frequency_part)


def test_balanced() -> None:
    assert score(_parts(0.9, 0.8, 0.5, 0.2), profile=Profile.BALANCED) == pytest.approx(0.7200, abs=1e-4)
    at_seven_days = recency(NOW - timedelta(days=7), now=NOW)
    assert score(_parts(0.8, 0.9, at_seven_days, 0.5), profile=Profile.BALANCED) == pytest.approx(0.7136, abs=1e-4)


@pytest.mark.parametrize(("days", "expected"), [(0, 0.8800), (7, 0.6904), (30, 0.5841)])
def test_fresh(days: int, expected: float) -> None:
    parts = _parts(0.8, 0.9, recency(NOW - timedelta(days=days), now=NOW))
    assert score(parts, profile=Profile.FRESH) == pytest.approx(expected, abs=1e-4)


def test_fresh_and_relevance_disagree_on_old_and_new() -> None:
    old = _parts(0.9, 0.5, recency(NOW - timedelta(days=30), now=NOW))
    new = _parts(0.7, 0.5, recency(NOW - timedelta(days=1), now=NOW))
    assert score(old, profile=Profile.FRESH) == pytest.approx(0.5541, abs=1e-4)
    assert score(new, profile=Profile.FRESH) == pytest.approx(0.7101, abs=1e-4)
    assert score(old, profile=Profile.RELEVANCE) > score(new, profile=Profile.RELEVANCE)


@pytest.mark.parametrize(("days", "expected"), [(0, 1), (1, 0.8669), (7, 0.3679), (14, 0.1353), (30, 0.01376), (-3, 1)])
def test_recency(days: int, expected: float) -> None:
    assert recency(NOW - timedelta(days=days), now=NOW) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("days", "expected"), [(0, 1), (7, 1), (8, 0.9672), (37, 0.3679)])
def test_stepped(days: int, expected: float) -> None:
    assert step_weight(timedelta(days=days)) == pytest.approx(expected, abs=1e-4)
    stepped = score(_parts(0.5, 0, 0), profile=Profile.STEPPED, age=timedelta(days=days))
    assert stepped == pytest.approx(0.5 * expected, abs=1e-4)


def test_frequency_saturates_at_twenty_recalls() -> None:
    assert frequency(0) == 0
    assert frequency(20) == pytest.approx(1)
    assert frequency(10_000) == 1
    assert 0 < frequency(1) < frequency(5) < 1


def test_own_weights_count_by_their_proportions() -> None:
    parts = _parts(0.9, 0.8, 0.5, 0.2)
    assert weighted_score(parts, Weights(relevance=4, importance=3, recency=2, frequency=1)) == pytest.approx(0.72)
    assert weighted_score(parts, Weights(importance=7)) == pytest.approx(0.8)
