"""Reads that the store and the search share: rows of one scope together with how they were used."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Final

from memplane.adapters.clickhouse.client import ClickHouseClient, QueryRows
from memplane.adapters.clickhouse.memory_rows import access_of
from memplane.domain.ids import MemoryId, ScopeTag, TenantId
from memplane.domain.memory import MemoryAccess

BY_IDS: Final[Mapping[str, Any]] = {"optimize_move_to_prewhere_if_final": 1}
"""For reads of all columns of few rows: conditions on the key, and no others, are met before more columns are read."""

Uses = Mapping[str, MemoryAccess]


async def uses_of(
    client: ClickHouseClient,
    *,
    tenant_id: TenantId,
    scope_tag: ScopeTag,
    memory_ids: Sequence[MemoryId],
    timeout_s: float | None = None,
) -> Uses:
    """How often and when each memory was used; those never used are absent.

    The key names the user as well: the hash in a memory's id includes it.
    """
    if not memory_ids:
        return {}
    parameters = {"tenant_id": tenant_id, "scope_tag": scope_tag, "memory_ids": list(memory_ids)}
    answer = await client.query("memory_access", parameters=parameters, timeout_s=timeout_s)
    return {row["memory_id"]: access_of(row) for row in answer.dicts()}


async def rows_and_uses(
    rows: Coroutine[Any, Any, QueryRows], uses: Coroutine[Any, Any, Uses]
) -> tuple[QueryRows, Uses]:
    """Runs both reads at once. Raises what the first to fail raises; the other one is cancelled."""
    try:
        async with asyncio.TaskGroup() as group:
            rows_task, uses_task = group.create_task(rows), group.create_task(uses)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    return rows_task.result(), uses_task.result()
