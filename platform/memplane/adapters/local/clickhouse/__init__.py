"""Embedded ClickHouse (chdb) behind the ClickHouse HTTP interface, on loopback only.

`python -m memplane.adapters.local.clickhouse` owns the data directory. clickhouse-connect's clients work against it
unchanged. What it must not do: keep sessions, read files or URLs for a statement, or log statement text.
"""
