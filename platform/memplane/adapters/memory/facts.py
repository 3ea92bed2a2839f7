"""Facts of a scope as they stand or stood: what the real store asks in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memplane.adapters.memory.visibility import may_see
from memplane.domain.clock import to_millis
from memplane.domain.memory import Kind, Memory, Status
from memplane.ports.memory_store import FactQuery


def facts_page(facts: Sequence[Sequence[Memory]], query: FactQuery) -> list[Memory]:
    """One page of facts from all versions of each memory of the scope."""
    shown = [found for versions in facts if (found := _standing(versions, query)) is not None]
    shown = [memory for memory in shown if _matches(memory, query)]
    shown.sort(key=_sort_key, reverse=True)
    if query.after:
        shown = [memory for memory in shown if _sort_key(memory) < query.after]
    return shown[: query.limit]


def _standing(versions: Sequence[Memory], query: FactQuery) -> Memory | None:
    """The version that counts at the query's times, if it may show then."""
    if query.is_of_now:
        at, statuses = query.now, {Status.ACTIVE}
        memory = max(versions, key=lambda version: (version.rank, version.version))
    else:
        at, statuses = query.as_of or query.now, {Status.ACTIVE, Status.SUPERSEDED}
        known_at = query.known_at or query.now
        known = [version for version in versions if version.recorded_at <= known_at]
        true_by_then = [version for version in known if version.valid_from <= at]
        if not true_by_then:
            return None
        memory = max(true_by_then, key=lambda version: (version.valid_from, version.version))
        later = [version.valid_from for version in known if version.valid_from > at]
        ends = [end for end in (memory.valid_to, *later) if end is not None]
        memory = replace(memory, valid_to=min(ends, default=None))
    is_over = (memory.expires_at is not None and memory.expires_at <= at) or (
        memory.valid_to is not None and memory.valid_to <= at
    )
    return None if is_over or memory.status not in statuses else memory


def _matches(memory: Memory, query: FactQuery) -> bool:
    key = memory.fact_key
    return (
        memory.kind is Kind.FACT
        and key is not None
        and (query.entity_type is None or key.startswith(f"{query.entity_type}/"))
        and (not query.memory_ids or memory.memory_id in query.memory_ids)
        and may_see(memory, viewer=query.viewer, sees_private=query.sees_private)
    )


def _sort_key(memory: Memory) -> tuple[int, str]:
    return to_millis(memory.valid_from), memory.memory_id
