"""Filters as the real engine reads them equal the reference evaluator."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import clickhouse_connect
import pytest
from clickhouse_connect.driver.asyncclient import AsyncClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.filter_sql import render
from memplane.adapters.clickhouse.memory_store import ClickHouseMemoryStore
from memplane.domain.filter_eval import matches
from memplane.domain.filters import Filter, parse_filter
from memplane.domain.ids import Scope
from memplane.domain.memory import MemoryAccess
from memplane.domain.results import StoredMemory
from tests.support.clickhouse_server import ClickHouseServer
from tests.support.filter_strategies import FAR_NUMBERS, KEYS, NUMBERS, TEXTS, filters_json, stored_memories
from tests.support.memory_samples import fresh_scope, make_memory

TREES_IN_WHERE = 3
SCOPE = "tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}"


class Bench:
    """Stores memories and asks the engine what it makes of filters."""

    def __init__(self, client: ClickHouseClient, vendor: AsyncClient) -> None:
        self._client = client
        self._store = ClickHouseMemoryStore(client)
        self._vendor = vendor

    async def store(self, rows: Sequence[StoredMemory]) -> None:
        """Stores rows and, in two deltas each, their uses. Some that were never used get rows that say so."""
        await self._store.commit(versions=[row.memory for row in rows])
        deltas = []
        for index, row in enumerate(rows):
            access, scope = row.access, row.memory.scope
            if access == MemoryAccess() and index % 2:
                continue
            key = (scope.tenant_id, scope.user_id, scope.tag, row.memory.memory_id)
            moments: list[Any] = [None, None, None]
            moments[index % 3] = access.last_accessed_at
            deltas.append((*key, access.access_count, *moments))
            deltas.append((*key, 0, None, None, None))
        moment = "SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC')))"
        columns = {
            "tenant_id": "LowCardinality(String)",
            "user_id": "SimpleAggregateFunction(any, String)",
            "scope_tag": "String",
            "memory_id": "String",
            "recalled": "SimpleAggregateFunction(sum, UInt64)",
            "last_recalled_at": moment,
            "last_cited_at": moment,
            "last_touched_at": moment,
        }
        await self._client.insert(
            "memory_access", columns=list(columns), column_types=list(columns.values()), rows=deltas
        )

    async def verdicts(self, scope: Scope, trees: Sequence[Filter]) -> list[set[str]]:
        """The ids that each tree lets through, as an expression; the first trees are asked as conditions as well."""
        parameters: dict[str, Any] = {"tenant_id": scope.tenant_id, "scope_tag": scope.tag, "user_id": scope.user_id}
        conditions = []
        for index, tree in enumerate(trees):
            rendered = render(tree, prefix=f"t{index}_")
            conditions.append(rendered.sql)
            parameters |= rendered.parameters
        passed = [f"if({condition}, 1, 0)" for condition in conditions]
        answer = await self._vendor.query(
            f"SELECT memory_id, [{', '.join(passed)}] AS passed FROM memories FINAL WHERE {SCOPE}",
            parameters=parameters,
        )
        found: list[set[str]] = [set() for _ in trees]
        for memory_id, flags in answer.result_rows:
            for index in itertools.compress(range(len(trees)), flags):
                found[index].add(memory_id)
        branches = [
            f"SELECT {index} AS tree, memory_id FROM memories FINAL WHERE {SCOPE} AND ({condition})"
            for index, condition in enumerate(conditions[:TREES_IN_WHERE])
        ]
        answer = await self._vendor.query(" UNION ALL ".join(branches), parameters=parameters)
        in_where: list[set[str]] = [set() for _ in branches]
        for index, memory_id in answer.result_rows:
            in_where[index].add(memory_id)
        assert in_where == found[:TREES_IN_WHERE]
        return found


@pytest.fixture(scope="module")
async def bench(clickhouse_server: ClickHouseServer, clickhouse_client: ClickHouseClient) -> AsyncIterator[Bench]:
    server = clickhouse_server
    vendor = await clickhouse_connect.get_async_client(
        host="127.0.0.1",
        port=server.port,
        username=server.user,
        password=server.password,
        database=clickhouse_client.database,
        autogenerate_session_id=False,
    )
    yield Bench(clickhouse_client, vendor)
    await vendor.close()


def expected(rows: Sequence[StoredMemory], tree: Filter) -> set[str]:
    return {row.memory.memory_id for row in rows if matches(tree, row)}


async def check(bench: Bench, scope: Scope, rows: Sequence[StoredMemory], filters: Sequence[Any]) -> None:
    trees = [parse_filter(value) for value in filters]
    found = await bench.verdicts(scope, trees)
    wrong = [
        (value, render(tree).sql, got - expected(rows, tree), expected(rows, tree) - got)
        for value, tree, got in zip(filters, trees, found, strict=True)
        if got != expected(rows, tree)
    ]
    assert not wrong


def described(scope: Scope, values: Sequence[Any]) -> list[StoredMemory]:
    """One memory for each value, held as ``metadata.v``."""
    return [StoredMemory(memory=make_memory(scope, metadata={"v": value, "w": {"v": value}})) for value in values]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
async def test_random_filters_over_random_memories(bench: Bench, data: st.DataObject) -> None:
    scope = fresh_scope()
    rows = data.draw(st.lists(stored_memories(scope), min_size=4, max_size=12))
    filters = data.draw(st.lists(filters_json, min_size=10, max_size=25))
    await bench.store(rows)
    await check(bench, scope, rows, filters)


@pytest.mark.parametrize("operator", ["eq", "ne", "gt", "gte", "lt", "lte", "contains"])
async def test_every_scalar_against_every_scalar(bench: Bench, operator: str) -> None:
    scope = fresh_scope()
    stored = [*TEXTS, *NUMBERS, True, False, None, [], {}, list(TEXTS), list(NUMBERS), [True], [[True], [1], {"v": 1}]]
    rows = described(scope, stored)
    await bench.store(rows)
    operands = [*TEXTS, *NUMBERS, *FAR_NUMBERS]
    operands += [] if operator in {"gt", "gte", "lt", "lte"} else [True, False]
    for start in range(0, len(operands), 20):
        batch = operands[start : start + 20]
        names = ("metadata.v", "metadata.w.v")
        await check(bench, scope, rows, [{name: {operator: operand}} for name in names for operand in batch])


async def test_every_key(bench: Bench) -> None:
    scope = fresh_scope()
    documents: list[dict[str, Any]] = [{key: index} for index, key in enumerate(KEYS)]
    documents += [{key: {other: "x"}} for key, other in itertools.pairwise(KEYS)] + [{}]
    rows = [StoredMemory(memory=make_memory(scope, metadata=document)) for document in documents]
    await bench.store(rows)
    filters: list[Any] = [{f"metadata.{key}": {"exists": True}} for key in KEYS]
    filters += [{f"metadata.{key}.{other}": {"eq": "x"}} for key, other in itertools.pairwise(KEYS)]
    filters += [{f"metadata.{key}": {"eq": index}} for index, key in enumerate(KEYS)]
    await check(bench, scope, rows, filters)


async def test_full_size_filters(bench: Bench) -> None:
    scope = fresh_scope()
    long = "长" * 5_000
    rows = [*described(scope, [long, "x", 7, 7.5, None]), StoredMemory(memory=make_memory(scope, content=long * 6))]
    await bench.store(rows)
    texts = [f"{index:04}{'值' * 600}" for index in range(999)]
    filters = [
        {"metadata.v": {"in": [*texts, "x"]}},
        {"metadata.v": {"nin": [*texts, "x"]}},
        {"content": {"in": [*texts, long * 6]}},
        {"metadata.v": {"nin": [*range(999), 7.5]}},
        {"metadata.v": {"eq": long}},
        {"content": {"contains": long * 6}},
        {"or": [{f"metadata.k{index}": {"exists": False, "contains": "x"}} for index in range(49)]},
        {"and": [{"metadata.v": {"ne": index}} for index in range(100)]},
    ]
    for value in filters:
        await check(bench, scope, rows, [value])


async def test_only_the_current_version_is_asked(bench: Bench) -> None:
    scope = fresh_scope()
    old = StoredMemory(memory=make_memory(scope, metadata={"v": "old"}))
    memory = old.memory
    new = replace(old, memory=replace(memory, version=memory.version + 1, rank=memory.rank + 1, metadata={"v": "new"}))
    await bench.store([old])
    await bench.store([new])
    await check(bench, scope, [new], [{"metadata.v": {"eq": "old"}}, {"metadata.v": {"eq": "new"}}])


async def test_uses_of_another_scope_do_not_count(bench: Bench) -> None:
    here, there = fresh_scope(), fresh_scope()
    unused = make_memory(here)
    used = replace(unused, scope=there)
    rows = [StoredMemory(memory=unused)]
    await bench.store(rows)
    await bench.store([StoredMemory(memory=used, access=MemoryAccess(access_count=5, last_accessed_at=used.event_time))])
    filters = [{"access_count": {"gt": 0}}, {"access_count": {"eq": 0}}, {"last_accessed_at": {"exists": True}}]
    await check(bench, here, rows, filters)
