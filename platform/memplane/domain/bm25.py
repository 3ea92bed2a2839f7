"""The keyword score: BM25 over the rows of one scope, with the scope's own statistics.

For a query of distinct terms t and a row with f(t) occurrences of t among its ``length`` terms::

    score = sum over t of  idf(t) * f(t) * (K1 + 1) / (f(t) + K1 * (1 - B + B * length / mean length))
    idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5))

N is the number of rows, n(t) the number of rows that hold t (Robertson and Zaragoza 2009, with the idf that is never
negative).

The neighbour score is the same formula over the row's own terms joined with those of the rows within
:data:`NEIGHBOUR_REACH` places in its session, ordered by (event time, version): occurrences and lengths are sums over
these rows, the mean length is the mean of such sums over all rows, the idf stays that of single rows. A row without a
session has no neighbours.

"The rows" are those that the reader may see and asked for: what is filtered out counts nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

K1: Final = 1.2
B: Final = 0.75
NEIGHBOUR_REACH: Final = 2

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What BM25 knows of all rows. ``row_frequencies``: (terms,), in how many rows each term stands."""

    rows: int
    mean_length: float
    mean_near_length: float
    row_frequencies: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """What BM25 knows of each row. ``counts``, ``near_counts``: (rows, terms); ``lengths``, ``near_lengths``: (rows,).

    The ``near`` ones are sums over the row and its neighbours.
    """

    counts: Floats
    lengths: Floats
    near_counts: Floats
    near_lengths: Floats


def distinct_terms(terms: Sequence[str]) -> tuple[str, ...]:
    """The terms of a query, each once, in order of first appearance, compared as they are. Empty ones are dropped."""
    return tuple(dict.fromkeys(term for term in terms if term))


def count_terms(*, documents: Sequence[Sequence[str]], terms: Sequence[str]) -> Floats:
    """How often each of the distinct ``terms`` stands in each document: (documents, terms)."""
    places = {term: place for place, term in enumerate(terms)}
    counts = np.zeros((len(documents), len(terms)))
    for row, document in enumerate(documents):
        for term in document:
            if (place := places.get(term)) is not None:
                counts[row, place] += 1
    return counts


def with_neighbours(
    *,
    counts: Floats,
    lengths: Floats,
    sessions: Sequence[str | None],
    event_times_ms: Sequence[int],
    versions: Sequence[int],
) -> Occurrences:
    """Adds the sums over neighbours to the counts and lengths of rows. All arguments are in the same order of rows."""
    near_counts, near_lengths = counts.copy(), lengths.copy()
    codes = _session_codes(sessions)
    order = np.lexsort((np.array(versions, np.uint64), np.array(event_times_ms, np.int64), codes))
    for distance in range(1, NEIGHBOUR_REACH + 1):
        earlier, later = order[:-distance], order[distance:]
        same = codes[earlier] == codes[later]
        earlier, later = earlier[same], later[same]
        # Each row is at most once in `earlier` and at most once in `later`: fancy indexing adds every pair.
        near_counts[earlier] += counts[later]
        near_counts[later] += counts[earlier]
        near_lengths[earlier] += lengths[later]
        near_lengths[later] += lengths[earlier]
    return Occurrences(counts=counts, lengths=lengths, near_counts=near_counts, near_lengths=near_lengths)


def corpus_of(occurrences: Occurrences) -> Corpus:
    """The statistics of all rows, from all rows."""
    rows = len(occurrences.lengths)
    return Corpus(
        rows=rows,
        mean_length=float(occurrences.lengths.mean()) if rows else 0.0,
        mean_near_length=float(occurrences.near_lengths.mean()) if rows else 0.0,
        row_frequencies=(occurrences.counts > 0).sum(axis=0).astype(np.float64),
    )


def keyword_scores(*, occurrences: Occurrences, corpus: Corpus) -> Floats:
    """The score of each row by its own terms: (rows,), 0 without a match."""
    return _scores(occurrences.counts, occurrences.lengths, corpus.mean_length, corpus)


def neighbour_scores(*, occurrences: Occurrences, corpus: Corpus) -> Floats:
    """The score of each row by its own and its neighbours' terms: (rows,), 0 without a match."""
    return _scores(occurrences.near_counts, occurrences.near_lengths, corpus.mean_near_length, corpus)


def _scores(counts: Floats, lengths: Floats, mean_length: float, corpus: Corpus) -> Floats:
    scores = np.zeros(len(lengths))
    matching = counts.any(axis=1)
    if not matching.any():
        return scores
    found = counts[matching]
    idf = np.log1p((corpus.rows - corpus.row_frequencies + 0.5) / (corpus.row_frequencies + 0.5))
    # A row with a match has terms, so the mean length is above 0 here.
    norm = K1 * (1 - B + B * lengths[matching] / mean_length)
    scores[matching] = (idf * found * (K1 + 1) / (found + norm[:, None])).sum(axis=1)
    return scores


def _session_codes(sessions: Sequence[str | None]) -> NDArray[np.int64]:
    """A number for each session; rows without one get a number of their own each, so that they neighbour nothing."""
    known: dict[str, int] = {}
    codes = (
        -row if session is None else known.setdefault(session, len(known)) for row, session in enumerate(sessions, 1)
    )
    return np.fromiter(codes, np.int64, len(sessions))
