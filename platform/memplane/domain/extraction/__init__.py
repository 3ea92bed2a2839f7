"""Extraction by rules: from turns and business events to statements worth keeping. Pure; the same on every drive."""

from memplane.domain.extraction.expansions import expansions_of
from memplane.domain.extraction.presets import PRESETS, WantedSort, unwanted
from memplane.domain.extraction.reading import Trigger
from memplane.domain.extraction.rules import extract
from memplane.domain.extraction.words import NO_EXTRA_WORDS, ExtractionWords
from memplane.domain.extraction.worth import importance_of

__all__ = [
    "NO_EXTRA_WORDS",
    "PRESETS",
    "ExtractionWords",
    "Trigger",
    "WantedSort",
    "expansions_of",
    "extract",
    "importance_of",
    "unwanted",
]
