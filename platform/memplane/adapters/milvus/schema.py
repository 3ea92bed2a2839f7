"""The schema and the indexes of a collection ``memories_<generation>``."""

from __future__ import annotations

from typing import Any, Final

from pymilvus import CollectionSchema, DataType, Function, FunctionType, MilvusClient

from memplane.adapters.milvus import fields

PARTITIONS: Final = 64
"""Physical partitions behind the partition key. A server spreads scopes over them; Milvus Lite always has 16."""

INDEXES: Final[dict[str, dict[str, Any]]] = {
    fields.DENSE: {"index_type": "HNSW", "metric_type": "COSINE", "params": {"M": 16, "efConstruction": 200}},
    fields.SPARSE: {
        "index_type": "SPARSE_INVERTED_INDEX",
        "metric_type": "BM25",
        "params": {"inverted_index_algo": "DAAT_MAXSCORE", "bm25_k1": 1.2, "bm25_b": 0.75},
    },
}
"""Field to index. The same on a server and on Milvus Lite."""


def collection_schema(dim: int) -> CollectionSchema:
    """The fields of a collection whose vectors have ``dim`` dimensions."""
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field(fields.MEMORY_ID, DataType.VARCHAR, is_primary=True, max_length=fields.MAX_MEMORY_ID_BYTES)
    schema.add_field(fields.SCOPE, DataType.VARCHAR, max_length=fields.MAX_SCOPE_BYTES, is_partition_key=True)
    schema.add_field(fields.TENANT_ID, DataType.VARCHAR, max_length=fields.MAX_TENANT_ID_BYTES)
    schema.add_field(fields.KIND, DataType.VARCHAR, max_length=fields.MAX_KIND_BYTES)
    schema.add_field(fields.AGENT_ID, DataType.VARCHAR, max_length=fields.MAX_CALLER_ID_BYTES)
    schema.add_field(fields.CATEGORY, DataType.VARCHAR, max_length=fields.MAX_CATEGORY_BYTES)
    schema.add_field(fields.EVENT_TIME, DataType.INT64)
    schema.add_field(fields.VERSION, DataType.INT64)
    schema.add_field(
        fields.TERMS,
        DataType.VARCHAR,
        max_length=fields.MAX_TERMS_BYTES,
        enable_analyzer=True,
        analyzer_params={"type": "standard"},
    )
    schema.add_field(fields.DENSE, DataType.FLOAT_VECTOR, dim=dim)
    schema.add_field(fields.SPARSE, DataType.SPARSE_FLOAT_VECTOR)
    schema.add_function(
        Function(
            name="terms_bm25",
            function_type=FunctionType.BM25,
            input_field_names=[fields.TERMS],
            output_field_names=[fields.SPARSE],
        )
    )
    return schema


def dimension_of(description: dict[str, Any]) -> int | None:
    """The dimension of the vectors in what ``describe_collection`` answers; ``None`` if there are none."""
    for field in description.get("fields", ()):
        if field.get("name") == fields.DENSE:
            dim = field.get("params", {}).get("dim")
            return None if dim is None else int(dim)
    return None
