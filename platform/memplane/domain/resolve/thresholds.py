"""How close two vectors must be before two texts may be the same, for each generation.

A cosine means nothing outside its own embedding space, so each generation has a value of its own, measured on
labelled pairs by ``tests/bench/calibrate_duplicates.py``. The value only nominates: equal anchors and equal wording
decide (``touch``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from memplane.domain.ids import GenerationId

UNCALIBRATED: Final = 0.92
"""Duplicate threshold of a generation that nobody has measured."""

# multilingual-e5-small, int8: best mean F1 over LCQMC, BUSTM and MSRP (1,500 pairs each), see docs/resolve.md.
CALIBRATED: Final[Mapping[GenerationId, float]] = MappingProxyType({GenerationId("g1974ab6fb989"): 0.930})


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The limits of one resolve."""

    duplicate: float = UNCALIBRATED
    """Cosine that a near duplicate must exceed (strictly)."""
    generation: GenerationId | None = None
    calibrated: bool = field(default=False)
    """Whether ``duplicate`` was measured for this generation."""

    def near(self, similarity: float | None) -> bool:
        """Whether a cosine lies strictly above the duplicate threshold; None never does."""
        return similarity is not None and round(similarity, 6) > self.duplicate


def thresholds_for(generation: GenerationId | None) -> Thresholds:
    """The thresholds of a generation: measured ones where there are some, else ``UNCALIBRATED``."""
    value = CALIBRATED.get(generation) if generation is not None else None
    return Thresholds(
        duplicate=UNCALIBRATED if value is None else value, generation=generation, calibrated=value is not None
    )
