"""The fused order: BM25 to its formula, neighbours that stay in their session, and a relevance that can say no."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.ids import MemoryId
from memplane.domain.ranking import (
    Calibration,
    QueryTerms,
    Ranked,
    bm25,
    fused_scores,
    inverse_document_frequencies,
    rank,
    rank_facts,
)
from memplane.domain.scope_rows import ScopeRows, TermStatistics
from memplane.domain.text import query_terms

CALIBRATION = Calibration(unrelated=0.7, same=0.9)


def _rows(
    counts: Sequence[Sequence[int]],
    *,
    similarities: Sequence[float] | None = None,
    sessions: Sequence[int] | None = None,
    places: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    speakers: Sequence[str] | None = None,
    is_question: Sequence[bool] | None = None,
    has_time: Sequence[bool] | None = None,
    is_fact: Sequence[bool] | None = None,
) -> ScopeRows:
    n = len(counts)
    held = np.array(counts, np.float64).reshape(n, len(counts[0]) if counts else 0)
    sizes = np.array(lengths or [5] * n, np.float64)
    return ScopeRows(
        memory_ids=tuple(MemoryId(f"m{index:03}") for index in range(n)),
        sessions=np.array(sessions if sessions is not None else range(n), np.int64),
        places=np.array(places if places is not None else [0] * n, np.int64),
        lengths=sizes,
        counts=held,
        similarities=None if similarities is None else np.array(similarities, np.float64),
        speakers=tuple(speakers or [""] * n),
        is_question=np.array(is_question or [False] * n, np.bool_),
        has_time=np.array(has_time or [False] * n, np.bool_),
        is_fact=np.array(is_fact or [False] * n, np.bool_),
        statistics=TermStatistics(
            rows=n, mean_length=float(sizes.mean()) if n else 0.0, row_frequencies=(held > 0).sum(axis=0)
        ),
    )


def _rank(rows: ScopeRows, text: str = "q", weights: Sequence[float] | None = None) -> list[Ranked]:
    return rank(rows, text=text, terms=_terms(rows.counts.shape[1], weights), calibration=CALIBRATION)


def _terms(
    count: int, weights: Sequence[float] | None = None, is_identifier: Sequence[bool] | None = None
) -> QueryTerms:
    return QueryTerms(
        weights=np.array(weights or [1.0] * count), is_identifier=np.array(is_identifier or [False] * count, np.bool_)
    )


def test_bm25_is_its_formula() -> None:
    counts, lengths = np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([4.0, 8.0])
    idf = np.array([0.5, 2.0])
    scores = bm25(counts, lengths, mean_length=6.0, idf=idf, k1=1.2, b=0.75)
    by_hand = [
        0.5 * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 6)),
        (0.5 + 2.0) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 8 / 6)),
    ]
    assert scores == pytest.approx(by_hand)


def test_idf_is_never_negative_and_zero_for_what_no_row_holds() -> None:
    statistics = TermStatistics(rows=10, mean_length=5.0, row_frequencies=np.array([0.0, 1.0, 10.0]))
    idf = inverse_document_frequencies(statistics)
    assert idf[0] == 0
    assert idf[1] == pytest.approx(math.log(1 + 9.5 / 1.5))
    assert 0 < idf[2] < idf[1]


def test_a_neighbour_of_the_answer_rises_only_in_its_own_session() -> None:
    counts = [[0], [3], [0], [0], [0], [0]]
    together = fused_scores(
        _rows(counts, sessions=[0, 0, 0, 1, 1, 1], places=[0, 1, 2, 0, 1, 2]), text="q", terms=_terms(1)
    )
    assert together[1] == max(together)
    assert together[0] > together[3]
    assert together[2] > together[3]


def test_an_identifier_comes_before_its_neighbours_however_low_its_cosine() -> None:
    """Three hundred alike turns in one session: only the number tells them apart."""
    counts = [[1, 0] for _ in range(300)]
    counts[150] = [1, 1]
    cosines = [0.90 + (place % 7) / 100 for place in range(300)]
    cosines[150] = 0.85
    rows = _rows(counts, similarities=cosines, sessions=[0] * 300, places=list(range(300)))
    terms = _terms(2, is_identifier=[True, True])
    assert rank(rows, text="INV-0031", terms=terms, calibration=CALIBRATION)[0].memory_id == "m150"


def test_which_terms_are_identifiers() -> None:
    weighted = query_terms("订单ORD-20250611-003 尾号8890 hiking 2 v1.2")
    flags = dict(zip(weighted, QueryTerms.of(weighted).is_identifier.tolist(), strict=True))
    assert flags["ord-20250611-003"]
    assert flags["8890"]
    assert not flags["hike"]
    assert not flags.get("2", False)


def test_rows_that_were_read_with_a_gap_are_no_neighbours() -> None:
    counts = [[3], [0], [0]]
    beside = fused_scores(_rows(counts, sessions=[0, 0, 0], places=[0, 1, 2]), text="q", terms=_terms(1))
    apart = fused_scores(_rows(counts, sessions=[0, 0, 0], places=[0, 50, 51]), text="q", terms=_terms(1))
    assert beside[1] > beside.min() or beside[1] > apart[1]
    assert apart[1] == pytest.approx(apart[2])


def test_without_a_vector_a_row_counts_as_the_least_similar_one() -> None:
    ranked = _rank(_rows([[0], [0], [1]], similarities=[0.9, 0.75, math.nan]))
    assert {item.memory_id: item.arms for item in ranked} == {
        "m000": ("dense",), "m001": ("dense",), "m002": ("keyword",),
    }  # fmt: skip


def test_words_that_the_scope_never_uses_leave_the_order_to_the_vectors() -> None:
    """A Chinese question over English rows: one shared number must not outweigh the meaning."""
    counts = [[0, 0, 0, 0, 0, 1], [0] * 6, [0] * 6]
    ranked = _rank(_rows(counts, similarities=[0.74, 0.92, 0.73]))
    assert ranked[0].memory_id == "m001"


def test_the_speaker_a_question_names_and_a_time_for_when() -> None:
    rows = _rows(
        [[1], [1], [1], [1]],
        similarities=[0.8] * 4,
        speakers=["caroline", "melanie", "caroline", "melanie"],
        has_time=[False, False, True, True],
    )
    assert _rank(rows, "what did Caroline say?")[0].memory_id in {"m000", "m002"}
    assert _rank(rows, "when did Caroline go?")[0].memory_id == "m002"
    both = fused_scores(rows, text="what did Caroline tell Melanie?", terms=_terms(1))
    assert both == pytest.approx(np.full(4, both[0]))


def test_a_row_that_only_asks_stands_below_one_that_tells() -> None:
    rows = _rows([[1], [1]], similarities=[0.8, 0.8], is_question=[True, False])
    assert [item.memory_id for item in _rank(rows)] == ["m001", "m000"]


def test_an_unanswerable_question_has_low_relevance() -> None:
    unrelated = _rank(_rows([[0], [0], [0]], similarities=[0.71, 0.70, 0.69]))
    answered = _rank(_rows([[1], [0], [0]], similarities=[0.88, 0.70, 0.69]))
    assert unrelated[0].relevance < 0.1
    assert answered[0].relevance == pytest.approx(1.0)
    assert all(0 <= item.relevance <= 1 for item in unrelated + answered)


def test_facts_are_found_by_words_alone_and_stand_apart() -> None:
    rows = _rows([[1, 1], [1, 0], [0, 0], [1, 1]], similarities=[math.nan] * 3 + [0.9], is_fact=[True] * 3 + [False])
    facts = rank_facts(rows, terms=_terms(2))
    assert [item.memory_id for item in facts] == ["m000", "m001"]
    assert facts[0].relevance == pytest.approx(1.0)
    assert facts[1].relevance < 0.5
    assert [item.memory_id for item in _rank(rows)] == ["m003"]
    assert rank_facts(_rows([[0], [0]], is_fact=[True, True]), terms=_terms(1)) == []
    assert rank_facts(_rows([]), terms=_terms(0)) == []


def test_nothing_in_nothing_out() -> None:
    assert _rank(_rows([])) == []
    assert _rank(_rows([[0], [0]])) == []
    empty_terms = _rows([[], []], similarities=[0.8, 0.9])
    assert [item.memory_id for item in _rank(empty_terms)] == ["m001", "m000"]


@given(st.integers(1, 12), st.integers(0, 5), st.data())
def test_any_scope_gives_a_full_finite_order(n: int, terms: int, data: st.DataObject) -> None:
    cosine = st.one_of(st.just(math.nan), st.floats(-1, 1))
    rows = _rows(
        data.draw(st.lists(st.lists(st.integers(0, 3), min_size=terms, max_size=terms), min_size=n, max_size=n)),
        similarities=data.draw(st.one_of(st.none(), st.lists(cosine, min_size=n, max_size=n))),
        sessions=sorted(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))),
        places=list(range(n)),
        lengths=data.draw(st.lists(st.integers(1, 500), min_size=n, max_size=n)),
    )
    ranked = _rank(rows)
    assert len({item.memory_id for item in ranked}) == len(ranked)
    assert all(item.arms and 0 <= item.relevance <= 1 and math.isfinite(item.relevance) for item in ranked)
    assert [item.relevance for item in ranked] == sorted((item.relevance for item in ranked), reverse=True)
