"""Fusing what the arms found into one order.

A sum of z-scores over the rows of the scope: BM25 of a row with its neighbours in the session, cosine alone and
averaged over neighbours, and a few traits of statements. z-scores were chosen over reciprocal ranks because they keep
how far apart rows are; the constants were fitted on one half of public conversations and checked on the other
(``docs/evaluation.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from memplane.domain.ids import MemoryId
from memplane.domain.scope_rows import Flags, Floats, ScopeRows, TermStatistics
from memplane.domain.traits import asks_when, names

K1: Final = 0.8
B_OWN: Final = 0.5
B_WINDOW: Final = 0.9
PREVIOUS_WEIGHT: Final = 0.4
WINDOW_WEIGHT: Final = 1.0
WINDOW_REACH: Final = 4
DENSE_WEIGHT: Final = 0.4
DENSE_WINDOW_WEIGHT: Final = 0.8
DENSE_WINDOW: Final[Mapping[int, float]] = {0: 1.0, -1: 0.5, 1: 0.5, -2: 0.25, 2: 0.25}
SPEAKER_WEIGHT: Final = 1.5
QUESTION_WEIGHT: Final = -0.8
QUESTION_MAX_TERMS: Final = 25
TIME_WEIGHT: Final = 1.0
USER_WEIGHT: Final = 1.0
"""For what the user said: in a chat with an agent, memories are of the user."""
IDENTIFIER_WEIGHT: Final = 5.0
"""For a row that holds an identifier of the query itself: an order number must come up however low its cosine, and
before its neighbours, which the windows cannot tell from it."""
NEIGHBOUR_TERMS: Final = 40.0
"""A neighbour longer than this counts as if it had so many terms."""
FULL_COVERAGE: Final = 0.35
"""Share of the query's terms that must occur in the scope for its words to count in full: in another language none
do.
"""
LONG_FROM: Final = 40.0
LONG_SPAN: Final = 100.0
"""Mean terms of a row from which windows fade, and over which they are gone: documents need no neighbours."""
USER: Final = "user"
ARM_ROWS: Final = 100
"""Rows that count as found by an arm."""
EVIDENCE_ROWS: Final = 10
"""The best rows whose own evidence says how relevant the best of them is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What a cosine of this embedding space means: at or below ``unrelated`` nothing, at or above ``same`` all."""

    unrelated: float = 0.76
    same: float = 0.92

    def relevance(self, cosine: float) -> float:
        """A cosine as 0..1."""
        return min(1.0, max(0.0, (cosine - self.unrelated) / (self.same - self.unrelated)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A row with its relevance in 0..1 and the arms that found it."""

    memory_id: MemoryId
    relevance: float
    arms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueryTerms:
    """The terms of a query, by the columns of ``ScopeRows.counts``: weights, (q,), and which are identifiers, (q,)."""

    weights: Floats
    is_identifier: Flags

    @classmethod
    def of(cls, weighted: Mapping[str, float]) -> QueryTerms:
        """From :func:`memplane.domain.text.query_terms`. Two characters or more with a digit are an identifier."""
        return cls(
            weights=np.array(list(weighted.values()), np.float64),
            is_identifier=np.array([len(term) > 1 and any(map(str.isdigit, term)) for term in weighted], np.bool_),
        )


def rank(rows: ScopeRows, *, text: str, terms: QueryTerms, calibration: Calibration) -> list[Ranked]:
    """Rows that an arm found, best first; ties in order of memory id. Facts are :func:`rank_facts`'s.

    Relevance is the fused score between the scope's mean (0) and its best row, which stands as high as its own
    evidence: the calibrated cosine, or the share of the query's words that it holds. So an unanswerable query
    gives low relevance, whatever its order.
    """
    rows = rows.only(~rows.is_fact)
    if len(rows) == 0:
        return []
    scores = fused_scores(rows, text=text, terms=terms)
    arms = _arms(rows)
    found = [place for place in range(len(rows)) if arms[place]]
    if not found:
        return []
    best = sorted(found, key=lambda place: (-scores[place], rows.memory_ids[place]))
    ceiling = max(_evidence(rows, place, terms.weights, calibration) for place in best[:EVIDENCE_ROWS])
    floor = min(float(scores.mean()), float(scores[best[0]]))
    span = float(scores[best[0]]) - floor
    return [
        Ranked(
            memory_id=rows.memory_ids[place],
            relevance=ceiling * (max(0.0, (float(scores[place]) - floor) / span) if span > 0 else 1.0),
            arms=arms[place],
        )
        for place in best
    ]


def rank_facts(rows: ScopeRows, *, terms: QueryTerms) -> list[Ranked]:
    """Facts that share words with the query, best first: words and keys find them, never vectors.

    Relevance is the share of the query's words that the fact holds, each by its weight and rarity in the scope.
    """
    rows = rows.only(rows.is_fact)
    if not rows.counts.any():
        return []
    rarity = inverse_document_frequencies(rows.statistics) * terms.weights
    shares = (rows.counts > 0) @ rarity / rarity.sum()
    found = sorted(np.flatnonzero(shares > 0).tolist(), key=lambda place: (-shares[place], rows.memory_ids[place]))
    return [
        Ranked(memory_id=rows.memory_ids[place], relevance=min(1.0, float(shares[place])), arms=("fact", "keyword"))
        for place in found
    ]


def fused_scores(rows: ScopeRows, *, text: str, terms: QueryTerms) -> Floats:
    """The fused score of each row, (n,), unbounded, comparable inside one query only."""
    scores = _trait_scores(rows, text)
    damp = np.minimum(1.0, NEIGHBOUR_TERMS / rows.lengths)
    near = _Neighbours(rows)
    if rows.counts.any():
        scores += _keyword_scores(rows, terms.weights, damp, near) + _identifier_scores(rows, terms)
    if rows.similarities is not None:
        cosines = _filled(rows.similarities)
        share = near.weighted(np.ones_like(cosines), damp, DENSE_WINDOW)
        window = near.weighted(cosines, cosines * damp, DENSE_WINDOW) / share
        scores += DENSE_WEIGHT * _standard(cosines) + DENSE_WINDOW_WEIGHT * _standard(window)
    return scores


def bm25(counts: Floats, lengths: Floats, *, mean_length: float, idf: Floats, k1: float, b: float) -> Floats:
    """sum over t of idf(t)·f(t)·(k1 + 1)/(f(t) + k1·(1 − b + b·length/mean length)): (n,). Robertson and Zaragoza
    2009.
    """
    norm = k1 * (1 - b + b * lengths / mean_length)
    scores: Floats = (counts * (k1 + 1) / (counts + norm[:, None])) @ idf
    return scores


def inverse_document_frequencies(statistics: TermStatistics) -> Floats:
    """ln(1 + (N − n(t) + 0.5)/(n(t) + 0.5)) of each term, 0 for terms that no row holds: (q,)."""
    held = statistics.row_frequencies
    idf: Floats = np.where(held > 0, np.log1p((statistics.rows - held + 0.5) / (held + 0.5)), 0.0)
    return idf


def _keyword_scores(rows: ScopeRows, weights: Floats, damp: Floats, near: _Neighbours) -> Floats:
    statistics = rows.statistics
    idf = inverse_document_frequencies(statistics) * weights
    coverage = float(weights[statistics.row_frequencies > 0].sum() / weights.sum())
    long = float(np.clip((statistics.mean_length - LONG_FROM) / LONG_SPAN, 0, 1))
    k1, b_own, b_window = K1 * (1 + long), B_OWN + (1 - B_OWN) * long, B_WINDOW + (1 - B_WINDOW) * long
    scores = np.zeros(len(rows))
    if long < 1:
        counts, lengths = rows.counts * damp[:, None], rows.lengths * damp
        for weight, window, b in (
            (PREVIOUS_WEIGHT, {0: 1.0, -1: 1.0}, b_own),
            (WINDOW_WEIGHT, dict.fromkeys(range(-WINDOW_REACH, WINDOW_REACH + 1), 1.0), b_window),
        ):
            window_lengths = near.weighted(rows.lengths, lengths, window)
            window_counts = near.weighted(rows.counts, counts, window)
            windowed = bm25(
                window_counts, window_lengths, mean_length=float(window_lengths.mean()), idf=idf, k1=k1, b=b
            )
            scores += weight * (1 - long) * _standard(windowed)
    if long > 0:
        own = bm25(rows.counts, rows.lengths, mean_length=statistics.mean_length, idf=idf, k1=k1, b=b_own)
        scores += long * (PREVIOUS_WEIGHT + WINDOW_WEIGHT) * _standard(own)
    return scores * min(1.0, coverage / FULL_COVERAGE)


def _identifier_scores(rows: ScopeRows, terms: QueryTerms) -> Floats:
    """For the rarest of the query's identifiers that a row holds itself: less, the more rows hold it (a year, say)."""
    rarity = np.where(terms.is_identifier, 1 / np.sqrt(np.maximum(1.0, rows.statistics.row_frequencies)), 0.0)
    scores: Floats = IDENTIFIER_WEIGHT * ((rows.counts > 0) * rarity).max(axis=1)
    return scores


def _trait_scores(rows: ScopeRows, text: str) -> Floats:
    speakers = set(rows.speakers)
    named = [speaker for speaker in speakers if names(text, speaker)]
    scores = np.zeros(len(rows))
    if len(named) == 1:
        scores += SPEAKER_WEIGHT * np.array([speaker == named[0] for speaker in rows.speakers])
    only_asks: Flags = rows.is_question & (rows.lengths <= QUESTION_MAX_TERMS)
    scores += QUESTION_WEIGHT * only_asks
    scores += USER_WEIGHT * np.array([speaker == USER for speaker in rows.speakers])
    if asks_when(text):
        scores += TIME_WEIGHT * rows.has_time
    return scores


def _arms(rows: ScopeRows) -> list[tuple[str, ...]]:
    """Which arms found each row: those with its words, and the nearest by cosine."""
    has_words: Flags = np.asarray(rows.counts.any(axis=1))
    is_near = np.zeros(len(rows), dtype=bool)
    if rows.similarities is not None:
        cosines = np.where(np.isnan(rows.similarities), -np.inf, rows.similarities)
        nearest = np.argsort(-cosines, kind="stable")[:ARM_ROWS]
        is_near[nearest[np.isfinite(cosines[nearest])]] = True
    return [
        tuple(name for name, by in (("dense", near), ("keyword", words)) if by)
        for near, words in zip(is_near.tolist(), has_words.tolist(), strict=True)
    ]


def _evidence(rows: ScopeRows, place: int, weights: Floats, calibration: Calibration) -> float:
    """How much the row itself says for its relevance: the better of its cosine and its words."""
    words = float(weights[rows.counts[place] > 0].sum() / weights.sum()) if len(weights) else 0.0
    if rows.similarities is None or np.isnan(rows.similarities[place]):
        return words
    return max(words, calibration.relevance(float(rows.similarities[place])))


class _Neighbours:
    """Sums over rows at given distances in the same session."""

    def __init__(self, rows: ScopeRows) -> None:
        self._beside: dict[int, Flags] = {}
        self._rows = rows

    def weighted(self, own: Floats, others: Floats, window: Mapping[int, float]) -> Floats:
        """``window[0]``·own[j] + sum over d of ``window[d]``·others[j + d]."""
        total = window.get(0, 0.0) * own
        for distance, weight in window.items():
            reach = abs(distance)
            if distance == 0 or reach >= len(own):
                continue
            beside = self._is_beside(reach)
            mask = beside[:, None] if own.ndim == 2 else beside
            if distance < 0:
                total[reach:] += weight * others[:-reach] * mask
            else:
                total[:-reach] += weight * others[reach:] * mask
        return total

    def _is_beside(self, reach: int) -> Flags:
        if reach not in self._beside:
            sessions, places = self._rows.sessions, self._rows.places
            same_session = sessions[reach:] == sessions[:-reach]
            self._beside[reach] = same_session & (places[reach:] - places[:-reach] == reach)
        return self._beside[reach]


def _standard(values: Floats) -> Floats:
    """(x − mean)/standard deviation; zeros when all are alike."""
    spread = values.std()
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros_like(values)


def _filled(similarities: Floats) -> Floats:
    """A row without a vector counts as the least similar one."""
    missing = np.isnan(similarities)
    if not missing.any():
        return similarities
    least = 0.0 if missing.all() else float(np.nanmin(similarities))
    return np.where(missing, least, similarities)
