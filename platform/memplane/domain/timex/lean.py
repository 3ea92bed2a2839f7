"""Whether a sentence looks back or ahead, by its words: enough to tell which Friday is meant."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.timex.values import Prefer

_PAST: Final = re.compile(
    r"\b(?:was|were|did|had|went|been|saw|got|took|made|came|told|said|bought|met|ate|drove|flew|gave|found|felt|knew|left"
    r"|lost|won|wrote|read|ran|spent|spoke|thought|taught|had|happened|ago|yesterday|last|(?!indeed|hundred|exceed|naked)[a-z]{3,}ed)\b"
    r"|了(?![解不])|过(?![年去节敏几期程度])|[昨刚曾]|已经|之前|上[周个次]|去年",
    re.IGNORECASE,
)
_FUTURE: Final = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)?|hop(?:e|ing) to|upcoming|tomorrow|next|scheduled|appointment"
    r"|how about|what about|sound good|looking forward|can't wait|see you|due|deadline|remind|let's|want to|intend"
    r"|about to|booked|until|by)\b|'ll\b"
    r"|将(?![军近])|[^机社开工学聚约员]会(?![议员计话场长])|[需想]?要(?![是求点么])|打算|计划|准备|预计|预定|预订"
    r"|即将|提醒|明[天年日]|下[周个次]|后天|安排|待办",
    re.IGNORECASE,
)


def lean_of(text: str) -> Prefer:
    """``past`` or ``future`` where the words point one way only, else ``nearest``."""
    past, future = _PAST.search(text) is not None, _FUTURE.search(text) is not None
    if past == future:
        return "nearest"
    return "past" if past else "future"
