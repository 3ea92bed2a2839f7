"""Small numbers as they are written in time expressions, in both languages."""

from __future__ import annotations

from typing import Final

ZH_NUMBER: Final = r"(?:\d{1,3}|[零〇一二两三四五六七八九十百]{1,4})"
EN_NUMBER: Final = (
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty"
    r"|thirty)"
)
_ZH_DIGITS: Final = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_EN_WORDS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30,
}  # fmt: skip


def zh_number(text: str) -> int:
    """``12``, ``十二``, ``三十``, ``一百二十``, ``二五`` (digit by digit); ``ValueError`` for anything else."""
    if text.isdigit():
        return int(text)
    if not ({"十", "百"} & set(text)):
        return int("".join(str(_ZH_DIGITS[char]) for char in text))
    total, digit = 0, 0
    for char in text:
        if char in "十百":
            total += (digit or 1) * (10 if char == "十" else 100)
            digit = 0
        else:
            digit = _ZH_DIGITS[char]
    return total + digit


def zh_year(text: str) -> int:
    """``2025``, ``二〇二五`` or the two last digits of a year near ours (``25``, ``98``)."""
    year = int(text) if text.isdigit() else int("".join(str(_ZH_DIGITS[char]) for char in text))
    if len(text) == 2:
        return year + (2000 if year < 70 else 1900)
    return year


def en_number(text: str) -> int:
    """``3``, ``a``, ``twelve``; ``KeyError`` never, since only what ``EN_NUMBER`` matches comes here."""
    return int(text) if text.isdigit() else _EN_WORDS[text.lower()]
