"""Whether a query points at something that it does not name, and how.

Rules only, on a query of a few words. A query counts as pointing when its pointing words are nearly all it says: one
with a subject of its own ("is it safe to travel to Peru", "我买的手机它怎么充不了电") is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memplane.domain import rewriting_words as words
from memplane.domain.mentions import EntityKind
from memplane.domain.text import collapse_whitespace, fold, is_cjk
from memplane.domain.text.lexicon import STOP_WORDS_EN

# A longer query says by itself what it is about.
_MAX_CHARACTERS: Final = 200
_MAX_POINTING_ZH: Final = 22
_MAX_POINTING_WORDS: Final = 10
# What a query may say of its own beside its pointing words before it stands alone.
_MAX_OWN_ZH: Final = 3
_MAX_OWN_WORDS: Final = 2
_MAX_BEFORE_ZH: Final = 8

_WORD: Final = re.compile(r"[a-z0-9\u00c0-\u024f]+(?:'[a-z]+)?")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_NOUN_BEFORE_EN: Final = re.compile(r"\b(?:the|that|my|this) ([a-z]{3,})\s*$")
_ACRONYM: Final = re.compile(r"\bIT\b")
_HAN_RUN: Final = re.compile(r"[\u3400-\u9fff]{1,12}")
_CAPITALISED: Final = re.compile(r"(?<=[a-z,] )(?!I\b)[A-Z][A-Za-z]+")


class Pointing(StrEnum):
    """How a query points."""

    REFERENT = "points at something mentioned"
    LAST_TIME = "points at what was said"
    HABIT = "points at a habit or the last choice"
    ELLIPSIS = "leans on the last question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """How a query points, and what it says of what it points at."""

    how: Pointing
    phrase: str
    """The pointing words, folded."""
    wanted: EntityKind | None = None
    """What can be meant, where the words tell ("那家" a place, "he" a person)."""
    not_wanted: EntityKind | None = None
    """What cannot be meant ("it" no person)."""
    head: str = ""
    """A noun of the query's own that goes with it ("报错", "error", the X of "what about X?"); empty: none."""


def pointer_of(query: str, pointing_words: Collection[str] = ()) -> Pointer | None:
    """Return how `query` points, or None where it says itself what it is about.

    `pointing_words` are a tenant's own phrases, matched like those of routing: anywhere in Chinese, as words elsewhere.
    """
    text = collapse_whitespace(fold(query[: _MAX_CHARACTERS + 1]))
    if not text or len(text) > _MAX_CHARACTERS or _speaks_for_itself(text):
        return None
    for phrase in pointing_words:
        folded = collapse_whitespace(fold(phrase))
        if folded and _contains(text, folded):
            return Pointer(how=Pointing.REFERENT, phrase=folded)
    referent = _referent_zh(text) if _HAN.search(text) else _referent_en(text, query)
    return _said_or_usual(text, query) or referent or _ellipsis(text)


def _speaks_for_itself(text: str) -> bool:
    long = len(_HAN.findall(text)) > _MAX_POINTING_ZH or len(_WORD.findall(text)) > _MAX_POINTING_WORDS
    return long or words.OWN_NAME.search(text) is not None


def _said_or_usual(text: str, typed: str) -> Pointer | None:
    for how, pattern in ((Pointing.HABIT, words.HABIT), (Pointing.LAST_TIME, words.LAST_TIME)):
        match = pattern.search(text)
        if match and _little_else(text, match, typed):
            wanted = words.HEAD_KINDS.get(match[0][-1]) if how is Pointing.LAST_TIME else None
            return Pointer(how=how, phrase=match[0], wanted=wanted, head=_head(text, match))
    return None


def _ellipsis(text: str) -> Pointer | None:
    whole = words.ELLIPSIS.fullmatch(text)
    if whole is None:
        return None
    return Pointer(how=Pointing.ELLIPSIS, phrase=whole[0], head=whole["other_zh"] or whole["other_en"] or "")


def _contains(text: str, phrase: str) -> bool:
    if is_cjk(phrase[0]):
        return phrase in text
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None


def _own_zh(text: str) -> str:
    return "".join(_HAN.findall(words.FUNCTION_WORDS_ZH.sub(" ", text)))


def _own_words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if not {word, word.split("'")[0]} & STOP_WORDS_EN]


def _little_else(text: str, match: re.Match[str], typed: str) -> bool:
    """Return whether a query says next to nothing beside its pointing words."""
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    if _HAN.search(text):
        return len(_own_zh(rest)) <= _MAX_OWN_ZH
    return len(_own_words(rest)) <= _MAX_OWN_WORDS and not _CAPITALISED.search(typed)


def _head(text: str, match: re.Match[str]) -> str:
    rest = text[match.end() :]
    if _HAN.search(text):
        return _own_zh(rest)
    own = _own_words(rest)
    before = _NOUN_BEFORE_EN.search(text[: match.start()])
    return own[0] if own else before[1] if before else ""


def _noun_zh(after: str) -> str:
    """Return the Chinese words right behind a demonstrative, up to the first that says nothing of a subject."""
    run = _HAN_RUN.match(after)
    head = words.FUNCTION_WORDS_ZH.split(run[0], maxsplit=1)[0] if run else ""
    return head if len(head) > 1 else ""


def _referent_zh(text: str) -> Pointer | None:
    match = words.REFERENT_ZH.search(text)
    if match is None:
        return None
    before, after = text[: match.start()], text[match.end() :]
    pronoun = match["thing"] or match["somebody"]
    if before.endswith(("的", "我", "我们")) or words.SELF_DESCRIBED_ZH.match(after):
        return None
    if pronoun and _own_zh(before):
        return None
    if not pronoun and (len(before) > _MAX_BEFORE_ZH or len(_own_zh(before)) > _MAX_OWN_ZH - 1 or "的" in before):
        return None
    # "那个,我想问…" hesitates; it does not point.
    if match["measure"] == "个" and re.match(r"[,、…. ]", after) and len(_HAN.findall(after)) > _MAX_OWN_ZH:
        return None
    asks = match["measure"] or match["near"] or match["somebody"] or match["there"] or ""
    return Pointer(
        how=Pointing.REFERENT,
        phrase=match[0],
        wanted=words.HEAD_KINDS.get(asks),
        not_wanted=EntityKind.PERSON if match["thing"] else None,
        head="" if pronoun or match["there"] else _noun_zh(after),
    )


def _referent_en(text: str, typed: str) -> Pointer | None:
    match = words.REFERENT_EN.search(text)
    if match is None:
        return None
    pronoun = match["thing"] or match["somebody"]
    if match["thing"] and (words.EXPLETIVE_EN.search(text) or (_ACRONYM.search(typed) and not typed.isupper())):
        return None
    if pronoun and not words.BEFORE_PRONOUN_EN.fullmatch(text[: match.start()]):
        return None
    if not pronoun and _CAPITALISED.search(typed):
        return None
    asks = match["measure"] or match["near"] or match["plural"] or match["somebody"] or match["there"] or ""
    return Pointer(
        how=Pointing.REFERENT,
        phrase=match[0],
        wanted=words.HEAD_KINDS.get(asks),
        not_wanted=EntityKind.PERSON if match["thing"] or asks == "thing" else None,
        head=match["measure"] if match["measure"] not in (None, "one", "thing") else "",
    )
