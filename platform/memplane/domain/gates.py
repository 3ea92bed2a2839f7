"""The gates before extraction: pure rules that name what is not worth a memory. The event itself always stays.

A gate is a function of a turn that answers with a reason, or None to let it pass. `GATES` lists them in order; a new
gate is one function and one row. Gates are narrow on purpose: they take a turn only when all of it is covered, for a
statement that is lost here is lost to recall, while an idle turn that passes is still weighed by its importance.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from memplane.domain.gate_words import (
    ACKNOWLEDGEMENTS,
    ADDRESSABLE,
    BLOCK_OPENING,
    FRAGMENTS,
    HEARTBEATS,
    LASTING_MARKERS,
    NOT_NAMES,
    ONE_OFF_PATTERNS,
    SMALL_TALK,
)
from memplane.domain.text import clean, collapse_whitespace, fold, is_cjk

_MAX_PHRASE_CHARACTERS = 80
_MAX_REQUEST_CHARACTERS = 120

_CITATION = re.compile(r"\[(?:记忆|memory)-\d{4}-\d{2}-\d{2}\b[^\[\]\n]{0,80}·[^\[\]\n]{1,80}\]", re.IGNORECASE)
_FOLDED_TAIL = re.compile(
    r"过去半年内曾提到.{0,400}仅供参考|mentioned .{0,400}not (?:brought up|mentioned) since", re.IGNORECASE
)
_LIST_MARK = re.compile(r"^[\s>*•\-\d.)]*$")
_SEPARATORS = re.compile(r"[^\w']+")
_BLOB = re.compile(r"[A-Za-z0-9+/=_\-]{60,}")
_REPEAT = re.compile(r"(\S)\1{19,}")
_MARKUP = re.compile(r"<[^<>]{1,400}>")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")
# What a pattern may take of the visible characters of a text before the text counts as noise.
_NOISE: Final = (
    ("control characters", _CONTROL, 0.3),
    ("encoded blob", _BLOB, 0.7),
    ("one character repeated", _REPEAT, 0.7),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a gate looks at."""

    content: str
    """The text as it came, without recalled lines."""
    recalled: bool
    """Whether lines of a context block were taken out of it."""
    extra: Mapping[str, Collection[str]]
    """The tenant's own phrases by gate name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """Whether a turn goes on to extraction."""

    passed: bool
    gate: str | None
    """Name of the gate that held the turn; None when it passed."""
    reason: str | None
    """What the gate saw, for the outcome; None when it passed."""
    content: str
    """The text to extract from: the turn without memory lines that came back."""


Gate = Callable[[Turn], str | None]
_NO_WORDS: Mapping[str, Collection[str]] = MappingProxyType({})


def apply_gates(
    content: str,
    role: str,
    *,
    disabled: Collection[str] = frozenset(),
    extra_words: Mapping[str, Collection[str]] = _NO_WORDS,
) -> GateVerdict:
    """Return the verdict of the first gate that holds the turn, or a pass.

    `disabled` names gates that are off for the tenant, `extra_words` adds whole phrases to a gate by its name.
    Gates of conversation do not look at results of work (roles other than user and assistant).
    """
    remaining, recalled = content, False
    if "recalled_memory" not in disabled:
        remaining = strip_recalled(content)
        recalled = remaining != content
    turn = Turn(content=clean(remaining), recalled=recalled, extra=extra_words)
    for name, gate, conversation_only in GATES:
        if name in disabled or (conversation_only and role not in ("user", "assistant")):
            continue
        reason = gate(turn)
        if reason is not None:
            return GateVerdict(passed=False, gate=name, reason=reason, content=remaining)
    return GateVerdict(passed=True, gate=None, reason=None, content=remaining)


def strip_recalled(content: str) -> str:
    """Return `content` without what came out of a context block: its opening, its memory lines, its folded tail.

    A citation mark inside a sentence goes alone: the sentence around it is new.
    """
    if not any(pattern.search(content) for pattern in (_CITATION, _FOLDED_TAIL, BLOCK_OPENING)):
        return content
    kept: list[str] = []
    for line in content.splitlines():
        mark = _CITATION.search(line)
        if (mark and _LIST_MARK.match(line[: mark.start()])) or _FOLDED_TAIL.search(line):
            continue
        bare = _CITATION.sub("", BLOCK_OPENING.sub("", line))
        if bare.strip() or not line.strip():
            kept.append(bare)
    return "\n".join(kept).strip()


def recalled_memory(turn: Turn) -> str | None:
    """Hold a turn that is nothing but memory lines which memplane itself put into a prompt."""
    if turn.recalled and not any(map(str.isalnum, turn.content)):
        return "only recalled memory lines"
    return None


def machine_noise(turn: Turn) -> str | None:
    """Hold what no person or tool says to another: binary, encoded blobs, bare markup, filler, heartbeats."""
    text = turn.content
    visible = len("".join(text.split()))
    if not visible:
        return "empty"
    for reason, pattern, share in _NOISE:
        if sum(len(match[0]) for match in pattern.finditer(text)) / visible > share:
            return reason
    if _MARKUP.search(text) and not any(map(str.isalnum, _MARKUP.sub("", text))):
        return "markup without text"
    phrase = _squeezed(text)
    if phrase in HEARTBEATS or phrase in _phrases(turn, "machine_noise"):
        return "heartbeat"
    return None


def fragment(turn: Turn) -> str | None:
    """Hold a turn that states nothing by itself: punctuation, emoji, one letter, a word that only points."""
    letters = sum(map(str.isalnum, turn.content))
    if letters == 0:
        return "no words"
    phrase = _squeezed(turn.content)
    if letters == 1 and not phrase.isnumeric():
        return "one character"
    if phrase in FRAGMENTS or phrase in _phrases(turn, "fragment"):
        return "incomplete phrase"
    return None


def chit_chat(turn: Turn) -> str | None:
    """Hold a turn that consists of greetings, thanks, acknowledgements, farewells and small talk, nothing else."""
    text = collapse_whitespace(turn.content)
    if len(text) > _MAX_PHRASE_CHARACTERS or any(map(str.isdigit, text)):
        return None
    extra = _phrases(turn, "chit_chat")
    if any(map(is_cjk, text)):
        known = _tiled("".join(_SEPARATORS.sub("", fold(text)).split()), extra)
    else:
        known = _worded(text, extra)
    return "greeting or acknowledgement" if known else None


def one_off_request(turn: Turn) -> str | None:
    """Hold a request that is done with once it is answered (weather, the time, a translation, a joke, a timer).

    Only where the whole turn is the request and nothing in it is meant to last.
    """
    text = collapse_whitespace(fold(turn.content))
    if len(text) > _MAX_REQUEST_CHARACTERS or any(marker in text for marker in LASTING_MARKERS):
        return None
    bare = text.strip(" ,，.。!！?？~～")
    if bare in _phrases(turn, "one_off_request") or any(pattern.fullmatch(bare) for pattern in ONE_OFF_PATTERNS):
        return "answered once, not worth keeping"
    return None


GATES: Final[tuple[tuple[str, Gate, bool], ...]] = (
    ("recalled_memory", recalled_memory, False),
    ("machine_noise", machine_noise, False),
    ("fragment", fragment, True),
    ("chit_chat", chit_chat, True),
    ("one_off_request", one_off_request, True),
)
"""Name, rule, and whether the rule is about conversation only; in the order in which they look."""

GATE_NAMES: Final = tuple(name for name, _, _ in GATES)


def _squeezed(text: str) -> str:
    """Return `text` folded, words separated by single spaces, without punctuation."""
    return _SEPARATORS.sub(" ", fold(text)).strip()


def _phrases(turn: Turn, gate: str) -> frozenset[str]:
    return frozenset(_squeezed(phrase) for phrase in turn.extra.get(gate, ()))


def _tiled(text: str, extra: frozenset[str]) -> bool:
    """Return whether known phrases, side by side, make up the whole of `text` (linear in its length)."""
    phrases = ACKNOWLEDGEMENTS | SMALL_TALK | {phrase.replace(" ", "") for phrase in extra}
    longest = max(map(len, phrases))
    reachable = [True] + [False] * len(text)
    for end in range(1, len(text) + 1):
        reachable[end] = any(
            reachable[start] and text[start:end] in phrases for start in range(max(0, end - longest), end)
        )
    return bool(text) and reachable[-1]


def _worded(text: str, extra: frozenset[str]) -> bool:
    """The same for words; a name may follow a phrase that is said to somebody ("Bye Nate!", "Thanks, Jon")."""
    spoken = [word for word in _SEPARATORS.split(clean(text).replace("’", "'")) if word.strip("'")]
    words = [fold(word) for word in spoken]
    phrases = {tuple(phrase.split()) for phrase in ACKNOWLEDGEMENTS | SMALL_TALK | extra if phrase.isascii()}
    addressable = {tuple(phrase.split()) for phrase in ADDRESSABLE}
    longest = max(map(len, phrases))
    # Per position: 0 unreachable, 1 reached, 2 reached by a phrase after which a name may stand.
    state = [1] + [0] * len(words)
    for end in range(1, len(words) + 1):
        for start in range(max(0, end - longest), end):
            phrase = tuple(words[start:end])
            if state[start] and phrase in phrases:
                state[end] = max(state[end], 2 if phrase in addressable else 1)
        if not state[end] and state[end - 1] == 2 and spoken[end - 1][:1].isupper() and words[end - 1] not in NOT_NAMES:
            state[end] = 1
    return bool(words) and state[-1] > 0
