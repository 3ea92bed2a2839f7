"""Telephone numbers: China and the United States as people write them, any country behind a plus sign.

Numbers of a public service (free, shared-cost, premium: 400-…, 800-…) say nothing about a person and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberType

from memplane.domain.pii.labels import is_amount, names_a_phone, names_an_order
from memplane.domain.pii.numbers import LEFT, RIGHT
from memplane.domain.pii.spans import Found, last_four

_PUBLIC: Final = frozenset(
    {
        PhoneNumberType.TOLL_FREE,
        PhoneNumberType.SHARED_COST,
        PhoneNumberType.PREMIUM_RATE,
        PhoneNumberType.UAN,
    }
)
_INTERNATIONAL: Final = re.compile(r"(?<![A-Za-z0-9_+])\+\d[\d \-.()]{6,20}\d(?![A-Za-z0-9_@])")
_CN_MOBILE: Final = re.compile(rf"{LEFT}(?:(?:00)?86[- ]?)?1[3-9]\d([- ]?)\d{{4}}\1\d{{4}}{RIGHT}")
_CN_LANDLINE: Final = re.compile(rf"{LEFT}(?:0\d{{2,3}}[- ]|\(0\d{{2,3}}\) ?)\d{{7,8}}{RIGHT}")
_US: Final = re.compile(
    rf"(?:{LEFT}(?:1[-. ])?|(?<=\+1)[-. ]?)(?:\([2-9]\d{{2}}\)[ -]?|[2-9]\d{{2}}[-.])[2-9]\d{{2}}[-. ]\d{{4}}{RIGHT}"
)
_DIGITS: Final = re.compile(rf"{LEFT}\(?\d[\d \-.()]{{5,18}}\d{RIGHT}")
_MIN_DIGITS: Final = 7
_MAX_DIGITS: Final = 15
_DATE: Final = re.compile(r"(?:19|20)\d{2}[-./ ]?(?:0?[1-9]|1[0-2])[-./ ]?(?:0?[1-9]|[12]\d|3[01])(?!\d)")


def find_phones(text: str) -> Iterator[Found]:
    """Yield telephone numbers in order, without overlaps."""
    end = -1
    for found in sorted(chain(_international(text), _national(text), _announced(text)), key=_place):
        if found.start >= end:
            end = found.end
            yield found


def _place(found: Found) -> tuple[int, int]:
    return found.start, -found.end


def _international(text: str) -> Iterator[Found]:
    if "+" not in text:
        return
    for match in _INTERNATIONAL.finditer(text):
        # What follows a number ("+44 20 7946 0958 2 kids") can look like more of it: shorten it group by group.
        value = match.group()
        while len(value) > _MIN_DIGITS and not _is_valid(value, None):
            cut = max(value.rfind(separator) for separator in " -.(")
            value = value[: max(cut, 0)].rstrip(" -.(")
        if len(value) > _MIN_DIGITS and _is_personal(value, None):
            yield Found(match.start(), match.start() + len(value), last_four(value))


def _national(text: str) -> Iterator[Found]:
    for pattern, region in ((_CN_MOBILE, "CN"), (_CN_LANDLINE, "CN"), (_US, "US")):
        for match in pattern.finditer(text):
            start, end = match.span()
            # The American form is masked by shape: exchanges that are not in use (555-01xx) are masked too.
            known = _is_personal(match.group(), "CN") if region == "US" else _is_valid(match.group(), region)
            if known and _is_personal(match.group(), region) and not _is_other(text, start, end):
                yield Found(start, end, last_four(match.group()))


def _announced(text: str) -> Iterator[Found]:
    """Other groupings, local numbers and bare digits, where the words before them say that a number follows."""
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        digits = sum(char.isdigit() for char in match.group())
        if not _MIN_DIGITS <= digits <= _MAX_DIGITS or not names_a_phone(text, start):
            continue
        if _DATE.match(match.group()) or _is_other(text, start, end):
            continue
        if any(_is_possible(match.group(), region) for region in ("CN", "US")) and all(
            _is_personal(match.group(), region) for region in ("CN", "US")
        ):
            yield Found(start, end, last_four(match.group()))


def _is_other(text: str, start: int, end: int) -> bool:
    return names_an_order(text, start) or is_amount(text, start, end)


def _parse(value: str, region: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        return phonenumbers.parse(value, region)
    except NumberParseException:
        return None


def _is_valid(value: str, region: str | None) -> bool:
    number = _parse(value, region)
    return number is not None and phonenumbers.is_valid_number(number)


def _is_possible(value: str, region: str) -> bool:
    number = _parse(value, region)
    return number is not None and phonenumbers.is_possible_number(number)


def _is_personal(value: str, region: str | None) -> bool:
    number = _parse(value, region)
    return number is None or phonenumbers.number_type(number) not in _PUBLIC
