"""What an arm proposes, before anything is verified."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memplane.domain.ids import MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A row that an arm proposes.

    ``similarity``: cosine with the query, ``None`` when not asked for or without a vector. ``keyword``: BM25 of the
    row's own terms with the scope's own document frequencies, 0 without a match. ``neighbour_keyword``: the same over
    the rows within two places in the same session (its own included).
    """

    memory_id: MemoryId
    version: int
    similarity: float | None
    keyword: float
    neighbour_keyword: float
    session_id: str | None
    event_time: datetime
