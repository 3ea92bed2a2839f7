"""From the answers of the search queries to the columns of ``domain.scope_rows``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from memplane.adapters.clickhouse.client import QueryRows
from memplane.adapters.clickhouse.memory_rows import access_of, memory_of
from memplane.domain.clock import to_millis
from memplane.domain.ids import MemoryId
from memplane.domain.memory import MemoryAccess
from memplane.domain.results import StoredMemory
from memplane.domain.scope_rows import Floats, Integers, ScopeRows, TermStatistics


class Cosines:
    """Cosines by text key: a 64-bit hash of memory id and text, so that old texts' vectors meet no row."""

    def __init__(self, text_keys: Sequence[int], cosines: Sequence[float]) -> None:
        keys = np.array(text_keys, np.uint64)
        order = np.argsort(keys)
        self._keys = keys[order]
        # Rounding of single precision may pass the ends.
        self._cosines = np.clip(np.array(cosines, np.float64)[order], -1.0, 1.0)

    def of(self, text_keys: Sequence[int]) -> Floats:
        """The cosine of each text, NaN for one without a vector."""
        wanted = np.array(text_keys, np.uint64)
        if not len(self._keys):
            return np.full(len(wanted), np.nan)
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return np.where(self._keys[places] == wanted, self._cosines[places], np.nan)


class WholeRows:
    """The answer of ``search_full``: columns for the ranking, memories for what it chooses."""

    def __init__(self, rows: QueryRows, uses: QueryRows) -> None:
        self._rows = rows
        self._uses = uses
        self._place = {name: place for place, name in enumerate(rows.columns)}

    def packed(self) -> dict[str, Any]:
        """The columns as ``search_scope`` packs them."""
        hits = self._column("hits")
        return {
            "memory_ids": self._column("memory_id"),
            "versions": self._column("version"),
            "sessions": [session or "" for session in self._column("session_id")],
            "event_times": [to_millis(moment) for moment in self._column("event_time")],
            "lengths": [len(terms) for terms in self._column("terms")],
            "hit_counts": [len(found) for found in hits],
            "hit_terms": [term for found in hits for term in found],
            "speakers": self._column("speaker"),
            "questions": self._column("is_question"),
            "timed": self._column("has_time"),
            "facts": [kind == "fact" for kind in self._column("kind")],
            "text_keys": self._column("text_key"),
        }

    def memories(self, memory_ids: Sequence[MemoryId]) -> list[StoredMemory]:
        """The memories of ``memory_ids`` that are among the rows, each once, in the order given."""
        wanted = dict.fromkeys(memory_ids)
        if not self._rows.rows:
            return []
        names, place = self._rows.columns, self._place["memory_id"]
        found = {
            MemoryId(row[place]): memory_of(dict(zip(names, row, strict=True)))
            for row in self._rows.rows
            if row[place] in wanted
        }
        uses = {row["memory_id"]: access_of(row) for row in self._uses.dicts() if row["memory_id"] in wanted}
        return [
            StoredMemory(memory=found[memory_id], access=uses.get(memory_id, MemoryAccess()))
            for memory_id in wanted
            if memory_id in found
        ]

    def _column(self, name: str) -> list[Any]:
        if not self._rows.rows:
            return []  # an answer without rows has no names either
        place = self._place[name]
        return [row[place] for row in self._rows.rows]


def rows_of(
    packed: Mapping[str, Any], *, terms: int, cosines: Cosines | None, statistics: TermStatistics | None = None
) -> ScopeRows:
    """The rows in order of (session, event time, version). ``statistics``: of all rows, when these are some."""
    counts, lengths = _counts(packed, terms=terms), np.array(packed["lengths"], np.float64)
    sessions = _session_codes(packed["sessions"])
    versions, times = np.array(packed["versions"], np.uint64), np.array(packed["event_times"], np.int64)
    order = np.lexsort((versions, times, sessions))
    places = np.array(packed["places"], np.int64)[order] if "places" in packed else _places(sessions[order])
    ids, speakers, facts = packed["memory_ids"], packed["speakers"], np.array(packed["facts"], np.bool_)
    similarities = None
    if cosines is not None:
        similarities = np.where(facts, np.nan, cosines.of(packed["text_keys"]))[order]
    return ScopeRows(
        memory_ids=tuple(MemoryId(ids[row]) for row in order),
        sessions=sessions[order],
        places=places,
        lengths=np.maximum(lengths[order], 1.0),
        counts=counts[order],
        similarities=similarities,
        speakers=tuple(speakers[row] for row in order),
        is_question=np.array(packed["questions"], np.bool_)[order],
        has_time=np.array(packed["timed"], np.bool_)[order],
        is_fact=facts[order],
        statistics=statistics or _statistics(counts, lengths),
    )


def _statistics(counts: Floats, lengths: Floats) -> TermStatistics:
    return TermStatistics(
        rows=len(lengths),
        mean_length=float(lengths.mean()) if len(lengths) else 0.0,
        row_frequencies=(counts > 0).sum(axis=0).astype(np.float64),
    )


def _counts(packed: Mapping[str, Any], *, terms: int) -> Floats:
    """(rows, terms) out of each row's list of the 1-based terms that it holds."""
    rows = len(packed["memory_ids"])
    owners = np.repeat(np.arange(rows), np.array(packed["hit_counts"], np.int64))
    cells = owners * terms + np.array(packed["hit_terms"], np.int64) - 1
    return np.bincount(cells, minlength=rows * terms).reshape(rows, terms).astype(np.float64)


def _session_codes(sessions: Sequence[str]) -> Integers:
    """A number for each session; rows without one (empty) get numbers of their own."""
    codes: dict[str, int] = {}
    return np.array(
        [codes.setdefault(name, len(codes)) if name else -1 - row for row, name in enumerate(sessions)], np.int64
    )


def _places(sessions: Integers) -> Integers:
    """0, 1, 2, … within each run of equal numbers."""
    rows = np.arange(len(sessions))
    starts = np.flatnonzero(np.diff(sessions, prepend=np.iinfo(np.int64).min))
    return rows - np.repeat(starts, np.diff(starts, append=len(sessions)))
