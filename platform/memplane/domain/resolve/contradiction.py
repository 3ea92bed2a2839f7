"""How a newer statement stands to an older one, by what both claim: cheap, without a model, in both languages.

A cosine cannot see this (chance on labelled contradictions). Denial counts only where it denies the very thing that the
other says; what no rule reads is unrelated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memplane.domain.resolve import lexicon
from memplane.domain.resolve.anchors import anchors
from memplane.domain.resolve.attitudes import ABLE, TOWARD, USES
from memplane.domain.resolve.claim import Claim, Form
from memplane.domain.resolve.claims import LONGEST, claims_of
from memplane.domain.resolve.dimensions import PREFERENCES
from memplane.domain.resolve.places import inside
from memplane.domain.resolve.states import PLAN
from memplane.domain.resolve.wording import antonyms, wording_of
from memplane.domain.text import fold
from memplane.domain.traits import is_question

_LEAST_SHARED: Final = 2
_ALIKE: Final = 0.75
"""Share of content words two texts must have in common before a denied word makes them opposites."""


_ALSO: Final = re.compile(r"也(?!许|不)|还(?=喜欢|可以|用|有|会)|同时|另外|\b(?:also|as well|besides|in addition|too$)")


_MORE_EXACT: Final = 2
"""Words by which one name of a thing may be longer than the other."""
_GENERAL: Final = frozenset(["项目", "工作", "任务", "本次", "这次", "公司", "project", "task", "our"])
"""Words that make no other thing of it."""
_OTHER_PART: Final = frozenset(
    [
        "持续",
        "持续时间",
        "开始",
        "结束",
        "最低",
        "最高",
        "最小",
        "最大",
        "上限",
        "下限",
        "平均",
        "预计",
        "实际",
        "原",
        "备用",
        "duration",
        "start",
        "end",
        "minim",
        "maximum",
        "averag",
        "first",
        "second",
        "third",
        "backup",
        "altern",
        "expect",
        "actual",
        "old",
        "previous",
        "next",
        "last",
        "spare",
    ]
)
"""Words that make another thing of it: the start of a meeting is not its end."""


class Relation(StrEnum):
    """How two texts stand to each other."""

    UNRELATED = "unrelated"
    AGREE = "agree"
    """They claim the same of one slot."""
    OPPOSITE = "opposite"
    """One denies what the other claims."""
    OTHER_VALUE = "other_value"
    """One slot, two values that exclude each other."""
    TENSION = "tension"
    """Perhaps a contradiction: a happening against a habit, a part against the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A relation and what it rests on."""

    relation: Relation
    rule: str = ""
    slot: str = ""
    """The slot both speak of, where there is one."""


UNRELATED: Final = Comparison(relation=Relation.UNRELATED)


def compare(newer: str, older: str) -> Comparison:
    """How ``newer`` stands to ``older``. Symmetric but for plans, which only a word of change replaces."""
    if max(len(newer), len(older)) > LONGEST or is_question(newer) or is_question(older):
        return UNRELATED
    mine, theirs = claims_of(newer), claims_of(older)
    found = [comparison for a in mine for b in theirs if (comparison := _compare_claims(a, b, newer)) is not None]
    conflicts = [one for one in found if one.relation in {Relation.OPPOSITE, Relation.OTHER_VALUE}]
    agreements = [one for one in found if one.relation is Relation.AGREE]
    if conflicts and _whole(conflicts, agreements, theirs):
        return conflicts[0]
    if conflicts:
        return Comparison(relation=Relation.TENSION, rule="part_denied", slot=conflicts[0].slot)
    tension = next((one for one in found if one.relation is Relation.TENSION), None)
    if tension is not None:
        return tension
    if agreements:
        return agreements[0]
    return _by_wording(newer, older, mine, theirs)


def adds_to(text: str) -> bool:
    """Whether a text names something besides what holds already ("也喜欢…", "also …"): it replaces nothing."""
    return bool(_ALSO.search(fold(text)))


def _whole(conflicts: list[Comparison], agreements: list[Comparison], theirs: tuple[Claim, ...]) -> bool:
    """Whether the conflicts leave nothing of the older text that still holds."""
    if any(one.relation is Relation.OTHER_VALUE for one in conflicts) or agreements:
        return True
    liked = {
        claim.value
        for claim in theirs
        if claim.form is Form.MANY and claim.positive and claim.slot == conflicts[0].slot
    }
    return len(liked) <= len(conflicts)


def _compare_claims(newer: Claim, older: Claim, text: str) -> Comparison | None:
    if newer.slot == older.slot == PLAN:
        return _compare_plans(newer, older, text)
    if newer.slot.startswith(("state", "attribute")) and newer.slot == older.slot:
        return _compare_things(newer, older)
    if not newer.same_slot(older):
        return None
    if newer.form is Form.MANY:
        return _compare_many(newer, older)
    found = _compare_single(newer, older)
    if found is not None and found.relation is Relation.OTHER_VALUE and newer.slot.split(":")[0] in PREFERENCES:
        return None if adds_to(text) else found
    return found


def _compare_single(newer: Claim, older: Claim) -> Comparison | None:
    slot = _shared_slot(newer, older)
    same = newer.same_value(older) or inside(newer.said, older.said)
    if same and slot.startswith("has:") and "some" not in newer.value | older.value:
        same = newer.value == older.value
    if newer.positive == older.positive:
        if same:
            return Comparison(relation=Relation.AGREE, rule="same_value", slot=slot)
        if not newer.positive:
            return None
        if slot.startswith("has:") and "some" in newer.value | older.value:
            return Comparison(relation=Relation.AGREE, rule="same_value", slot=slot)
        return Comparison(relation=Relation.OTHER_VALUE, rule="other_value", slot=slot)
    if same or (slot.startswith("has:") and "some" in newer.value | older.value):
        return Comparison(relation=Relation.OPPOSITE, rule="denied_value", slot=slot)
    return None


def _compare_many(newer: Claim, older: Claim) -> Comparison | None:  # noqa: PLR0911 (one answer a line reads best)
    slot = newer.slot
    if newer.value == older.value:
        if newer.positive == older.positive:
            return (
                None
                if newer.event or older.event
                else Comparison(relation=Relation.AGREE, rule="same_object", slot=slot)
            )
        if older.event:
            return None  # what happened once stays true whatever is liked later
        if newer.event:
            return Comparison(relation=Relation.TENSION, rule="happening_against_habit", slot=slot)
        return Comparison(relation=Relation.OPPOSITE, rule="opposite_attitude", slot=slot)
    if newer.positive == older.positive or slot not in {TOWARD, ABLE}:
        return None
    if newer.event and not older.event and not older.positive and _holds(newer, older):
        return Comparison(relation=Relation.TENSION, rule="happening_against_habit", slot=slot)
    return None


def _holds(happened: Claim, habit: Claim) -> bool:
    """Whether what was consumed contains what is avoided: 辣 in 麻辣火锅, spicy in spicy hotpot."""
    consumed = "".join(sorted(happened.value)) + fold(happened.said)
    return all(unit in consumed for unit in habit.value)


def _compare_plans(newer: Claim, older: Claim, text: str) -> Comparison | None:
    if newer.subject != older.subject:
        return None
    if newer.value == older.value:
        if newer.positive == older.positive:
            return Comparison(relation=Relation.AGREE, rule="same_plan", slot=PLAN)
        return Comparison(relation=Relation.OPPOSITE, rule="cancelled", slot=PLAN)
    if not newer.value and not newer.positive and older.positive:
        return Comparison(relation=Relation.OPPOSITE, rule="cancelled", slot=PLAN)
    if newer.positive and older.positive and re.search(r"改|换成|instead|changed", fold(text)):
        return Comparison(relation=Relation.OTHER_VALUE, rule="changed_plan", slot=PLAN)
    return None


def _compare_things(newer: Claim, older: Claim) -> Comparison | None:
    if not _same_thing(newer.subject, older.subject, exact=newer.slot.startswith("attribute")):
        return None
    slot = f"{newer.slot}:{min(newer.subject, older.subject)}"
    if newer.value == older.value:
        return Comparison(relation=Relation.AGREE, rule="same_value", slot=slot)
    return Comparison(relation=Relation.OTHER_VALUE, rule="other_value", slot=slot)


def _same_thing(one: str, other: str, *, exact: bool) -> bool:
    """Whether two things are one: equal words, general ones aside, and the same identifiers.

    Unless ``exact``, one name may be a little longer than the other.
    """
    mine, theirs = set(one.split(" ")) - _GENERAL, set(other.split(" ")) - _GENERAL
    if {word for word in mine if any(map(str.isdigit, word))} != {
        word for word in theirs if any(map(str.isdigit, word))
    }:
        return False
    more = mine ^ theirs
    return not more or (
        not exact
        and bool(mine & theirs)
        and len(more) <= _MORE_EXACT
        and (mine < theirs or theirs < mine)
        and not more & _OTHER_PART
    )


def _by_wording(newer: str, older: str, mine: tuple[Claim, ...], theirs: tuple[Claim, ...]) -> Comparison:
    """Opposites without a frame: nearly the same words, and one that is denied or replaced by its antonym."""
    one, other = wording_of(newer), wording_of(older)
    if _single_happening(newer) or _single_happening(older) or not _same_anchors(newer, older):
        return UNRELATED
    shared = one.units & other.units
    everything = one.units | other.units
    if not everything:
        return UNRELATED
    denied_here, denied_there = one.denied & other.units - other.denied, other.denied & one.units - one.denied
    # To deny the general denies the special ("no flute" and "a bamboo flute"), and not the reverse.
    covers = (denied_here and one.units <= other.units) or (denied_there and other.units <= one.units)
    if covers and bool(one.denied) != bool(other.denied) and len(shared) / len(everything) >= _ALIKE:
        return Comparison(relation=Relation.OPPOSITE, rule="denied_wording")
    mine_only, theirs_only = one.units - other.units, other.units - one.units
    if (
        len(mine_only) == len(theirs_only) == 1
        and len(shared) >= _LEAST_SHARED
        and bool(one.denied) == bool(other.denied)
    ):
        swapped = antonyms(next(iter(mine_only)), next(iter(theirs_only)))
        if swapped and not (_likes(mine) and _likes(theirs) and not _prefers(newer, older)):
            return Comparison(relation=Relation.OPPOSITE, rule="antonym")
    return UNRELATED


def _likes(claims: tuple[Claim, ...]) -> bool:
    return any(claim.slot in {TOWARD, ABLE, USES} or claim.slot.startswith("has") for claim in claims)


def _prefers(newer: str, older: str) -> bool:
    return all(re.search(r"偏好|倾向|prefer", fold(text)) for text in (newer, older))


def _single_happening(text: str) -> bool:
    folded = fold(text)
    return bool(re.search(lexicon.EVENT_ZH, folded) or re.search(lexicon.EVENT_EN, folded))


def _same_anchors(newer: str, older: str) -> bool:
    one, other = anchors(newer), anchors(older)
    return (one.numbers, one.ids, one.dates, one.quoted, one.names) == (
        other.numbers, other.ids, other.dates, other.quoted, other.names
    )  # fmt: skip


def _shared_slot(newer: Claim, older: Claim) -> str:
    """The more exact of two slots of which one may fit every topic."""
    return older.slot if newer.slot.endswith("*") else newer.slot
