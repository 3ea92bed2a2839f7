"""The keyword score."""

from __future__ import annotations

import math

import numpy as np
import pytest

from memplane.domain.bm25 import (
    Occurrences,
    corpus_of,
    count_terms,
    distinct_terms,
    keyword_scores,
    neighbour_scores,
    with_neighbours,
)

DOCUMENTS = [("喜欢", "火锅"), ("火锅", "火锅", "成都", "it's"), ("coffee",), ()]
SESSIONS = ["s", "s", None, "s"]


def occurrences(terms: tuple[str, ...]) -> Occurrences:
    return with_neighbours(
        counts=count_terms(documents=DOCUMENTS, terms=terms),
        lengths=np.array([len(document) for document in DOCUMENTS], float),
        sessions=SESSIONS,
        event_times_ms=[3, 1, 2, 2],
        versions=[1, 2, 3, 4],
    )


def test_query_terms_count_once_and_are_compared_as_they_are() -> None:
    assert distinct_terms(["火锅", "Coffee", "火锅", "", "coffee"]) == ("火锅", "Coffee", "coffee")


def test_a_score_by_hand() -> None:
    found = occurrences(("火锅", "it's"))
    scores = keyword_scores(occurrences=found, corpus=corpus_of(found))
    idf_hotpot, idf_its = math.log(1 + 2.5 / 2.5), math.log(1 + 3.5 / 1.5)
    mean = 7 / 4
    first = idf_hotpot * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / mean))
    norm = 1.2 * (0.25 + 0.75 * 4 / mean)
    second = idf_hotpot * 2 * 2.2 / (2 + norm) + idf_its * 2.2 / (1 + norm)
    assert scores == pytest.approx([first, second, 0, 0])


def test_a_neighbour_score_by_hand() -> None:
    found = occurrences(("成都",))
    corpus = corpus_of(found)
    # The three rows of the session are within two places of each other: each reads as all three.
    assert found.near_lengths.tolist() == [6, 6, 1, 6]
    assert found.near_counts[:, 0].tolist() == [1, 1, 0, 1]
    idf = math.log(1 + 3.5 / 1.5)
    expected = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 6 / (19 / 4)))
    assert neighbour_scores(occurrences=found, corpus=corpus) == pytest.approx([expected, expected, 0, expected])


def test_three_places_away_is_far() -> None:
    counts = np.eye(5)
    found = with_neighbours(
        counts=counts, lengths=np.ones(5), sessions=["s"] * 5, event_times_ms=[0] * 5, versions=[5, 4, 3, 2, 2**64 - 1]
    )
    # In order of version the rows are 3, 2, 1, 0, 4.
    assert np.flatnonzero(found.near_counts[4]).tolist() == [0, 1, 4]
    assert found.near_lengths.tolist() == [4, 5, 4, 3, 3]


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_nothing_to_find_scores_nothing(rows: int) -> None:
    found = with_neighbours(
        counts=np.zeros((rows, 2)),
        lengths=np.zeros(rows),
        sessions=["s"] * rows,
        event_times_ms=[0] * rows,
        versions=[0] * rows,
    )
    corpus = corpus_of(found)
    assert keyword_scores(occurrences=found, corpus=corpus).tolist() == [0.0] * rows
    assert neighbour_scores(occurrences=found, corpus=corpus).tolist() == [0.0] * rows


def test_a_term_in_every_row_still_counts_for_something() -> None:
    found = with_neighbours(
        counts=np.ones((3, 1)), lengths=np.ones(3), sessions=[None] * 3, event_times_ms=[0] * 3, versions=[1, 2, 3]
    )
    assert (keyword_scores(occurrences=found, corpus=corpus_of(found)) > 0).all()
