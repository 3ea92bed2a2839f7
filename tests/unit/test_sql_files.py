"""Rules that every shipped SQL file keeps."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from memplane.adapters.clickhouse.audit_log import AUDIT_LOG
from memplane.adapters.clickhouse.control_rows import API_KEYS, TENANTS
from memplane.adapters.clickhouse.event_rows import EVENTS, OUTCOMES
from memplane.adapters.clickhouse.lease_store import WRITER_LEASES
from memplane.adapters.clickhouse.operations import OPERATIONS
from memplane.adapters.clickhouse.render import render
from memplane.adapters.clickhouse.sql_files import migration_texts, query_names, query_text
from memplane.adapters.clickhouse.table import Table
from memplane.domain.audit_chain import AuditRow
from memplane.domain.control import ApiKey, Tenant
from memplane.domain.errors import StoreRejectedError
from memplane.domain.memory import Event, EventOutcome, Memory
from memplane.ports.leases import Lease
from memplane.ports.operations import Operation

WITHOUT_TENANT = {
    "control_snapshot": "control data of all tenants, read by the platform itself",
    "leases_load": "leases are of shards, which all tenants share",
    "events_first_arrival": "bounds a search for unfinished work over whole shards; returns a time only",
}
"""Queries that may leave the tenant out of their conditions, each with the reason."""

BY_SHARD = {
    "events_pending": "unfinished work is driven by the holder of a shard, whatever the tenant",
    "memory_indexable": "the index of a shard is checked by its holder, whatever the tenant",
}
"""Queries that read whole shards. They return the tenant of every row."""

TENANT_CONDITION = re.compile(
    r"\btenant_id = \{tenant_id:String\}|\((\w+\.)?tenant_id, (\w+\.)?scope_tag, [\w., ]+\) IN "
)


def test_there_are_queries_and_migrations() -> None:
    assert {"events_find", "operations_find", "audit_head"} <= set(query_names())
    assert len(migration_texts()) >= 7


@pytest.mark.parametrize("name", sorted(set(query_names()) - set(WITHOUT_TENANT) - set(BY_SHARD)))
def test_a_query_is_bound_to_a_tenant(name: str) -> None:
    assert TENANT_CONDITION.search(query_text(name)), f"{name}.sql has no condition on tenant_id"


@pytest.mark.parametrize("name", sorted(set(query_names()) & set(BY_SHARD)))
def test_a_query_by_shard_is_bound_to_shards_and_tells_the_tenant(name: str) -> None:
    text = query_text(name)
    assert "shard IN {shards:Array(UInt8)}" in text
    assert re.search(r"SELECT\s+(\w+\.)?tenant_id\b", text)


@pytest.mark.parametrize("name", query_names())
def test_queries_are_one_reading_statement_with_server_side_parameters(name: str) -> None:
    text = query_text(name)
    assert re.match(r"(SELECT|WITH)\b", text)
    assert ";" not in text
    assert not re.search(r"%\(|%s|\{\{|\{\w*\}", text), "values are bound as {name:Type}"
    assert not re.search(r"\b(INSERT|ALTER|DROP|CREATE|TRUNCATE|DELETE)\b", text)


def test_migrations_are_numbered_without_gaps() -> None:
    names = list(migration_texts())
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


@pytest.mark.parametrize("cluster", ["", "main"])
@pytest.mark.parametrize("name", list(migration_texts()))
def test_migrations_render_for_one_node_and_for_a_cluster(name: str, cluster: str) -> None:
    statements = render(migration_texts()[name], database="memplane", cluster=cluster)
    assert statements
    for statement in statements:
        assert re.match(r"CREATE (TABLE|MATERIALIZED VIEW) IF NOT EXISTS memplane\.\w+", statement)
        assert "{{" not in statement
        assert ";" not in statement
        assert (" ON CLUSTER main" in statement) == bool(cluster)
        is_table = statement.startswith("CREATE TABLE")
        assert ("ENGINE = Replicated" in statement) == (bool(cluster) and is_table)


def test_replicated_engines_keep_their_arguments() -> None:
    head = "CREATE TABLE IF NOT EXISTS {{database}}.t {{on_cluster}}"
    text = f"{head} (x UInt8) ENGINE = {{{{engine:ReplacingMergeTree(x)}}}} ORDER BY x;\n"
    (single,) = render(text, database="d")
    (replicated,) = render(text, database="d", cluster="c")
    (bare,) = render(text.replace("ReplacingMergeTree(x)", "MergeTree"), database="d", cluster="c")
    path = "'/clickhouse/tables/{shard}/d/t', '{replica}'"
    assert single == "CREATE TABLE IF NOT EXISTS d.t (x UInt8) ENGINE = ReplacingMergeTree(x) ORDER BY x"
    assert "d.t ON CLUSTER c (x UInt8)" in replicated
    assert replicated.endswith(f"ENGINE = ReplicatedReplacingMergeTree({path}, x) ORDER BY x")
    assert f"ENGINE = ReplicatedMergeTree({path}) ORDER BY x" in bare


def test_statements_end_at_a_semicolon_at_the_end_of_a_line_only() -> None:
    text = "-- a comment; with one\nSELECT 'a;b',\n  1;\n\nSELECT 2 ;  \n-- the end;\n"
    assert render(text, database="d") == ["SELECT 'a;b',\n  1", "SELECT 2"]


@pytest.mark.parametrize("text", ["SELECT {{unknown}};", "ALTER TABLE x MODIFY ENGINE {{engine:MergeTree}};"])
def test_what_cannot_be_rendered_is_refused(text: str) -> None:
    with pytest.raises(StoreRejectedError):
        render(text, database="d", cluster="c")


@pytest.mark.parametrize("name", ["", "a b", "a;b", "`a`", "1a", "a" * 65, "数据"])
def test_names_are_plain_identifiers(name: str) -> None:
    with pytest.raises(StoreRejectedError):
        render("SELECT 1;", database=name)
    if name:
        with pytest.raises(StoreRejectedError):
            render("SELECT 1;", database="d", cluster=name)


def test_scoped_tables_are_keyed_by_tenant_and_tag() -> None:
    for text in migration_texts().values():
        for statement in render(text, database="d"):
            if "scope_tag String" in statement:
                assert "ORDER BY (tenant_id, scope_tag, " in statement
                is_read_by_scope = re.search(r"d\.(memories|memory_vectors)\b", statement) is not None
                assert f"index_granularity = {256 if is_read_by_scope else 1024}" in statement


def test_versioned_tables_have_neither_partitions_nor_skip_indexes() -> None:
    statements = [part for text in migration_texts().values() for part in render(text, database="d")]
    for statement in statements:
        if "ReplacingMergeTree" in statement or "AggregatingMergeTree" in statement:
            assert "PARTITION BY" not in statement
            assert not re.search(r"^\s*INDEX ", statement, re.MULTILINE)


def test_memory_tables_hold_every_field_of_a_memory() -> None:
    statements = render(migration_texts()["0002_memories"], database="d")
    expected = {field.name for field in fields(Memory)} - {"scope"} | {"tenant_id", "user_id", "scope_tag"}
    for statement in statements[:2]:
        columns = set(re.findall(r"^    (\w+) ", statement, re.MULTILINE)) - {"shard"}
        assert columns == expected
    view = statements[2]
    listed = view[view.index("SELECT") + 6 : view.index("FROM")]
    assert {name.strip() for name in listed.split(",")} == expected


@pytest.mark.parametrize(
    ("table", "value"),
    [
        (EVENTS, Event),
        (OUTCOMES, EventOutcome),
        (OPERATIONS, Operation),
        (AUDIT_LOG, AuditRow),
        (WRITER_LEASES, Lease),
        (TENANTS, Tenant),
        (API_KEYS, ApiKey),
    ],
)
def test_rows_hold_every_field_and_every_column_is_the_migrations(table: Table, value: type) -> None:
    names = {field.name for field in fields(value)}
    if "scope" in names:
        names = names - {"scope"} | {"tenant_id", "user_id", "scope_tag"}
    assert set(table.columns) == names
    statements = [part for text in migration_texts().values() for part in render(text, database="d")]
    (statement,) = [part for part in statements if part.startswith(f"CREATE TABLE IF NOT EXISTS d.{table.name}\n")]
    for name, kind in table.columns.items():
        assert re.search(rf"^    {name} {re.escape(kind)}(,| CODEC|$)", statement, re.MULTILINE), name
