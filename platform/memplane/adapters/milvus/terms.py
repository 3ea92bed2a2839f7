"""Our tokens as the text that Milvus's ``standard`` analyzer takes apart into exactly those tokens again.

That analyzer splits at every character that is neither letter nor digit (``ord-1`` would be two tokens), and on a
server it splits ideographs one by one while Milvus Lite keeps them together. So a token that is anything but
lower-case ASCII letters and digits travels as ``x`` and its base32, which no analyzer takes apart; a plain token that
starts with ``x`` does as well, so that no two tokens meet in one.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Final

from memplane.adapters.milvus.fields import MAX_TERMS_BYTES

_PLAIN: Final = re.compile(r"[a-wyz0-9][a-z0-9]*")
_MARK: Final = "x"
NO_TERMS: Final = _MARK
"""What a row without terms holds: a token that no query can hold, since Milvus dislikes documents without any."""


def encode_term(term: str) -> str:
    """One token of lower-case ASCII letters and digits for one of ours; different tokens give different ones."""
    if _PLAIN.fullmatch(term):
        return term
    raw = term.encode("utf-8", "surrogatepass")
    return _MARK + base64.b32encode(raw).decode().rstrip("=").lower()


def encode_terms(terms: Iterable[str], *, max_bytes: int = MAX_TERMS_BYTES) -> str:
    """The text of a row or a query. Whole tokens are left out at the end once ``max_bytes`` are reached; empty ones
    always.
    """
    kept: list[str] = []
    size = 0
    for term in terms:
        if not term:
            continue
        token = encode_term(term)
        size += len(token) + 1
        if size - 1 > max_bytes:
            break
        kept.append(token)
    return " ".join(kept)
