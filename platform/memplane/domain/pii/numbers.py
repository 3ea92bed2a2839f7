"""Numbers that carry their own proof: Chinese resident ids, bank cards, US social security numbers.

A checksum alone lets one number in ten through, so length, issuer range or birth date must fit as well, and a number
that is introduced as an order, a parcel or an invoice is none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stdnum import luhn
from stdnum.cn import ric
from stdnum.exceptions import ValidationError
from stdnum.us import ssn

from memplane.domain.pii.labels import names_an_order
from memplane.domain.pii.spans import Found, last_four

LEFT: Final = r"(?<![A-Za-z0-9_])(?<![A-Za-z0-9_][-.#@])(?<![A-Za-z_]/)"
"""Left edge of a number: not inside a word, and not the tail of a code such as ``ORD-2025…`` or of a path."""
RIGHT: Final = r"(?![A-Za-z0-9_@]|[-.]\d)"
"""Right edge: not the head of a longer number or a code; another number may follow a slash."""

_RESIDENT_ID: Final = re.compile(r"(?<![A-Za-z0-9_])[1-9]\d{5}[ -]?(?:18|19|20)\d{6}[ -]?\d{3}[\dXx](?![A-Za-z0-9_])")
_PROVINCES: Final = re.compile(r"1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91")
_CARD: Final = re.compile(
    rf"{LEFT}(?:\d{{4}}([ -])\d{{4}}\1\d{{4}}\1\d{{4}}(?:\1\d{{1,3}})?"
    rf"|\d{{4}}([ -])\d{{6}}\2\d{{4,5}}|\d{{13,19}}){RIGHT}"
)
# Issuer ranges and the lengths that are in use: Visa, Mastercard, American Express, UnionPay, Discover, JCB, Diners,
# and the early domestic range of China (9558).
_ISSUERS: Final = re.compile(
    r"4\d{15}|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}|6[02]\d{14,17}"
    r"|(?:6011|65\d{2}|64[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|9558\d{15}"
)
_SSN: Final = re.compile(rf"{LEFT}\d{{3}}-\d{{2}}-\d{{4}}{RIGHT}")
_NAMED_SSN: Final = re.compile(
    r"(?:ssn|social security(?: number| no\.?)?)(?: is|:|=|#)?\s{0,3}(\d{3}[ -]?\d{2}[ -]?\d{4})(?![A-Za-z0-9_])",
    re.IGNORECASE,
)


def find_resident_ids(text: str) -> Iterator[Found]:
    """Yield 18-digit ids whose province, birth date and check digit (GB 11643, mod 11-2) fit."""
    for match in _RESIDENT_ID.finditer(text):
        number = ric.compact(match.group())
        if _PROVINCES.match(number) and _is_date(number) and ric.calc_check_digit(number) == number[-1]:
            yield Found(match.start(), match.end(), last_four(number))


def find_bank_cards(text: str) -> Iterator[Found]:
    """Yield card numbers, in one piece or in the groups printed on cards, that pass Luhn in a known issuer's range."""
    for match in _CARD.finditer(text):
        number = match.group().replace(" ", "").replace("-", "")
        if _ISSUERS.fullmatch(number) and luhn.is_valid(number) and not names_an_order(text, match.start()):
            yield Found(match.start(), match.end(), last_four(number))


def find_ssns(text: str) -> Iterator[Found]:
    """Yield US social security numbers: with both dashes anywhere, in another spelling only where they are named."""
    taken = -1
    for match in _NAMED_SSN.finditer(text):
        if ssn.is_valid(match[1].replace(" ", "").replace("-", "")):
            taken = match.end()
            yield Found(match.start(1), match.end(1), last_four(match[1]))
    if taken >= 0:
        return  # What stands elsewhere in this text is found in the next pass, in order.
    for match in _SSN.finditer(text):
        if ssn.is_valid(match.group()) and not names_an_order(text, match.start()):
            yield Found(match.start(), match.end(), last_four(match.group()))


def _is_date(number: str) -> bool:
    try:
        ric.get_birth_date(number)
    except ValidationError:
        return False
    return True
