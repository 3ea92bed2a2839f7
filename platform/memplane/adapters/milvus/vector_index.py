"""The port :class:`VectorIndex` on Milvus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.milvus import expressions, fields
from memplane.adapters.milvus.calls import MAX_PAGE, Search, delete, page, run_search, upsert
from memplane.adapters.milvus.client import MilvusConfig, MilvusConnection
from memplane.adapters.milvus.collections import dimension, drop, ensure
from memplane.adapters.milvus.terms import encode_terms
from memplane.domain.errors import StoreRejectedError, StoreUnavailableError
from memplane.domain.ids import MemoryId, Scope
from memplane.ports.vector_index import IndexEntry, IndexRow, Nominee

T = TypeVar("T")

UPSERT_ROWS: Final = 256
"""Rows of one upsert: 256 rows of 384 dimensions and full terms stay below a server's 64 MB message limit."""
DELETE_IDS: Final = 512
_MIN_EF: Final = 64


class MilvusVectorIndex:
    """Collections on Milvus or Milvus Lite. See :mod:`memplane.ports.vector_index` for the contract.

    Facts have no vector, and Milvus 2.5 wants one in every row: they carry a constant one, and every dense search is
    filtered by ``kind != "fact"``. (Nullable vectors would say it better; servers before 2.6 and their indexes do not
    take them.) A row of another kind without a vector is refused: StoreRejectedError, as for a wrong dimension. Of
    several rows of one memory in one call, the last is written. A missing collection is StoreUnavailableError: it has
    still to be made or rebuilt.
    """

    def __init__(self, config: MilvusConfig) -> None:
        self._config = config
        self._connection = MilvusConnection(config)
        self._dimensions: dict[str, int] = {}

    async def close(self) -> None:
        """Closes the connection and its threads."""
        await self._connection.close()

    async def ensure_collection(self, *, collection: str, dim: int) -> None:
        """Creates, indexes and loads the collection as far as that is still to be done."""
        await self._connection.call(
            lambda client, left: ensure(client, collection, dim, timeout_s=left),
            operation="ensure_collection",
            timeout_s=self._config.admin_timeout_s,
        )
        self._dimensions[collection] = dim

    async def drop_collection(self, *, collection: str) -> None:
        """Removes the collection."""
        self._dimensions.pop(collection, None)
        await self._connection.call(
            lambda client, left: drop(client, collection, timeout_s=left),
            operation="drop_collection",
            timeout_s=self._config.admin_timeout_s,
        )

    async def upsert(self, *, collection: str, rows: Sequence[IndexRow]) -> None:
        """Writes rows in batches of :data:`UPSERT_ROWS`, each with its own time-out. Repeating a call is safe."""
        if not rows:
            return
        dim = await self._dimension(collection)
        # Milvus does not say which of two rows with one key in one request stays.
        last = list({row.memory_id: row for row in rows}.values())
        for batch in _batches(last, UPSERT_ROWS):
            await self._connection.call(
                partial(upsert, collection=collection, batch=batch, dim=dim),
                operation="upsert",
                timeout_s=self._config.write_timeout_s,
            )

    async def delete(self, *, collection: str, scope: Scope, memory_ids: Sequence[MemoryId]) -> None:
        """Removes rows in batches of :data:`DELETE_IDS`, each inside the filter of its scope."""
        for batch in _batches(memory_ids, DELETE_IDS):
            await self._connection.call(
                partial(delete, collection=collection, chosen=expressions.of_ids(scope, batch)),
                operation="delete",
                timeout_s=self._config.write_timeout_s,
            )

    async def search_dense(
        self, *, collection: str, scope: Scope, vector: NDArray[np.float32], limit: int, timeout_s: float
    ) -> list[Nominee]:
        """The nearest rows of the scope that are no facts. ``score`` is the cosine."""
        query = np.ascontiguousarray(vector, dtype=np.float32)
        known = self._dimensions.get(collection)
        if query.ndim != 1 or (known is not None and query.shape[0] != known):
            raise StoreRejectedError(
                f"a query of shape {query.shape} cannot be asked of vectors of dimension {known}",
                data={"component": "milvus"},
            )
        return await self._search(
            Search(
                collection=collection,
                scope=scope,
                data=query,
                field=fields.DENSE,
                expression=expressions.with_vector(scope),
                params={"metric_type": "COSINE", "params": {"ef": max(_MIN_EF, 2 * limit)}},
                limit=limit,
            ),
            timeout_s=timeout_s,
        )

    async def search_keyword(
        self, *, collection: str, scope: Scope, terms: Sequence[str], limit: int, timeout_s: float
    ) -> list[Nominee]:
        """The rows of the scope that share terms, facts among them. ``score`` is the index's BM25, never negative."""
        text = encode_terms(dict.fromkeys(terms))
        if not text:
            return []
        return await self._search(
            Search(
                collection=collection,
                scope=scope,
                data=text,
                field=fields.SPARSE,
                expression=expressions.of_scope(scope),
                params={"metric_type": "BM25"},
                limit=limit,
            ),
            timeout_s=timeout_s,
        )

    async def entries(self, *, collection: str, after: MemoryId | None, limit: int) -> list[IndexEntry]:
        """A page of all rows, read with strong consistency."""
        found: list[IndexEntry] = []
        while len(found) < limit:
            wanted = min(limit - len(found), MAX_PAGE)
            rows = await self._connection.call(
                partial(page, collection=collection, after=found[-1].memory_id if found else after, limit=wanted),
                operation="entries",
                timeout_s=self._config.admin_timeout_s,
            )
            found += rows
            if len(rows) < wanted:
                break
        return found

    async def ping(self, *, timeout_s: float) -> None:
        """Asks the server for its version, past every cache."""
        await self._connection.call(
            lambda client, left: client.get_server_version(timeout=left), operation="ping", timeout_s=timeout_s
        )

    async def _search(self, search: Search, *, timeout_s: float) -> list[Nominee]:
        if search.limit < 1:
            return []
        return await self._connection.call(
            partial(run_search, search=search, consistency=self._config.search_consistency),
            operation=f"search_{search.field}",
            timeout_s=timeout_s,
            deadline_is_callers=True,
        )

    async def _dimension(self, collection: str) -> int:
        """The collection's dimension, asked for once. Raises: StoreUnavailableError if there is no such collection."""
        known = self._dimensions.get(collection)
        if known is not None:
            return known
        found = await self._connection.call(
            lambda client, left: dimension(client, collection, timeout_s=left),
            operation="describe",
            timeout_s=self._config.write_timeout_s,
        )
        if found is None:
            raise StoreUnavailableError(
                f"there is no collection {collection!r} yet; ensure it, then rebuild the index",
                data={"component": "milvus", "collection": collection},
            )
        self._dimensions[collection] = found
        return found


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
