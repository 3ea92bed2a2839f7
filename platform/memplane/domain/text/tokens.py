"""Our tokens: the one function that turns text into the terms of the keyword arm, on write and on query alike.

Scripts are told apart character by character, so an identifier next to ideographs needs no space
("订单ORD-1已付款"). Han runs give jieba's words and every single character, kana and Hangul runs single characters and
pairs: a query of one word or one character finds the row whatever the segmentation said. `term_weight` tells a
ranking that single characters are weak evidence.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from memplane.domain.text.latin import COMPOUND, compound_tokens, iso_date, stem
from memplane.domain.text.lexicon import STOP_WORDS
from memplane.domain.text.normalise import fold, is_cjk
from memplane.domain.text.segment import segment_han

MAX_CHARACTERS: Final = 20_000
"""Characters of a text that are read; what follows has no tokens."""
MAX_TOKENS: Final = 4_096
"""Tokens a text may have; what follows is cut."""
MAX_TOKEN_LENGTH: Final = 64
"""Characters of a token; a longer one keeps its beginning and gets a digest in place of its end."""
SINGLE_CHARACTER_WEIGHT: Final = 0.25
"""Weight of a single CJK character in a query that also has longer tokens."""

_DIGEST_LENGTH = 16
_HAN = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af"
_KANA = r"\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HANGUL = r"\u1100-\u11ff\uac00-\ud7a3"
# Thai, Lao, Myanmar and Khmer are written without spaces between words as well.
_UNSPACED = r"\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
_PIECE = re.compile(
    rf"(?P<date>\d{{4}}年\d{{1,2}}月\d{{1,2}}[日号]?)"
    rf"|(?P<latin>{COMPOUND})"
    rf"|(?P<han>[{_HAN}]+)"
    rf"|(?P<pairs>[{_KANA}]+|[{_HANGUL}]+|[{_UNSPACED}]+)"
    rf"|(?P<other>[^\x00-\x7f\s\u00a1-\u00bf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f\ufffd{_HAN}{_KANA}{_HANGUL}{_UNSPACED}]+)"
)
_DIGITS = re.compile(r"\d+")


def tokenize(text: str) -> list[str]:
    """Return the tokens of `text` in reading order, repetitions kept (they are the term frequencies).

    Every token is valid UTF-8 of 1 to `MAX_TOKEN_LENGTH` characters without white space. Stop words are dropped
    unless the text has nothing else. Never raises; a text without letters, digits or symbols has no tokens.
    """
    folded = fold(text[:MAX_CHARACTERS])[:MAX_CHARACTERS]
    kept: list[str] = []
    stopped: list[str] = []
    for token in _pieces(folded):
        if token in STOP_WORDS:
            if len(stopped) < MAX_TOKENS:
                stopped.append(token)
            continue
        kept.append(_bounded(_stemmed(token)))
        if len(kept) == MAX_TOKENS:
            break
    return kept or [_bounded(token) for token in stopped]


def query_terms(text: str) -> dict[str, float]:
    """Return the distinct tokens of a query with their weights, in reading order: the query side of a keyword score."""
    tokens = list(dict.fromkeys(tokenize(text)))
    if all(_is_single_cjk(token) for token in tokens):
        return dict.fromkeys(tokens, 1.0)
    return {token: term_weight(token) for token in tokens}


def term_weight(token: str) -> float:
    """Return how much a shared token says, 0 to 1: single CJK characters are parts of unrelated words too."""
    return SINGLE_CHARACTER_WEIGHT if _is_single_cjk(token) else 1.0


def _pieces(folded: str) -> Iterator[str]:
    """Yield the unstemmed, unbounded tokens of a folded text."""
    for match in _PIECE.finditer(folded):
        piece = match[0]
        match match.lastgroup:
            case "latin":
                yield from compound_tokens(piece)
            case "han":
                yield from _han_tokens(piece)
            case "pairs":
                yield from _pair_tokens(piece)
            case "date":
                year, month, day = _DIGITS.findall(piece)
                yield from (iso_date(year, month, day), year)
            case _:
                yield from _other_tokens(piece)


def _han_tokens(run: str) -> Iterator[str]:
    yield from (word for word in segment_han(run) if len(word) > 1)
    yield from run


def _pair_tokens(run: str) -> Iterator[str]:
    yield from run
    yield from (run[index : index + 2] for index in range(len(run) - 1))


def _other_tokens(run: str) -> Iterator[str]:
    """Yield the words of other alphabets, and symbols such as emoji one by one."""
    word = ""
    for char in run:
        category = unicodedata.category(char)
        if category[0] in "LNM":
            word += char
            continue
        if word:
            yield word
            word = ""
        if category == "So":
            yield char
    if word:
        yield word


def _stemmed(token: str) -> str:
    return stem(token) if token.isalpha() and not is_cjk(token[0]) else token


def _is_single_cjk(token: str) -> bool:
    return len(token) == 1 and is_cjk(token)


def _bounded(token: str) -> str:
    if len(token) <= MAX_TOKEN_LENGTH:
        return token
    digest = hashlib.sha256(token.encode("utf-8")).hexdigest()[:_DIGEST_LENGTH]
    return f"{token[: MAX_TOKEN_LENGTH - _DIGEST_LENGTH - 1]}~{digest}"
