# ruff: noqa: E501 (patterns and tables)
"""What a tenant wants kept: lists of sorts of statement. What is on none of them is dropped, with the reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from memplane.domain.statements import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSort:
    """One sort of statement worth keeping. A statement is of the sort if all that is given holds."""

    name: str
    categories: frozenset[str] = frozenset()
    """Categories of the sort; empty: any."""
    slots: tuple[str, ...] = ()
    """Beginnings of slots or fact keys; empty: any, also none."""
    words: re.Pattern[str] | None = None
    """What the statement speaks of; None: anything."""

    def holds(self, statement: Statement) -> bool:
        """Whether ``statement`` is of this sort."""
        slot = statement.fact_key or statement.slot or ""
        return (
            (not self.categories or statement.category in self.categories)
            and (not self.slots or slot.startswith(self.slots))
            and (self.words is None or self.words.search(statement.text) is not None)
        )


_IDENTITY: Final = WantedSort(
    name="identity",
    categories=frozenset({"attribute", "relation"}),
    slots=("user/profile/", "user/family/", "user/allergy/"),
)
_WISHES: Final = WantedSort(
    name="wishes to the assistant",
    categories=frozenset({"preference"}),
    slots=(
        "user/preference/report_channel",
        "user/preference/language",
        "user/preference/reply_",
        "user/preference/tone",
        "user/rule/",
    ),
)


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


PRESETS: Final[Mapping[str, tuple[WantedSort, ...]]] = MappingProxyType(
    {
        "travel": (
            WantedSort(name="preferences", categories=frozenset({"preference"})),
            WantedSort(
                name="itinerary decisions",
                categories=frozenset({"event", "decision"}),
                slots=("trip/", "event/", "user/decision/hotel"),
            ),
            WantedSort(
                name="itinerary decisions",
                categories=frozenset({"event", "decision"}),
                words=_words(
                    r"行程|机票|酒店|民宿|航班|高铁|火车|旅|签证|\b(?:trip|flight|hotel|train|itinerary|visa|booking|travel)\w*"
                ),
            ),
            _IDENTITY,
        ),
        "e-commerce": (
            WantedSort(
                name="order status",
                categories=frozenset({"state"}),
                slots=("order/", "shipment/", "refund/", "invoice/"),
            ),
            WantedSort(name="order status", words=_words(r"订单|发货|快递|物流|\b(?:order|shipment|parcel|package)\b")),
            WantedSort(
                name="after-sales requests",
                words=_words(r"退货|退款|换货|售后|维修|发票|\b(?:refund|return|exchange|warranty|repair|invoice)\b"),
            ),
            WantedSort(name="product preferences", categories=frozenset({"preference"})),
            WantedSort(
                name="delivery and billing",
                slots=("user/business/shipping_address", "user/business/invoice_title", "user/allergy/"),
            ),
        ),
        "office": (
            WantedSort(name="meetings", categories=frozenset({"event", "decision"}), slots=("meeting/", "event/")),
            WantedSort(
                name="milestones",
                categories=frozenset({"state", "event"}),
                slots=("project/", "task/", "user/business/"),
            ),
            WantedSort(
                name="milestones",
                words=_words(
                    r"项目|进度|上线|发布|里程碑|交付|\b(?:project|milestone|release|launch|sprint|deadline)\b"
                ),
            ),
            WantedSort(
                name="working relations", categories=frozenset({"relation"}), slots=("user/relation/", "customer/")
            ),
            WantedSort(name="customers", slots=("customer/",)),
            WantedSort(name="decisions", categories=frozenset({"decision"})),
            _WISHES,
        ),
    }
)
"""The lists that come with the product, by the name a tenant's policy gives."""


def unwanted(statement: Statement, wanted: tuple[WantedSort, ...]) -> str | None:
    """Why ``statement`` is dropped, or None if it is on the list. An explicit instruction is always wanted."""
    if not wanted or "explicit" in statement.triggers or any(sort.holds(statement) for sort in wanted):
        return None
    names = ", ".join(dict.fromkeys(sort.name for sort in wanted))
    return f"not on the list of what is worth keeping ({names}): category {statement.category}, slot {statement.slot or 'none'}"
