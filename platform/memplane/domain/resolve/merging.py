# ruff: noqa: E501 (patterns and word lists read best one alternative a line)
"""One statement out of two that hold together: "喜欢安静" and "安静但不要太贵" say one thing with two conditions."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.resolve.contradiction import Relation, compare
from memplane.domain.resolve.wording import wording_of
from memplane.domain.text import fold, graphemes, is_cjk

LONGEST: Final = 120
"""Characters of a merged statement; a longer one would no longer be one statement."""

_CONTRAST: Final = re.compile(
    r"\s*[,，;；]?\s*(?P<word>但是|但|不过|只要|除非|前提是|\bbut\b|\bas long as\b|\bprovided\b|\bunless\b|\bexcept\b|\bthough\b)[,， ]*",
    re.IGNORECASE,
)
_EDGES: Final = " ,，.。;；!！"


def condition_of(text: str) -> tuple[str, str] | None:
    """The head of a text and the condition behind its first word of contrast, that word included; None without one."""
    match = _CONTRAST.search(text)
    if match is None or not text[: match.start()].strip(_EDGES) or not text[match.end() :].strip(_EDGES):
        return None
    return text[: match.start()].strip(
        _EDGES
    ), f"{match['word'].strip()}{_gap(match['word'])}{text[match.end() :].strip(_EDGES)}"


def merge_condition(new: str, stored: str) -> str | None:
    """``stored`` with the condition that ``new`` adds to it, or the reverse; None where they are not one thing.

    The head of the conditional text must say what the other says and nothing else, and the condition must not deny it.
    """
    if max(len(new), len(stored)) > LONGEST:
        return None
    for conditional, plain in ((new, stored), (stored, new)):
        parts = condition_of(conditional)
        if parts is None:
            continue
        head, condition = parts
        base = condition_of(plain)
        plain_head = base[0] if base else plain
        if not _one_thing(head, plain_head) or compare(condition, plain_head).relation in _CONFLICTS:
            continue
        if base and fold(base[1]) == fold(condition):
            return plain
        merged = f"{plain.strip(_EDGES)}{_comma(plain)}{condition}"
        return merged if len(graphemes(merged)) <= LONGEST else None
    return None


_CONFLICTS: Final = frozenset({Relation.OPPOSITE, Relation.OTHER_VALUE})


def _one_thing(head: str, plain: str) -> bool:
    mine, theirs = wording_of(head), wording_of(plain)
    return bool(mine.units) and mine.units == theirs.units and mine.denied == theirs.denied


def _gap(word: str) -> str:
    return "" if is_cjk(word.strip()[0]) else " "


def _comma(text: str) -> str:
    return "," if any(map(is_cjk, text)) else ", "
