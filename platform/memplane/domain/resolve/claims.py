"""The claims that a text makes, by rules, in both languages. What no rule reads makes no claim and contradicts nothing."""

from __future__ import annotations

import functools
from typing import Final

from memplane.domain.resolve import attitudes, dimensions, facts_of_life, states
from memplane.domain.resolve.claim import Claim, Form
from memplane.domain.resolve.wording import clauses_of

_CACHE_SIZE: Final = 8_192
_LONGEST: Final = 400
"""Characters that are read: a statement has 50, and patterns need a bound."""


@functools.lru_cache(maxsize=_CACHE_SIZE)
def claims_of(text: str) -> tuple[Claim, ...]:
    """The claims of ``text`` in reading order, each once. Never raises."""
    cancel = states.elliptic_cancel(text)
    if cancel is not None:
        return (cancel,)
    found: dict[Claim, None] = {}
    for clause in clauses_of(text[:_LONGEST]):
        single = [*dimensions.claims_in(clause), *facts_of_life.claims_in(clause), *states.claims_in(clause)]
        found |= dict.fromkeys(single)
        found |= dict.fromkeys(claim for claim in attitudes.claims_in(clause) if not _covered(claim, single))
    return tuple(found)


def _covered(claim: Claim, single: list[Claim]) -> bool:
    """Whether a liking is already told more exactly: 偏好简短回复 is a length, not a liking of many."""
    return claim.slot == attitudes.TOWARD and any(
        other.form is Form.SINGLE and not other.slot.startswith(("state", "has", "diet")) and other.said and _fits(claim, other)
        for other in single
    )


def _fits(claim: Claim, other: Claim) -> bool:
    return other.said.casefold() in claim.said.casefold() or claim.said.casefold() in other.said.casefold()
