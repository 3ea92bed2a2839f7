"""Words, numbers and identifiers in alphabetic scripts.

Plain words are stemmed. Anything with a digit, an underscore, a dot or an at sign inside is an identifier (order
number, error code, version, address, file name): it stays whole, and its parts follow, so that `20250611` finds
`ord-20250611-003`.
"""

import re
import threading
from typing import Final

import Stemmer

# `_WORD` runs are joined by single separators into one compound: "ord-1", "a.b@c.de", "https://x.y/z?q=1".
WORD: Final = r"[a-z0-9_\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]+"
COMPOUND: Final = rf"(?:[a-z][a-z0-9+.-]{{0,9}}://)?{WORD}(?:(?:'|[-./:@#&=?%+~,]){WORD})*(?:\+\+|\#)?"

_MAX_PARTS = 24
_PARTS = re.compile(r"[^_\W]+")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_TWO_HALVES = re.compile(r"(\d+)([^\W\d_]+)|([^\W\d_]+)(\d{2,})")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://")
_IDENTIFIER = re.compile(r"[0-9_@:]|\.|\+\+|#")
_SPLIT_WORDS = re.compile(r"[^\w']+|_")
_CLITICS = ("'s", "'re", "'ve", "'ll", "'d", "'m")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})


class _Stemmers(threading.local):
    """One English Snowball stemmer per thread: the C object is not safe to share."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english")


_STEMMERS = _Stemmers()


def stem(word: str) -> str:
    """Return the English Snowball stem of a folded word ("painted" → "paint"); words of other languages mostly stay."""
    stemmed: str = _STEMMERS.english.stemWord(word)
    return stemmed or word


def compound_tokens(compound: str) -> list[str]:
    """Return the tokens of one match of `COMPOUND`, in reading order.

    Words come unstemmed (`tokens` drops stop words first); identifiers whole, then their parts; numbers
    without grouping commas ("12,000" → "12000"); dates with year first as `2025-06-11`, then the year.
    """
    if "," in compound and not _NUMBER.fullmatch(compound):
        # A comma joins the groups of one number only; elsewhere ("a,b", "8890,8891") it separates.
        return [token for piece in compound.split(",") if piece for token in compound_tokens(piece)]
    date = _DATE.fullmatch(compound)
    if date:
        year, month, day = date.groups()
        return [iso_date(year, month, day), year]
    if _NUMBER.fullmatch(compound):
        return [compound.replace(",", "")]
    if not _IDENTIFIER.search(compound):
        return [word for piece in _SPLIT_WORDS.split(compound) for word in _plain(piece)]
    return _identifier(compound)


def iso_date(year: str, month: str, day: str) -> str:
    """Return the one spelling of a day, `2025-06-11`, from its digits."""
    return f"{year}-{month:0>2}-{day:0>2}"


def _plain(word: str) -> list[str]:
    """Return a word without clitics or apostrophes: "caroline's" → "caroline", "don't" → "dont"."""
    for clitic in _CLITICS:
        if word.endswith(clitic):
            word = word.removesuffix(clitic)
            break
    word = word.replace("'", "")
    return [word] if word else []


def _identifier(compound: str) -> list[str]:
    whole = _SCHEME.sub("", compound).strip("_").removesuffix("'s")
    parts = [part for part in _PARTS.findall(whole) if len(part) > 1][:_MAX_PARTS]
    tokens = [whole] if whole else []
    timestamp = _DATE.match(whole)
    if timestamp:
        tokens.append(iso_date(*timestamp.groups()))
    for part in parts:
        if part != whole:
            tokens.append(part)
        halves = _TWO_HALVES.fullmatch(part)
        if halves:
            # "10km" is found by 10 and by km, "ord2025" by 2025, "7th" by 7.
            tokens += [
                half for half in halves.groups() if half and (half.isdigit() or len(half) > 1) and half not in _ORDINALS
            ]
    return tokens
