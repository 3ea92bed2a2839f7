"""Reads that the store and the search share: rows of one scope together with how they were used."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Final, TypeVar

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.memory_rows import access_of
from memplane.domain.ids import MemoryId, ScopeTag, TenantId
from memplane.domain.memory import MemoryAccess

BY_IDS: Final[Mapping[str, Any]] = {"optimize_move_to_prewhere_if_final": 1}
"""For reads of all columns of few rows: conditions on the key, and no others, are met before more columns are read."""

Uses = Mapping[str, MemoryAccess]
A = TypeVar("A")
B = TypeVar("B")


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


async def together(first: Coroutine[Any, Any, A], second: Coroutine[Any, Any, B]) -> tuple[A, B]:
    """Runs both reads at once. Raises what the first to fail raises; the other one is cancelled."""
    try:
        async with asyncio.TaskGroup() as group:
            first_task, second_task = group.create_task(first), group.create_task(second)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    return first_task.result(), second_task.result()
