"""Which plan a recall takes when the caller leaves the choice."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from memplane.domain.ids import Scope
from memplane.domain.queries import Plan, RecallRequest
from memplane.ports.retrieval import ScopeReading, Visible

REMEMBERED_SCOPES: Final = 10_000


class Planner:
    """Decides ``auto``; remembers how many rows the last whole reading of a scope had.

    A small scope is read exactly. One above ``exact_max_rows`` goes through the index, if a Milvus server answers there
    (``indexed``); Milvus Lite is searched only when the caller asks for ``index``. A scope of unknown size, and a
    request with filters of its own, is read exactly: filters run first, in the truth, and ranking inside what is left.
    """

    def __init__(self, *, indexed: bool, exact_max_rows: int, remembered: int = REMEMBERED_SCOPES) -> None:
        self._indexed = indexed
        self._exact_max_rows = exact_max_rows
        self._remembered = remembered
        self._rows: OrderedDict[Scope, int] = OrderedDict()

    def plan(self, request: RecallRequest, visible: Visible) -> Plan:
        """``exact`` or ``index``; what the caller asked for, if it did."""
        if request.plan is not Plan.AUTO:
            return request.plan
        if not self._indexed or visible.is_narrowed:
            return Plan.EXACT
        return Plan.INDEX if self._rows.get(visible.scope, 0) > self._exact_max_rows else Plan.EXACT

    def learn(self, visible: Visible, reading: ScopeReading) -> None:
        """Remembers the size of the scope; a reading that left rows out does not tell it."""
        if visible.is_narrowed:
            return
        self._rows[visible.scope] = reading.rows.statistics.rows
        self._rows.move_to_end(visible.scope)
        while len(self._rows) > self._remembered:
            self._rows.popitem(last=False)
