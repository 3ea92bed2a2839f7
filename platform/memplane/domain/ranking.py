"""Fusing what the arms found into one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memplane.domain.candidates import Candidate
from memplane.domain.ids import MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A candidate with its fused relevance in 0..1 and the arms that found it."""

    memory_id: MemoryId
    relevance: float
    arms: tuple[str, ...]


def rank(candidates: Sequence[Candidate], *, text: str) -> list[Ranked]:
    """provisional"""
    best = max((c.keyword for c in candidates), default=0) or 1
    near = max((c.neighbour_keyword for c in candidates), default=0) or 1
    out = []
    for c in candidates:
        d = 0.0 if c.similarity is None else min(1.0, max(0.0, (c.similarity - 0.7) / 0.25))
        arms = tuple(a for a, on in (("dense", c.similarity is not None), ("keyword", c.keyword > 0)) if on)
        out.append(Ranked(memory_id=c.memory_id, relevance=0.4 * d + 0.3 * c.keyword / best + 0.3 * c.neighbour_keyword / near, arms=arms))
    return sorted(out, key=lambda r: (-r.relevance, r.memory_id))
