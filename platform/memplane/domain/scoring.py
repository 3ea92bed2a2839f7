"""The score of a memory under a profile: exact formulas; their worked examples are pinned by tests."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Final

from memplane.domain.queries import Profile, Weights
from memplane.domain.results import ScoreParts, StoredMemory

RECENCY_TAU: Final = timedelta(days=7)
STEP_FLAT: Final = timedelta(days=7)
STEP_TAU: Final = timedelta(days=30)
FREQUENCY_SATURATION: Final = 21
"""Recalls, plus one, at which frequency reaches 1."""


def recency(moment: datetime, *, now: datetime, tau: timedelta = RECENCY_TAU) -> float:
    """exp(−max(0, now − t)/τ): 1 for now and the future, 0.3679 at τ."""
    return math.exp(-max(0.0, (now - moment) / tau))


def frequency(recalls: int) -> float:
    """min(1, ln(1 + n)/ln(21)): 0 for never, 1 from 20 recalls on."""
    return min(1.0, math.log1p(max(0, recalls)) / math.log(FREQUENCY_SATURATION))


def step_weight(age: timedelta) -> float:
    """1 up to 7 days, then exp(−(age − 7 d)/30 d)."""
    return math.exp(-max(0.0, (age - STEP_FLAT) / STEP_TAU))


def parts_of(
    stored: StoredMemory, *, relevance: float, profile: Profile, now: datetime, tau: timedelta = RECENCY_TAU
) -> ScoreParts:
    """The parts of a score.

    Recency counts from the later of last use and the memory's own time (for imported history that is when it happened);
    in ``fresh`` from ``updated_at``, which a touch refreshes.
    """
    memory, last_used = stored.memory, stored.access.last_accessed_at
    moment = memory.updated_at if profile is Profile.FRESH else memory.event_time
    if profile is not Profile.FRESH and last_used is not None:
        moment = max(moment, last_used)
    return ScoreParts(
        relevance=relevance,
        importance=memory.importance,
        recency=recency(moment, now=now, tau=tau),
        frequency=frequency(stored.access.access_count),
    )


def score(parts: ScoreParts, *, profile: Profile, age: timedelta = timedelta(0)) -> float:
    """The score in 0..1. ``age`` matters to ``stepped`` only."""
    if profile is Profile.BALANCED:
        return 0.4 * parts.relevance + 0.3 * parts.importance + 0.2 * parts.recency + 0.1 * parts.frequency
    if profile is Profile.FRESH:
        return 0.5 * parts.relevance + 0.3 * parts.recency + 0.2 * parts.importance
    if profile is Profile.STEPPED:
        return parts.relevance * step_weight(age)
    return parts.relevance


def weighted_score(parts: ScoreParts, weights: Weights) -> float:
    """The mean of the parts under a caller's own weights, in 0..1."""
    total = weights.relevance + weights.importance + weights.recency + weights.frequency
    given = (
        weights.relevance * parts.relevance
        + weights.importance * parts.importance
        + weights.recency * parts.recency
        + weights.frequency * parts.frequency
    )
    return given / total
