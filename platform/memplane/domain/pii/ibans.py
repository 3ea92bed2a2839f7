"""International bank account numbers, by their check digits (ISO 13616, through python-stdnum)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stdnum import iban

from memplane.domain.pii.spans import Found, last_four

_CANDIDATE: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}+(?: ?[A-Z0-9]{1,3})?+")


def find_ibans(text: str) -> Iterator[Found]:
    """Yield accounts written in one piece or in groups of four."""
    for match in _CANDIDATE.finditer(text):
        end = match.end()
        # Upper-case words behind the number look like more groups: shorten group by group.
        while end > match.start() and not (
            _ends_word(text, end) and iban.is_valid(text[match.start() : end], check_country=False)
        ):
            end = text.rfind(" ", match.start(), end)
        if end > match.start():
            yield Found(match.start(), end, last_four(text[match.start() : end]))


def _ends_word(text: str, end: int) -> bool:
    following = text[end : end + 1]
    return not (following.isascii() and following.isalnum())
