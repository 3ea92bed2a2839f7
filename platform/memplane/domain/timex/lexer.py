"""All rules over one text: atoms from left to right, the longest at each place, none inside another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memplane.domain.timex import (
    en_clock,
    en_days,
    en_months,
    en_spans,
    numeric_rules,
    zh_clock,
    zh_days,
    zh_months,
    zh_spans,
)
from memplane.domain.timex.atoms import Anchor, Atom, Clock, Rule, Window

_Found = tuple[int, int, int, Window | Clock | None]
_CHINESE: Final = (*zh_days.RULES, *zh_months.RULES, *zh_spans.RULES, *zh_clock.RULES)
_ENGLISH: Final = (*en_days.RULES, *en_months.RULES, *en_spans.RULES, *en_clock.RULES)
_DIGIT: Final = re.compile(r"\d")
_HAN: Final = re.compile(r"[年月日天号周点时分季昨今明前后近末夜晚早午春夏秋冬拜期]")
_LATIN: Final = re.compile(
    r"day|tmrw|morrow|night|morning|evening|week|month|quarter|year|decade|hour|minute|ago|back|now|recent|late|noon|lunch"
    r"|jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|spring|summer|autumn|fall|winter"
    r"|clock|[\d\s][ap]\.?m|(?:19|20)\d\d|0'?s|\bq[1-4]|\b(?:at|by|around|about|on|until|before|since) (?:the )?\d",
    re.IGNORECASE,
)


def lex(view: str, anchor: Anchor) -> list[Atom]:
    """Return the atoms of ``view`` in order, without overlaps."""
    found: list[_Found] = []
    for index, rule in enumerate(_rules(view)):
        for match in rule.pattern.finditer(view):
            start, end = match.span("span" if "span" in rule.pattern.groupindex else 0)
            try:
                value = rule.build(match, anchor)
            except (ValueError, OverflowError):
                found.append((start, -end, index, None))
            else:
                if value is not None:
                    found.append((start, -end, index, value))
    found.sort(key=lambda item: item[:3])
    return list(_outermost(found))


def _outermost(found: list[_Found]) -> Iterator[Atom]:
    """A date that does not exist covers what stands in it as well: "二月三十日" is not February."""
    position = 0
    for start, minus_end, _, value in found:
        if start >= position:
            position = -minus_end
            if value is not None:
                yield Atom(start, position, value)


def _rules(view: str) -> tuple[Rule, ...]:
    rules: tuple[Rule, ...] = numeric_rules.RULES if _DIGIT.search(view) else ()
    if _HAN.search(view):
        rules += _CHINESE
    if _LATIN.search(view):
        rules += _ENGLISH
    return rules
