"""How many model tokens a text takes, cheaply.

An estimate from character classes, on the safe side for the common BPE tokenizers: a CJK character counts 1, other
scripts one token per four characters, at least one per word. A tokenizer by model name may replace it where exact
budgets matter.
"""

from __future__ import annotations

import math
import re
from typing import Final

from memplane.domain.text import is_cjk

CHARACTERS_PER_TOKEN: Final = 4
_WORD = re.compile(r"\w+|[^\w\s]")


def count_tokens(text: str) -> int:
    """Estimated tokens of ``text``."""
    wide = sum(1 for character in text if is_cjk(character))
    narrow = "".join(" " if is_cjk(character) else character for character in text)
    return wide + sum(math.ceil(len(word) / CHARACTERS_PER_TOKEN) for word in _WORD.findall(narrow))
