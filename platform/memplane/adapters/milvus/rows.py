"""A row of the index as Milvus takes it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.milvus import fields
from memplane.adapters.milvus.terms import NO_TERMS, encode_terms
from memplane.domain.clock import to_millis
from memplane.domain.errors import StoreRejectedError
from memplane.domain.memory import Kind
from memplane.ports.vector_index import IndexRow


def to_entity(row: IndexRow, *, dim: int) -> dict[str, Any]:
    """The fields of ``row``. Raises: StoreRejectedError for a vector of another dimension, or none where one is due."""
    return {
        fields.MEMORY_ID: row.memory_id,
        fields.SCOPE: row.scope.partition,
        fields.TENANT_ID: row.scope.tenant_id,
        fields.KIND: row.kind,
        fields.AGENT_ID: row.agent_id or "",
        fields.CATEGORY: row.category,
        fields.EVENT_TIME: to_millis(row.event_time),
        fields.VERSION: row.version,
        fields.TERMS: encode_terms(row.terms) or NO_TERMS,
        fields.DENSE: _vector(row, dim),
    }


def _vector(row: IndexRow, dim: int) -> NDArray[np.float32]:
    if row.kind == Kind.FACT:
        # Milvus 2.5 wants a vector in every row. Facts get a constant one, which the dense arm's filter keeps out of
        # every answer.
        placeholder = np.zeros(dim, dtype=np.float32)
        placeholder[0] = 1.0
        return placeholder
    if row.vector is None:
        raise StoreRejectedError(
            f"row {row.memory_id!r} of kind {row.kind!r} has no vector; only facts may go without",
            data={"component": "milvus"},
        )
    vector = np.ascontiguousarray(row.vector, dtype=np.float32)
    if vector.shape != (dim,):
        raise StoreRejectedError(
            f"row {row.memory_id!r} has a vector of shape {vector.shape}, the collection takes ({dim},)",
            data={"component": "milvus"},
        )
    return vector
