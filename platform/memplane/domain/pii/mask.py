"""Masking: every recogniser over one text, most specific first, until nothing is left to find."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Final

from memplane.domain.pii.emails import find_emails
from memplane.domain.pii.ibans import find_ibans
from memplane.domain.pii.numbers import find_bank_cards, find_resident_ids, find_ssns
from memplane.domain.pii.passwords import find_passwords
from memplane.domain.pii.phones import find_phones
from memplane.domain.pii.secrets import find_api_keys, find_private_keys
from memplane.domain.pii.spans import (
    FILLER,
    PLACEHOLDER,
    MaskedText,
    PiiKind,
    PiiSpan,
    Recogniser,
    placeholder,
    readable,
)

_RECOGNISERS: Final[tuple[tuple[PiiKind, Recogniser], ...]] = (
    (PiiKind.PRIVATE_KEY, find_private_keys),
    (PiiKind.API_KEY, find_api_keys),
    (PiiKind.PASSWORD, find_passwords),
    (PiiKind.EMAIL, find_emails),
    (PiiKind.IBAN, find_ibans),
    (PiiKind.RESIDENT_ID, find_resident_ids),
    (PiiKind.BANK_CARD, find_bank_cards),
    (PiiKind.SSN, find_ssns),
    (PiiKind.PHONE, find_phones),
)
# Nothing can be found in a text without one of these; most turns end here.
_WORTH_A_LOOK: Final = re.compile(
    r"\d{4}|@|密码|口令|密钥|秘钥|令牌|私钥|pass|pwd|pw|pin|key|secret|token|bearer|-----begin|://"
    r"|sk-|k_live_|k_test_|gh[opsur]_|_pat_|glpat|akia|asia|ltai|akid|aiza|ya29|xox|hf_|npm_|pypi-|sg\.|eyj",
    re.IGNORECASE,
)
# Masking one value can free its neighbour ("<id> <phone>" read as one number), hence more than one pass; a text that
# needs more than these was written to need them.
_MAX_PASSES: Final = 8


def mask(text: str, *, disabled: AbstractSet[PiiKind] = frozenset()) -> MaskedText:
    """Replace secrets and personal data in ``text`` by placeholders; kinds in ``disabled`` stay as they are.

    Never raises, linear in the length of ``text``, deterministic, and idempotent: placeholders are left alone, so
    masking a masked text changes nothing. A text in which nothing is found comes back as it is.
    """
    view = readable(text)
    if not _WORTH_A_LOOK.search(view):
        return MaskedText(text=text, found=())
    view = PLACEHOLDER.sub(lambda match: FILLER * len(match.group()), view)
    spans: list[PiiSpan] = []
    for _ in range(_MAX_PASSES):
        before = len(spans)
        for kind, find in _RECOGNISERS:
            if kind in disabled:
                continue
            found = tuple(
                PiiSpan(kind=kind, start=item.start, end=item.end, masked=placeholder(kind, item.hint))
                for item in find(view)
            )
            if found:
                spans.extend(found)
                view = _blank(view, found)
        if len(spans) == before:
            break
    spans.sort(key=lambda span: span.start)
    return MaskedText(text=_replace(text, spans), found=tuple(spans))


def _blank(view: str, spans: tuple[PiiSpan, ...]) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += (view[position : span.start], FILLER * (span.end - span.start))
        position = span.end
    return "".join(parts) + view[position:]


def _replace(text: str, spans: list[PiiSpan]) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += (text[position : span.start], span.masked)
        position = span.end
    return "".join(parts) + text[position:]
