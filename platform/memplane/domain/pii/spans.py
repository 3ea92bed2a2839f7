"""What was found, and the placeholder that stands for it: ``<kind:***hint>``.

Angle brackets, because a context block escapes square ones. The hint is what people use to tell two values apart
without saying them (the last four characters, the domain of an address); passwords and private keys have none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class PiiKind(StrEnum):
    """A kind of secret or personal data; the value is the name in the placeholder and in a policy."""

    PRIVATE_KEY = "private_key"
    API_KEY = "api_key"
    PASSWORD = "password"  # noqa: S105 (the name of a kind)
    EMAIL = "email"
    IBAN = "iban"
    RESIDENT_ID = "resident_id"
    BANK_CARD = "bank_card"
    SSN = "ssn"
    PHONE = "phone"


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiSpan:
    """One value that was masked."""

    kind: PiiKind
    start: int
    """First character of the value in the original text."""
    end: int
    """One past its last character."""
    masked: str
    """The placeholder that stands in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedText:
    """A text without the values that were found, and where they were, in order and without overlaps."""

    text: str
    found: tuple[PiiSpan, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A recogniser's find: ``[start, end)`` of the readable text, and the hint that may be shown."""

    start: int
    end: int
    hint: str = ""


Recogniser = Callable[[str], Iterator[Found]]
"""Yields finds in a text in which every character still stands at its place (see ``readable``); never raises."""

FILLER: Final = "\ue000"
"""Stands for every character that is masked already: a boundary that no pattern crosses."""

PLACEHOLDER: Final = re.compile(rf"<(?:{'|'.join(PiiKind)}):\*\*\*[A-Za-z0-9.-]{{0,253}}>")

_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SPACES: Final = "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"
_READABLE: Final = str.maketrans(
    {chr(0xFEE0 + code): chr(code) for code in range(0x21, 0x7F)}
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_SPACES, " ")
)


def readable(text: str) -> str:
    """Full-width letters, digits and punctuation, typographic dashes and spaces as ASCII, one character for one."""
    return text if text.isascii() else text.translate(_READABLE)


def placeholder(kind: PiiKind, hint: str) -> str:
    """The masked form. Deterministic: the same value always gives the same text."""
    return f"<{kind}:***{hint}>"


def last_four(value: str) -> str:
    """The last four ASCII letters or digits of ``value``: the usual hint."""
    return "".join(char for char in value if char.isascii() and char.isalnum())[-4:]
