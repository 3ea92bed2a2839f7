"""Where the answer to a query lies: in what is remembered of the user, in the tenant's documents, or in both.

Rules only: `routing_signals` says what a query shows, and the first decision of a table that holds names the route. It
never asks a store or a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memplane.domain.routing_signals import Hits, signals_of
from memplane.domain.routing_words import DEFAULT_WORDS, RoutingWords
from memplane.domain.text import fold

MAX_CHARACTERS: Final = 600
"""Characters of a query that are read; of a longer one the end, for that is where the question stands."""
# Beyond this, or over several lines, a query is a conversation that was joined: its user is in it somewhere.
_MAX_QUESTION_CHARACTERS: Final = 240
_CLAUSE: Final = re.compile(r"[,;。!?]\s*(?=\S)")
_QUESTION_END: Final = ("?", "吗", "呢", "么", "不")
# Signals of memory that stand by themselves, and signals of documents.
_STRONG: Final = ("recall", "pointing", "past", "kin", "habit", "deed", "people", "record", "said")
_OUTSIDE: Final = ("documents", "howto", "trouble", "advice", "eligibility", "offers")
_MEMORY_SIDE: Final = (*_STRONG, "possessive", "person", "deliver", "named")
_KNOWLEDGE_SIDE: Final = (*_OUTSIDE, "holds", "organisation", "meaning")
# With these a yes-or-no question is about what was said or recorded.
_ALREADY: Final = frozenset({"recall", "said", "record"})


class RouteName(StrEnum):
    """The places to look in."""

    LONG_TERM_MEMORY = "long_term_memory"
    KNOWLEDGE_BASE = "knowledge_base"
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Where to look, and why."""

    name: RouteName
    reasons: tuple[str, ...]
    """The decision first, then what it rests on as `signal:words`; never empty."""


# What a route's reasons show.
_SHOWN: Final = {
    RouteName.LONG_TERM_MEMORY: _MEMORY_SIDE,
    RouteName.KNOWLEDGE_BASE: (*_KNOWLEDGE_SIDE, "interrogative"),
    RouteName.BOTH: (*_MEMORY_SIDE, "ground", "basis", *_KNOWLEDGE_SIDE),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evidence:
    """What a decision looks at: the folded text, its signals, and what they come to."""

    text: str
    hits: Hits
    strong: tuple[str, ...]
    """Signals of memory that stand by themselves."""
    owned: tuple[str, ...]
    """The same and possessives."""
    outside: tuple[str, ...]
    """Signals of documents."""
    grounded: bool
    """Whether the user's own circumstances are to be the ground of an answer."""

    def shows(self, *signals: str) -> bool:
        """Whether any of `signals` was seen."""
        return any(signal in self.hits for signal in signals)


def _weigh(text: str, hits: Hits) -> _Evidence:
    strong: tuple[str, ...] = tuple(signal for signal in _STRONG if signal in hits)
    owned = (*strong, "possessive") if "possessive" in hits else strong
    outside: tuple[str, ...] = tuple(signal for signal in _OUTSIDE if signal in hits)
    if "holds" in hits and (owned or "person" in hits) and not any(signal in hits for signal in _ALREADY):
        owned, outside = owned or ("person",), (*outside, "holds")
    grounded = "ground" in hits or "basis" in hits
    return _Evidence(text=text, hits=hits, strong=strong, owned=owned, outside=outside, grounded=grounded)


def _everybodys(seen: _Evidence) -> bool:
    if seen.strong or seen.grounded or "possessive" not in seen.owned:
        return False
    return seen.shows("trouble", "organisation") or (seen.shows("howto") and not seen.shows("advice"))


_Test = Callable[[_Evidence], bool]
_DECISIONS: Final[tuple[tuple[_Test, RouteName, str], ...]] = (
    (
        lambda seen: seen.shows("said", "recall") and not seen.grounded and not seen.shows("documents", "advice"),
        RouteName.LONG_TERM_MEMORY,
        "asks what was said",
    ),
    (_everybodys, RouteName.KNOWLEDGE_BASE, "a procedure or rule that is the same for everybody"),
    (lambda seen: seen.shows("trouble") and not seen.strong, RouteName.KNOWLEDGE_BASE, "something does not work"),
    (
        lambda seen: bool(seen.owned) and seen.grounded,
        RouteName.BOTH,
        "the user's own circumstances are the ground of the answer",
    ),
    (
        lambda seen: bool(seen.owned and seen.outside),
        RouteName.BOTH,
        "the user's own things, and what documents say of them",
    ),
    (
        lambda seen: bool(seen.owned) and _asked_apart(seen),
        RouteName.BOTH,
        "the user's own things, then a question of its own",
    ),
    (lambda seen: bool(seen.owned), RouteName.LONG_TERM_MEMORY, "about the user's own past, things or habits"),
    (lambda seen: bool(seen.outside), RouteName.KNOWLEDGE_BASE, "asks for what documents hold"),
    (
        lambda seen: seen.shows("person", "deliver") and not seen.shows("meaning"),
        RouteName.LONG_TERM_MEMORY,
        "about the user, and nothing in it is for documents",
    ),
    (lambda seen: seen.shows("named"), RouteName.BOTH, "about somebody by name"),
    (
        # "周末开门不" asks; "不" and "要不" do not.
        lambda seen: seen.shows("meaning", "interrogative") or (seen.text.endswith("不") and len(seen.text) > 2),
        RouteName.KNOWLEDGE_BASE,
        "a general question without the user in it",
    ),
)
"""Test, route and reason; the first that holds decides."""


def _decide(seen: _Evidence) -> tuple[RouteName, str]:
    for test, name, reason in _DECISIONS:
        if test(seen):
            return name, reason
    return RouteName.BOTH, "nothing tells where the answer lies"


def route(query: str, *, has_knowledge: bool, words: RoutingWords = DEFAULT_WORDS) -> Route:
    """Return where to look for an answer to `query`.

    Without documents (`has_knowledge` false) there is only memory. A query that shows nothing at all goes to both:
    looking in one place too many costs little, looking in the wrong one loses the answer. Never raises.
    """
    if not has_knowledge:
        return Route(name=RouteName.LONG_TERM_MEMORY, reasons=("the tenant has no documents",))
    tail = query[-MAX_CHARACTERS:]
    text = fold(tail).strip()
    seen = _weigh(text, signals_of(tail, text, words))
    name, decision = _decide(seen)
    if name is RouteName.KNOWLEDGE_BASE and (len(text) > _MAX_QUESTION_CHARACTERS or text.count("\n") > 1):
        name, decision = RouteName.BOTH, "more text than one question, and its question is for documents"
    shown = tuple(f"{signal}:{seen.hits[signal][0]}" for signal in _SHOWN[name] if signal in seen.hits)
    return Route(name=name, reasons=(decision, *shown))


def _asked_apart(seen: _Evidence) -> bool:
    """Return whether the last clause asks something and the user is only in the clauses before it."""
    boundaries = [match.end() for match in _CLAUSE.finditer(seen.text)]
    if not boundaries:
        return False
    hits, last = seen.hits, boundaries[-1]
    asks = seen.text.endswith(_QUESTION_END) or hits.get("interrogative", ("", -1))[1] >= last
    return asks and all(hits[signal][1] < last for signal in (*seen.owned, "person") if signal in hits)
