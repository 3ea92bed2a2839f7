"""Keys and tokens: by their issuer's prefix, by their form, or by what they are called."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from memplane.domain.pii.spans import Found, last_four

_BEGIN: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY: Final = re.compile(r"[A-Za-z0-9+/=:,\-\s\\]*")

_EDGE: Final = r"(?<![A-Za-z0-9_-])"
_ISSUED: Final = re.compile(
    _EDGE
    + r"(?:"
    + "|".join(
        (
            r"sk-[A-Za-z0-9_-]{16,}+",  # OpenAI, Anthropic and compatible servers
            r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}+",  # Stripe
            r"gh[opsur]_[A-Za-z0-9]{30,}+",  # GitHub
            r"github_pat_[A-Za-z0-9_]{30,}+",
            r"glpat-[A-Za-z0-9_-]{20,}+",  # GitLab
            r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",  # AWS
            r"LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])",  # Alibaba Cloud
            r"AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])",  # Tencent Cloud
            r"AIza[A-Za-z0-9_-]{35}",  # Google
            r"ya29\.[A-Za-z0-9_-]{20,}+",
            r"xox[abeoprs]-[A-Za-z0-9-]{10,}+",  # Slack
            r"hf_[A-Za-z0-9]{30,}+",  # Hugging Face
            r"npm_[A-Za-z0-9]{36}",
            r"pypi-[A-Za-z0-9_-]{40,}+",
            r"SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+",  # SendGrid
            r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+",  # JSON Web Token
        )
    )
    + r")"
)
_OPERATOR: Final = (
    r"[\"']?(?:\s{0,3}[:=]\s{0,3}|\s{1,3}(?:is|was|to)\s{1,3}"
    r"|\s{0,3}(?:是|为|改成了?|改为|换成了?|设为)\s{0,3}:?\s{0,3}|\s{1,3})[\"'`“]?"
)
_LABEL: Final = re.compile(
    r"(?:api[ _-]?keys?|apikey|access[ _-]?keys?(?:[ _-]?(?:id|secret))?|secret(?:[ _-]?access)?[ _-]?keys?"
    r"|client[ _-]?secret|app[ _-]?secret|(?:auth|access|refresh|bearer|api|id)[ _-]?tokens?|secret|token|bearer"
    r"|密钥|秘钥|令牌|私钥)" + _OPERATOR,
    re.IGNORECASE,
)
_VALUE: Final = re.compile(r"[A-Za-z0-9_+/=.~-]{12,}+")
_MIN_ENTROPY_BITS: Final = 3.0
"""Per character: random strings of twelve and more lie above it, words with a number behind them mostly below."""


def find_private_keys(text: str) -> Iterator[Found]:
    """Yield PEM private keys; one without its last line reaches as far as its letters do."""
    position = 0
    while (begin := _BEGIN.search(text, position)) is not None:
        body = _KEY_BODY.match(text, begin.end())
        limit = body.end() if body else begin.end()
        closing = _END.search(text, begin.end(), min(len(text), limit + 64))
        position = closing.end() if closing else limit
        yield Found(begin.start(), position)


def find_api_keys(text: str) -> Iterator[Found]:
    """Yield keys with a known prefix, and random-looking values that are called a key, a token or a secret."""
    found = [Found(match.start(), match.end(), last_four(match.group())) for match in _ISSUED.finditer(text)]
    if not found:
        found = list(_labelled(text))
    yield from found


def _labelled(text: str) -> Iterator[Found]:
    end = -1
    for label in _LABEL.finditer(text):
        match = _VALUE.match(text, label.end())
        if match is None or match.start() < end:
            continue
        value = match.group().rstrip(".=-~")
        if _looks_random(value):
            end = match.start() + len(value)
            yield Found(match.start(), end, last_four(value))


def _looks_random(value: str) -> bool:
    if len(value) < 12 or not (any(map(str.isdigit, value)) and any(map(str.isalpha, value))):
        return False
    counts = Counter(value)
    entropy = -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
    return entropy >= _MIN_ENTROPY_BITS
