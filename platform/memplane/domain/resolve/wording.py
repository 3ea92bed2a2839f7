"""What a statement says, without how it says it: content words with synonyms folded, and what is denied.

The comparison behind duplicates and opposites. A cosine cannot tell apples from oranges or 喜欢 from 不喜欢; a set of
words can.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Final

from memplane.domain.resolve import lexicon
from memplane.domain.text import fold, is_cjk, tokenize
from memplane.domain.text.latin import stem
from memplane.domain.text.segment import segment_han

_HAN_OR_LATIN: Final = re.compile(r"[\u3400-\u9fff]+|[^\u3400-\u9fff]+")
_CLAUSE: Final = re.compile(r"[,，;；。!！?？\n]|\.(?!\d)|\bbut\b|\bthough\b|\balthough\b|\bwhile\b|但是?|不过|然而")
_KEPT_PUNCTUATION: Final = re.compile(r"(?<=\d)[,，](?=\d{3})")
_CACHE_SIZE: Final = 8_192


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The content of a text as sets of words (stems for Latin scripts), synonyms folded, light words dropped."""

    units: frozenset[str]
    """Everything it says."""
    denied: frozenset[str]
    """The words that directly follow a negation."""


@functools.lru_cache(maxsize=_CACHE_SIZE)
def wording_of(text: str) -> Wording:
    """The wording of ``text``. Never raises; a text without content words has empty sets."""
    units: set[str] = set()
    denied: set[str] = set()
    for clause in clauses_of(text):
        marked = _NEGATION.sub(_mark, _canonical(fold(clause)))
        parts = marked.split("\x00")
        units.update(*(content_units(part) for part in parts))
        for part in parts[1:]:
            denied.update(content_units(part)[:2])
    return Wording(units=frozenset(units), denied=frozenset(denied))


def clauses_of(text: str) -> list[str]:
    """The clauses of ``text``, in order: cut at punctuation and at words of contrast; never empty strings."""
    joined = _KEPT_PUNCTUATION.sub("", text)
    return [clause.strip() for clause in _CLAUSE.split(joined) if clause and clause.strip()]


def content_units(text: str) -> list[str]:
    """The content words of a text in reading order, light words dropped."""
    words: list[str] = []
    for run in _HAN_OR_LATIN.findall(_canonical(fold(text))):
        words += segment_han(run) if is_cjk(run[0]) else [word for word in tokenize(run) if word]
    kept = [word for word in words if word not in _LIGHT]
    return [_stemmed(word) for word in kept]


def is_negated(text: str) -> bool:
    """Whether the text denies anything (不, 没, not, no longer, …); dislike counts as denial."""
    return any(match["kept"] is None for match in _NEGATION.finditer(fold(text)))


def phrase(text: str) -> str:
    """The folded text with every known wording replaced by the one that stands for its group."""
    return _canonical(fold(text))


def antonyms(one: str, other: str) -> bool:
    """Whether two content words exclude each other."""
    return frozenset((one, other)) in _ANTONYMS


def _mark(match: re.Match[str]) -> str:
    return f" {match[0]} " if match["kept"] else " \x00 "


def _canonical(folded: str) -> str:
    return _SYNONYM.sub(lambda match: _SYNONYM_OF[match[0]], folded)


def _stemmed(word: str) -> str:
    return stem(word) if word.isalpha() and word.isascii() else word


def _groups() -> dict[str, str]:
    mapping: dict[str, str] = {}
    for group in lexicon.SYNONYMS_ZH:
        first, *rest = group.split()
        mapping |= dict.fromkeys((first, *rest), first)
    for group in lexicon.SYNONYMS_EN:
        first, *rest = (word.strip() for word in group.split("|"))
        mapping |= dict.fromkeys((first, *rest), first)
    return mapping


def _alternatives(words: dict[str, str]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word) for word in ordered)


# Disliking is a denial, not a synonym: it must not be folded away before negations are looked for.
_SYNONYM_OF: Final = {
    word: first
    for word, first in _groups().items()
    if first not in {"讨厌", "hate"} and not word.startswith(("doesn't", "does not", "不"))
}
_SYNONYM: Final = re.compile(_alternatives(_SYNONYM_OF))
_NEGATION: Final = re.compile(
    rf"(?P<kept>{lexicon.NOT_NEGATING_ZH}|{lexicon.NOT_NEGATING_EN})"
    rf"|{lexicon.NEGATORS_ZH}|讨厌|厌恶|反感|受不了|戒了?掉?|{lexicon.NEGATORS_EN}"
    r"|\b(?:hate|dislike|detest|avoid|refuse|stop|quit)(?:s|d|ped|ting)?\b"
)
_LIGHT: Final = lexicon.LIGHT_ZH | lexicon.LIGHT_EN | frozenset(stem(word) for word in lexicon.LIGHT_EN)
_ANTONYMS: Final = frozenset(
    frozenset(_stemmed(_SYNONYM_OF.get(word, word)) for word in pair.split("/")) for pair in lexicon.ANTONYMS.split()
)
