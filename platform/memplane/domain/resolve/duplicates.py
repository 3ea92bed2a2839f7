"""Whether a statement says what a memory already says.

A cosine only nominates. Equal anchors are needed, and every word that differs must be known to mean the same or to say
nothing: "喜欢苹果" and "喜欢橙子" are closer to each other than many a paraphrase.
"""

from __future__ import annotations

from enum import StrEnum

from memplane.domain.memory import Kind
from memplane.domain.resolve.anchors import anchors
from memplane.domain.resolve.claims import LONGEST
from memplane.domain.resolve.contradiction import Comparison, Relation
from memplane.domain.resolve.places import is_known_place
from memplane.domain.resolve.thresholds import Thresholds
from memplane.domain.resolve.wording import wording_of
from memplane.domain.text import fold, normalise_for_hash

_LEFT_OVER = 1
"""Content words that may differ on each side where both claim the same of one slot."""


class Sameness(StrEnum):
    """How much of a statement is already stored."""

    DIFFERENT = "different"
    SAME_TEXT = "same_text"
    """Equal under ``normalise_for_hash``."""
    NEAR = "near_duplicate"
    """Another wording of the same."""
    MORE = "adds_detail"
    """All of the memory, and more."""


def sameness(  # noqa: PLR0911 (one answer a line reads best)
    new: str, stored: str, *, kind: Kind, stored_kind: Kind, similarity: float | None, thresholds: Thresholds,
    comparison: Comparison,
) -> Sameness:  # fmt: skip
    """How much of the text ``new`` the memory ``stored`` already says. Other kinds are always different."""
    if kind is not stored_kind:
        return Sameness.DIFFERENT
    if normalise_for_hash(new) == normalise_for_hash(stored):
        return Sameness.SAME_TEXT
    if max(len(new), len(stored)) > LONGEST:
        return Sameness.DIFFERENT
    agree = comparison.relation is Relation.AGREE
    if not agree and (comparison.relation is not Relation.UNRELATED or not thresholds.near(similarity)):
        return Sameness.DIFFERENT
    mine, theirs = wording_of(new).units, wording_of(stored).units
    equal_anchors = anchors(new) == anchors(stored)
    if thresholds.near(similarity) and equal_anchors and may_be_same(new, stored, agree=agree):
        return Sameness.NEAR
    if agree and theirs < mine and _keeps_anchors(new, stored):
        return Sameness.MORE
    return Sameness.DIFFERENT


def may_be_same(new: str, stored: str, *, agree: bool = False) -> bool:
    """Whether two texts say the same words, synonyms folded and names in the same order.

    Where both are known to claim the same of one slot (``agree``), ``new`` may say less, or one word otherwise.
    """
    mine, theirs = wording_of(new).units, wording_of(stored).units
    added, missing = mine - theirs, theirs - mine
    if not added and not missing:
        return _names_in_order(new) == _names_in_order(stored)
    return agree and (not added or (bool(missing) and max(len(added), len(missing)) <= _LEFT_OVER))


def _names_in_order(text: str) -> list[str]:
    """Names and known places as they follow each other: "from Rome to Paris" is not the way back."""
    folded = fold(text)
    found = {
        name
        for name in anchors(text).names | wording_of(text).units
        if name in anchors(text).names or is_known_place(name)
    }
    return sorted((name for name in found if name in folded), key=folded.index)


def _keeps_anchors(new: str, stored: str) -> bool:
    """Whether nothing exact of the memory is missing from the statement, and none denies more than the other."""
    mine, theirs = anchors(new), anchors(stored)
    return (
        theirs.numbers <= mine.numbers
        and theirs.ids <= mine.ids
        and theirs.dates <= mine.dates
        and theirs.quoted <= mine.quoted
        and theirs.names <= mine.names
        and theirs.negation == mine.negation
    )
