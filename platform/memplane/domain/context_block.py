"""The block that goes into a prompt: one cited line a memory, inside a token budget, the same for the same memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memplane.domain.memory import Kind, Memory
from memplane.domain.results import Citation, RecalledMemory
from memplane.domain.text import collapse_whitespace
from memplane.domain.token_count import count_tokens

MAX_LINE_CHARACTERS: Final = 200
WINDOW_SHARE: Final = 4
"""Long-term memory takes at most one part in so many of the window."""
CROWDED_ABOVE: Final = 0.40
HARMFUL_ABOVE: Final = 0.70
OPENING: Final = {
    "zh": "以下是关于用户的记忆片段,请参考但不编造",
    "en": "Memory notes about the user; use them, do not invent more",
}
_LABELS: Final = {
    "zh": {
        "preference": "用户偏好",
        "state": "事实记录",
        "decision": "决策记录",
        "event": "事件记录",
        "attribute": "用户属性",
        "relation": "人物关系",
        "skill": "用户技能",
        "other": "其他记录",
    },
    "en": {
        "preference": "user preference",
        "state": "fact",
        "decision": "decision",
        "event": "event",
        "attribute": "user attribute",
        "relation": "relation",
        "skill": "skill",
        "other": "note",
    },
}
_WORD: Final = {"zh": "记忆", "en": "memory"}
_ORDER: Final = {Kind.FACT: 0, Kind.SEMANTIC: 1, Kind.EPISODIC: 2, Kind.SUMMARY: 3, Kind.CHUNK: 4}
# What could forge a citation or a line becomes its full-width twin: readable, and never a bracket of ours.
_ESCAPES: Final = str.maketrans({"[": "［", "]": "］"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The text, what each reference stands for, and what it costs."""

    text: str
    citations: tuple[Citation, ...]
    tokens: int


def assemble(found: Sequence[RecalledMemory], *, language: str, citation_style: str, budget_tokens: int) -> Block:
    """Facts first, then semantic, then episodic memories, each by score; whole lines only, never above the budget.

    No memories give an empty block. ``citation_style``: ``short`` (``mem-1``) or ``id``.
    """
    lines = [OPENING[language]]
    tokens = count_tokens(lines[0])
    citations: list[Citation] = []
    for item in sorted(found, key=_place):
        memory = item.stored.memory
        ref = f"mem-{len(citations) + 1}" if citation_style == "short" else memory.memory_id
        line = _line(memory, ref, language)
        cost = count_tokens(line)
        if tokens + cost > budget_tokens:
            continue
        lines.append(line)
        tokens += cost
        citations.append(Citation(ref=ref, memory_id=memory.memory_id, score=item.score))
    if not citations:
        return Block(text="", citations=(), tokens=0)
    return Block(text="\n".join(lines), citations=tuple(citations), tokens=tokens)


def advice(window_used: float) -> str:
    """``ok``, ``crowded`` above 0.40, ``harmful`` above 0.70."""
    if window_used > HARMFUL_ABOVE:
        return "harmful"
    return "crowded" if window_used > CROWDED_ABOVE else "ok"


def quote(text: str) -> str:
    """``text`` on one line, unable to open or close a citation."""
    return collapse_whitespace(text).translate(_ESCAPES)


def _place(item: RecalledMemory) -> tuple[int, float, str]:
    memory = item.stored.memory
    return _ORDER[memory.kind], -item.score, memory.memory_id


def _line(memory: Memory, ref: str, language: str) -> str:
    label = _LABELS[language].get(memory.category, memory.category)
    head = f"[{_WORD[language]}-{memory.event_time:%Y-%m-%d} {quote(label)} · {ref}] "
    content = quote(memory.content)
    if len(head) + len(content) > MAX_LINE_CHARACTERS:
        content = quote(memory.summary)
    return head + content
