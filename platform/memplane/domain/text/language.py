"""Which of the two label languages a text is written in, by its script."""

import re
from typing import Literal

from memplane.domain.text.normalise import clean, is_cjk

Language = Literal["zh", "en"]

_MAX_CHARACTERS = 4_000
_LATIN_WORD = re.compile(r"(?<![\w.@/-])[^\W\d_]{2,}(?![\w@/-])")


def language_of(text: str) -> Language:
    """Return `zh` where CJK characters outnumber words of other scripts, else `en`.

    Identifiers, addresses and numbers do not count. Kana and Hangul count as CJK: a label in Chinese
    characters is the nearer one. A text without letters is `en`.
    """
    sample = clean(text[:_MAX_CHARACTERS])
    cjk = sum(map(is_cjk, sample))
    if not cjk:
        return "en"
    words = sum(1 for match in _LATIN_WORD.finditer("".join(" " if is_cjk(char) else char for char in sample)))
    return "zh" if cjk > words else "en"
