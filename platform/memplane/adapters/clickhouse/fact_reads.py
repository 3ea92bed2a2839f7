"""Facts of one scope as they stand or stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.memory_rows import memory_of
from memplane.domain.clock import to_millis
from memplane.domain.memory import Memory
from memplane.ports.memory_store import FactQuery


async def read_facts(client: ClickHouseClient, query: FactQuery) -> list[Memory]:
    """One page, by the query's two times. See ``ports.memory_store.FactQuery``."""
    if query.is_of_now:
        answer = await client.query("facts_current", parameters=_parameters(query))
        return [memory_of(row) for row in answer.dicts()]
    known_at_ms = to_millis(query.known_at or query.now)
    answer = await client.query("facts_as_of", parameters=_parameters(query) | {"known_at_ms": known_at_ms})
    return [_ended(row) for row in answer.dicts()]


def _ended(row: Mapping[str, Any]) -> Memory:
    memory = memory_of(row)
    ends = [end for end in (memory.valid_to, row["next_from"]) if end is not None]
    return replace(memory, valid_to=min(ends, default=None))


def _parameters(query: FactQuery) -> dict[str, Any]:
    after_ms, after_id = query.after or (0, "")
    return {
        "tenant_id": query.scope.tenant_id,
        "scope_tag": query.scope.tag,
        "user_id": query.scope.user_id,
        "as_of_ms": to_millis(query.as_of or query.now),
        "key_prefix": "" if query.entity_type is None else f"{query.entity_type}/",
        "memory_ids": list(query.memory_ids),
        "viewer": query.viewer,
        "sees_private": query.sees_private,
        "continued": bool(query.after),
        "after_ms": after_ms,
        "after_id": after_id,
        "limit": query.limit,
    }
