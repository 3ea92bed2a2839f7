# ruff: noqa: E501 (patterns read best one alternative a line)
"""Corrections by behaviour: turning a suggestion down revises the memory that it was made from."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from memplane.domain.ids import MemoryId
from memplane.domain.memory import Memory, Status
from memplane.domain.resolve.wording import content_units, wording_of
from memplane.domain.text import fold, is_cjk

REASON: Final = "behaviour_correction"

_ZH: Final = re.compile(
    r"(?P<thing>[^,，。]{0,16}?)太(?P<quality>[\u4e00-\u9fff]{1,6}?)了[,，。;；!！ ]*(?P<rest>.*?(?:换成|换个|换家|换|改成|改住|改用|改去|改订|改|下次要|这次要|想要|来个|选)(?P<wanted>[\u4e00-\u9fffA-Za-z0-9]{1,16}))"
)
_EN: Final = re.compile(
    r"\btoo (?P<quality>[a-z-]+)\b.*?(?:\b(?:try|book|use|go with|switch to|pick|want|choose|prefer|get|take|let's do|change to|rather have)\b(?: me)?) (?P<wanted>(?:an? |the )?[a-z][\w -]{1,40}?)(?: instead| this time| next time| for this one)?(?:[.,;!]|$)",
    re.IGNORECASE,
)
_LONGEST: Final = 400
_TAIL: Final = re.compile(r"(?:吧|了|呢|试试|看看)+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviourCorrection:
    """What was turned down, and what is wanted in its place."""

    target: MemoryId
    quality: str
    wanted: str
    text: str
    """The preference that takes the old one's place, as a statement."""


def behaviour_correction(
    text: str, memories: Sequence[Memory], cited: Collection[MemoryId] = ()
) -> BehaviourCorrection | None:
    """The correction that ``text`` makes to one of ``memories``; None if it makes none.

    A memory is meant if it holds the quality that was too much ("太商务了" and "偏好商务酒店"). Those that the last recall
    cited come first; where ids were cited, others are not touched.
    """
    text = text[:_LONGEST]
    match = _ZH.search(text) or _EN.search(fold(text))
    if match is None:
        return None
    quality = set(content_units(match["quality"].removesuffix("-like")))
    allowed = [
        memory for memory in memories if memory.status is Status.ACTIVE and (not cited or memory.memory_id in cited)
    ]
    meant = [
        memory
        for memory in allowed
        if quality and quality <= wording_of(memory.content).units and not wording_of(memory.content).denied
    ]
    if not meant:
        return None
    topic = set(content_units(text))
    target = max(
        meant, key=lambda memory: (len(topic & wording_of(memory.content).units), memory.event_time, memory.memory_id)
    )
    wanted = re.sub(r"^(?:an?|the) ", "", _TAIL.sub("", fold(match["wanted"])).strip())
    return BehaviourCorrection(
        target=target.memory_id,
        quality=match["quality"],
        wanted=wanted,
        text=_preference(wanted, match["quality"], target.content),
    )


def _preference(wanted: str, quality: str, old: str) -> str:
    if any(map(is_cjk, wanted)):
        subject = "用户" if old.startswith("用户") else ""
        return f"{subject}偏好{wanted},不要太{quality}"
    article = "an" if wanted[:1] in "aeiou" else "a"
    return f"The user prefers {article} {wanted}, not too {quality}"
