"""The derived index on Milvus, by way of pymilvus over gRPC: the same code for a Milvus server and for Milvus Lite.

Owns: the collections' schema, filter expressions, the terms' wire form and error translation. Decides nothing about
what is true: its answers are candidates that the truth is asked about.
"""

from memplane.adapters.milvus.client import MilvusConfig
from memplane.adapters.milvus.vector_index import MilvusVectorIndex

__all__ = ["MilvusConfig", "MilvusVectorIndex"]
