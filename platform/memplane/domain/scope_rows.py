"""The rows of one scope as columns: what a store hands to the ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from memplane.domain.ids import MemoryId

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TermStatistics:
    """What BM25 knows of all visible rows of the scope. ``row_frequencies``: (terms,), in how many rows each term
    stands.
    """

    rows: int
    mean_length: float
    row_frequencies: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScopeRows:
    """Visible rows in order of (session, event time, version): n of them, for a query of q distinct terms.

    ``sessions``, (n,): equal numbers are one session; a row without a session has a number of its own. ``places``,
    (n,): the row's place in its session, so that gaps show when only some rows were read. ``lengths``, (n,): terms of
    the row, at least 1. ``counts``, (n, q): how often each query term stands in the row. ``similarities``, (n,): cosine
    with the query, NaN for a row without a vector; ``None`` when the dense arm is off. ``speakers``, n of them: who
    said it, case-folded, or empty. ``is_question``, ``has_time``, (n,): see :mod:`memplane.domain.traits`. ``is_fact``,
    (n,): exact keyed values, which words find and vectors never do.
    """

    memory_ids: tuple[MemoryId, ...]
    sessions: Integers
    places: Integers
    lengths: Floats
    counts: Floats
    similarities: Floats | None
    speakers: tuple[str, ...]
    is_question: Flags
    has_time: Flags
    is_fact: Flags
    statistics: TermStatistics

    def __len__(self) -> int:
        """How many rows."""
        return len(self.memory_ids)

    def only(self, chosen: Flags) -> ScopeRows:
        """The chosen rows; the statistics stay those of all."""
        return replace(
            self,
            memory_ids=tuple(self.memory_ids[place] for place in np.flatnonzero(chosen)),
            sessions=self.sessions[chosen],
            places=self.places[chosen],
            lengths=self.lengths[chosen],
            counts=self.counts[chosen],
            similarities=None if self.similarities is None else self.similarities[chosen],
            speakers=tuple(self.speakers[place] for place in np.flatnonzero(chosen)),
            is_question=self.is_question[chosen],
            has_time=self.has_time[chosen],
            is_fact=self.is_fact[chosen],
        )
