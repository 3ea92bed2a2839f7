"""Milvus Lite behind a gRPC server of our own, on loopback only, with a token and serialised writes.

`python -m memplane.adapters.local.milvus` owns the data directory. pymilvus' clients work against it unchanged. What
it must not do: import milvus_lite before its memory limit is set, or log expressions and values.
"""
