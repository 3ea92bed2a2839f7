"""A tenant's own words for extraction, besides the built-in lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionWords:
    """Words found anywhere in a clause, in any case. They add to the built-in ones and never take any away."""

    explicit: tuple[str, ...] = ()
    """Marks of an instruction to remember; what follows the word is the statement."""
    preference: tuple[str, ...] = ()
    """Verbs of liking; what follows the word is what is liked."""
    dislike: tuple[str, ...] = ()
    """Verbs of disliking."""
    decision: tuple[str, ...] = ()
    """Words that make a clause a decision."""
    change: tuple[str, ...] = ()
    """Words of change, listed in a statement's ``change_words``."""


NO_EXTRA_WORDS: Final = ExtractionWords()
