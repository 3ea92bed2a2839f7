"""What one call of the vendor's client does, given the seconds that are left. All of it may be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pymilvus import MilvusClient

from memplane.adapters.milvus import expressions, fields
from memplane.adapters.milvus.collections import when_loaded
from memplane.adapters.milvus.rows import to_entity
from memplane.domain.ids import MemoryId, Scope
from memplane.ports.vector_index import IndexEntry, IndexRow, Nominee

MAX_PAGE: Final = 16_384
"""Milvus's own limit of rows in one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One search of one arm. ``data``: (dim,) for the dense field, text for the sparse one."""

    collection: str
    scope: Scope
    data: NDArray[np.float32] | str
    field: str
    expression: str
    params: dict[str, Any]
    limit: int


def upsert(client: MilvusClient, left: float, *, collection: str, batch: Sequence[IndexRow], dim: int) -> None:
    """Writes one batch."""
    client.upsert(collection, [to_entity(row, dim=dim) for row in batch], timeout=left)


def delete(client: MilvusClient, left: float, *, collection: str, chosen: str) -> None:
    """Removes the rows that the expression ``chosen`` names."""
    # Milvus Lite finds the rows by a query, so it wants the collection loaded for a deletion as well.
    when_loaded(client, collection, lambda: client.delete(collection, filter=chosen, timeout=left), timeout_s=left)


def run_search(client: MilvusClient, left: float, *, search: Search, consistency: str) -> list[Nominee]:
    """The hits of one arm, best first."""

    def ask() -> Any:
        return client.search(
            search.collection,
            data=[search.data],
            anns_field=search.field,
            filter=search.expression,
            limit=min(search.limit, MAX_PAGE),
            output_fields=[fields.SCOPE, fields.VERSION],
            search_params=search.params,
            consistency_level=consistency,
            timeout=left,
        )

    (hits,) = when_loaded(client, search.collection, ask, timeout_s=left)
    return [
        # Milvus Lite gives BM25 scores with a minus before them; a server gives them as they are.
        Nominee(
            memory_id=MemoryId(hit[fields.MEMORY_ID]),
            version=int(hit["entity"][fields.VERSION]),
            score=abs(hit["distance"]) if search.field == fields.SPARSE else float(hit["distance"]),
        )
        for hit in hits
        # The filter says so already; servers have answered past it when they looked at several arms at once.
        if hit["entity"][fields.SCOPE] == search.scope.partition
    ]


def page(client: MilvusClient, left: float, *, collection: str, after: MemoryId | None, limit: int) -> list[IndexEntry]:
    """The first ``limit`` rows behind ``after``, in order of ids."""
    rows = when_loaded(
        client,
        collection,
        lambda: client.query(
            collection,
            filter=expressions.after_id(after),
            output_fields=[fields.MEMORY_ID, fields.VERSION],
            limit=limit,
            # What pymilvus's own query iterator sends: without it a page is any rows, not the first ones by key.
            iterator="True",
            reduce_stop_for_best="True",
            consistency_level="Strong",
            timeout=left,
        ),
        timeout_s=left,
    )
    entries = [IndexEntry(memory_id=MemoryId(row[fields.MEMORY_ID]), version=int(row[fields.VERSION])) for row in rows]
    return sorted(entries, key=lambda entry: entry.memory_id)
