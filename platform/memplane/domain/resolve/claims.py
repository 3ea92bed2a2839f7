"""The claims that a text makes, by rules, in both languages. What no rule reads claims and contradicts nothing."""

from __future__ import annotations

import functools
import re
from typing import Final

from memplane.domain.resolve import attitudes, dimensions, facts_of_life, states
from memplane.domain.resolve.claim import Claim, Form
from memplane.domain.resolve.wording import clauses_of
from memplane.domain.traits import is_question

_CACHE_SIZE: Final = 8_192
LONGEST: Final = 400
"""Characters of a text that makes claims: a statement has 50; what is longer is no single statement."""
_LONGEST_CLAUSE: Final = 120
"""Characters of a clause that is read: the patterns take time that grows faster than the clause."""
_SUPPOSED: Final = re.compile(r"^(?:如果|要是|假如|万一|除非|if\b|unless\b|in case\b|suppose\b)", re.IGNORECASE)


@functools.lru_cache(maxsize=_CACHE_SIZE)
def claims_of(text: str) -> tuple[Claim, ...]:
    """The claims of ``text`` in reading order, each once. Never raises; questions and long texts claim nothing."""
    if len(text) > LONGEST or is_question(text):
        return ()
    cancel = states.elliptic_cancel(text)
    if cancel is not None:
        return (cancel,)
    found: dict[Claim, None] = {}
    for clause in clauses_of(text):
        if len(clause) > _LONGEST_CLAUSE or _SUPPOSED.match(clause):
            continue
        single = [*dimensions.claims_in(clause), *facts_of_life.claims_in(clause), *states.claims_in(clause)]
        found |= dict.fromkeys(single)
        found |= dict.fromkeys(claim for claim in attitudes.claims_in(clause) if not _covered(claim, single))
    return tuple(found)


def _covered(claim: Claim, single: list[Claim]) -> bool:
    """Whether a liking is already told more exactly: 偏好简短回复 is a length, not a liking of many."""
    return claim.slot == attitudes.TOWARD and any(
        other.form is Form.SINGLE
        and not other.slot.startswith(("state", "has", "diet"))
        and other.said
        and _fits(claim, other)
        for other in single
    )


def _fits(claim: Claim, other: Claim) -> bool:
    return other.said.casefold() in claim.said.casefold() or claim.said.casefold() in other.said.casefold()
