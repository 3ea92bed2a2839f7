"""The recall log and the counts of use in ClickHouse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.table import NAME, OPTIONAL_NAME, OPTIONAL_TEXT, TEXT, TEXTS, TIME, Table
from memplane.domain.ids import MemoryId, Scope
from memplane.domain.recall_record import RecallRecord

RECALL_LOG: Final = Table(
    name="recall_log",
    durable=False,
    columns={
        "tenant_id": NAME,
        "user_id": TEXT,
        "scope_tag": TEXT,
        "at": TIME,
        "trace_id": TEXT,
        "agent_id": OPTIONAL_NAME,
        "session_id": OPTIONAL_TEXT,
        "route": NAME,
        "plan": NAME,
        "generation": NAME,
        "arms": "Array(LowCardinality(String))",
        "memory_ids": TEXTS,
        "scores": "Array(Float32)",
        "stage_ms": "Map(LowCardinality(String), Float32)",
        "took_ms": "Float32",
        "degraded": "Array(LowCardinality(String))",
    },
)
MEMORY_ACCESS: Final = Table(
    name="memory_access",
    durable=False,
    columns={
        "tenant_id": NAME,
        "user_id": "SimpleAggregateFunction(any, String)",
        "scope_tag": TEXT,
        "memory_id": TEXT,
        "recalled": "SimpleAggregateFunction(sum, UInt64)",
        "last_recalled_at": "SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC')))",
    },
)
"""Deltas: the table adds them up. A lost or doubled batch moves a frequency by little, so they are sent once."""


class ClickHouseRecallLog:
    """Implements ``ports.recall_log.RecallLog``."""

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client

    async def append(self, *, records: Sequence[RecallRecord]) -> None:
        """See the port."""
        await RECALL_LOG.insert(self._client, [_log_row(record) for record in records])

    async def count_uses(self, *, records: Sequence[RecallRecord]) -> None:
        """See the port."""
        counts: Counter[tuple[Scope, MemoryId]] = Counter()
        last: dict[tuple[Scope, MemoryId], datetime] = {}
        for record in records:
            for memory_id in record.memory_ids:
                key = (record.scope, memory_id)
                counts[key] += 1
                last[key] = max(record.at, last.get(key, record.at))
        await MEMORY_ACCESS.insert(
            self._client,
            [
                (scope.tenant_id, scope.user_id, scope.tag, memory_id, count, last[scope, memory_id])
                for (scope, memory_id), count in counts.items()
            ],
        )


def _log_row(record: RecallRecord) -> tuple[object, ...]:
    scope = record.scope
    return (
        scope.tenant_id, scope.user_id, scope.tag, record.at, record.trace_id, record.agent_id, record.session_id,
        record.route, record.plan, record.generation, list(record.arms), list(record.memory_ids), list(record.scores),
        dict(record.stage_ms), record.took_ms, list(record.degraded),
    )  # fmt: skip
