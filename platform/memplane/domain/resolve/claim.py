"""A claim: one thing that a statement holds true of one subject, in a form that two statements can be compared by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

USER: Final = "user"
"""The subject of what is said of the user, in either language and person."""


class Form(StrEnum):
    """How the values of a claim exclude each other."""

    SINGLE = "single"
    """One value at a time: a residence, a price, a state."""
    MANY = "many"
    """Any number of values; only denial of the same value excludes (likes, abilities)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """``subject`` has ``value`` in ``slot``, or has it not."""

    slot: str
    """What is claimed: ``residence``, ``toward``, ``attribute:报价``. A trailing ``:*`` fits every topic of it."""
    subject: str
    value: frozenset[str]
    """The value as content words; empty where a text denies without naming it ("算了不去了")."""
    positive: bool = True
    form: Form = Form.SINGLE
    event: bool = False
    """A single happening: it does not deny what holds in general."""
    said: str = ""
    """The value as it stands in the text."""

    def same_slot(self, other: Claim) -> bool:
        """Whether both speak of one slot of one subject."""
        if self.subject != other.subject:
            return False
        (mine, _, my_topic), (theirs, _, their_topic) = self.slot.partition(":"), other.slot.partition(":")
        return mine == theirs and (my_topic == their_topic or "*" in (my_topic, their_topic))

    def same_value(self, other: Claim) -> bool:
        """Whether one value says nothing that the other denies: equal, or one more exact than the other."""
        if self.value == other.value:
            return True
        if self.form is Form.MANY or not self.value or not other.value:
            return False
        return self.value < other.value or other.value < self.value
