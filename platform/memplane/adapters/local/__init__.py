"""The engines of the local shape, each in a process of its own: embedded ClickHouse and Milvus Lite.

Both engines allow one process per data directory, so every other process reaches them through a loopback server
that speaks the protocol of the real one. Nothing here is imported by the stores: they talk to these servers exactly
as they talk to ClickHouse and Milvus.
"""
