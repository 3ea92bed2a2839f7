"""Two or three other wordings of a statement for the keyword arm, from a table: "爱吃辣" is found by 川菜.

An expansion is never shown; it only makes a statement findable. What a statement denies is not expanded into what it
denies: 不吃辣 is found by 清淡, not by 川菜.
"""

from __future__ import annotations

from typing import Final

from memplane.domain.extraction.synonyms import SYNONYMS
from memplane.domain.text import fold

MAX_EXPANSIONS: Final = 3
_READ_CHARACTERS: Final = 400


def expansions_of(text: str) -> tuple[str, ...]:
    """At most ``MAX_EXPANSIONS`` other wordings of what ``text`` is about; none that it holds already."""
    read = text[:_READ_CHARACTERS]
    folded = fold(read)
    found: dict[str, None] = {}
    matched = [
        words for pattern, words, unless in SYNONYMS if pattern.search(read) and not (unless and unless.search(read))
    ]
    # One word of each thing in turn, so that a text about two things is found by both.
    for rank in range(max(map(len, matched), default=0)):
        for words in matched:
            if rank < len(words) and fold(words[rank]) not in folded:
                found.setdefault(words[rank])
    return tuple(found)[:MAX_EXPANSIONS]
