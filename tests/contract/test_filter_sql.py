"""Filters as the real engine reads them equal the reference evaluator."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import clickhouse_connect
import pytest
from clickhouse_connect.driver.asyncclient import AsyncClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.filter_sql import RenderedFilter, render
from memplane.adapters.clickhouse.memory_store import ClickHouseMemoryStore
from memplane.adapters.clickhouse.sql_files import FILTER_PLACE, filtered_text, query_names, query_text
from memplane.domain.errors import InvalidError
from memplane.domain.filter_eval import matches
from memplane.domain.filters import LISTING, SYSTEM_FIELDS, FieldType, Filter, Operator, parse_filter
from memplane.domain.ids import Scope
from memplane.domain.memory import Kind, MemoryAccess, Status, Visibility
from memplane.domain.results import StoredMemory
from tests.support.clickhouse_server import ClickHouseServer
from tests.support.filter_strategies import FAR_NUMBERS, FAR_TIMES, KEYS, NUMBERS, TEXTS, filters_json, stored_memories
from tests.support.memory_samples import NOW, fresh_scope, make_memory

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


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(data=st.data())
async def test_random_filters_over_random_memories(bench: Bench, data: st.DataObject) -> None:
    scope = fresh_scope()
    rows = data.draw(st.lists(stored_memories(scope), min_size=2, max_size=6))
    filters = data.draw(st.lists(filters_json, min_size=5, max_size=12))
    await bench.store(rows)
    await check(bench, scope, rows, filters)


@pytest.mark.parametrize("operator", ["eq", "ne", "gt", "gte", "lt", "lte", "contains"])
async def test_every_scalar_against_every_scalar(bench: Bench, operator: str) -> None:
    scope = fresh_scope()
    stored: list[Any] = [
        *TEXTS,
        *NUMBERS,
        True,
        False,
        None,
        [],
        {},
        list(TEXTS),
        list(NUMBERS),
        [True],
        [[True], [1], {"v": 1}],
    ]
    rows = described(scope, stored)
    await bench.store(rows)
    operands = [*TEXTS, *NUMBERS, *FAR_NUMBERS]
    operands += [] if operator in {"gt", "gte", "lt", "lte"} else [True, False]
    for start in range(0, len(operands), 20):
        batch = operands[start : start + 20]
        names = ("metadata.v", "metadata.w.v")
        await check(bench, scope, rows, [{name: {operator: operand}} for name in names for operand in batch])


OPERANDS: dict[FieldType, list[Any]] = {
    FieldType.TEXT: ["", "a", "A", "b", "shared", "fact", 1, True],
    FieldType.TEXTS: ["", "a", "b", 1, True],
    FieldType.JSON: ["", "a", 1, 0.5, True],
    FieldType.NUMBER: [0, -0.0, 0.7, 0.3, 0.30000000000000004, 3, -1, "0.3", True],
    FieldType.BOOLEAN: [True, False],
    FieldType.TIME: [NOW.isoformat(), (NOW + timedelta(milliseconds=1)).isoformat(), *FAR_TIMES],
}


@pytest.mark.parametrize("kind", list(FieldType))
async def test_every_system_field(bench: Bench, kind: FieldType) -> None:
    scope = fresh_scope()
    later = NOW + timedelta(milliseconds=1)
    bare = make_memory(scope, importance=-0.0, event_time=NOW)
    full = make_memory(
        scope, kind=Kind.FACT, status=Status.ARCHIVED, status_reason="a", fact_key="a", fact_value="a", pinned=True,
        importance=0.30000000000000004, agent_id="a", visibility=Visibility.PRIVATE, session_id="a", content="a",
        source_event_ids=("a", ""), derived_from=("b",), event_time=later, valid_to=NOW, expires_at=later,
        superseded_by="a",
    )  # fmt: skip
    other = make_memory(scope, fact_value=["a", 1, True], agent_id="b", session_id="", status_reason="", valid_to=later)
    rows = [
        StoredMemory(memory=bare),
        StoredMemory(memory=full, access=MemoryAccess(access_count=3, last_accessed_at=NOW)),
        StoredMemory(memory=other, access=MemoryAccess(access_count=0, last_accessed_at=later)),
    ]
    await bench.store(rows)
    filters: list[Any] = []
    for field in (field for field in SYSTEM_FIELDS.values() if field.type is kind):
        for operator, operand in itertools.product(Operator, OPERANDS[kind]):
            value: Any = [operand, OPERANDS[kind][0]] if operator in LISTING else operand
            filters.append({field.name: {operator.value: value}})
        filters += [{field.name: {"exists": flag}} for flag in (True, False)]
    accepted = [value for value in filters if is_accepted(value)]
    assert len(accepted) > len(filters) / 3
    for start in range(0, len(accepted), 50):
        await check(bench, scope, rows, accepted[start : start + 50])


def is_accepted(value: Any) -> bool:
    try:
        parse_filter(value)
    except InvalidError:
        return False
    return True


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
    await bench.store(
        [StoredMemory(memory=used, access=MemoryAccess(access_count=5, last_accessed_at=used.event_time))]
    )
    filters = [{"access_count": {"gt": 0}}, {"access_count": {"eq": 0}}, {"last_accessed_at": {"exists": True}}]
    await check(bench, here, rows, filters)


WORDS = {
    *("AND", "OR", "NOT", "IN", "IS", "NULL", "SELECT", "FROM", "WHERE", "GROUP", "BY", "HAVING", "true", "false"),
    *("ifNull", "has", "position", "arrayExists", "item", "sum", "max", "greatest"),
    *("JSONType", "JSONExtractString", "JSONExtractFloat", "JSONExtractBool", "JSONExtractArrayRaw"),
    *("String", "Null", "Int64", "UInt64", "Double", "Bool"),
    *("reinterpretAsFloat64", "reinterpretAsUInt64", "toFloat64", "toString", "toUnixTimestamp64Milli"),
    *("memory_access", "tenant_id", "scope_tag", "recalled", "last_recalled_at", "last_cited_at", "last_touched_at"),
    *("metadata", *SYSTEM_FIELDS),
}
PARAMETER = re.compile(r"\{(filter_\d+|tenant_id|scope_tag):(String|UInt64|Int64|Array\((String|UInt64|Int64)\))\}")


@given(value=filters_json)
def test_the_text_is_made_of_our_own_pieces_only(value: Any) -> None:
    rendered = render(parse_filter(value))
    named = {match[1] for match in PARAMETER.finditer(rendered.sql)}
    assert set(rendered.parameters) == named - {"tenant_id", "scope_tag"}
    text = PARAMETER.sub("", rendered.sql)
    assert re.fullmatch(r"[A-Za-z0-9_ ()<>=!,'+-]+", text)
    assert set(re.findall(r"[A-Za-z_]\w*", text)) <= WORDS


def test_equal_values_share_a_parameter() -> None:
    condition = {"metadata.a": {"eq": "x"}}
    rendered = render(parse_filter({"or": [condition, {"not": condition}, {"kind": {"eq": "x"}}]}))
    assert sorted(rendered.parameters.values()) == ["a", "x"]


@pytest.mark.parametrize("prefix", ["", "a b", "1", "a;", "é"])
def test_a_prefix_is_a_plain_identifier(prefix: str) -> None:
    with pytest.raises(ValueError, match="no identifier"):
        render(parse_filter({}), prefix=prefix)


async def test_a_query_without_a_place_refuses_a_filter(clickhouse_client: ClickHouseClient) -> None:
    assert FILTER_PLACE not in query_text("events_count")
    with pytest.raises(ValueError, match="no place for a filter"):
        await clickhouse_client.query("events_count", parameters={}, where=render(parse_filter({})))


async def test_a_filter_may_not_bind_the_names_of_its_query(clickhouse_client: ClickHouseClient) -> None:
    where = RenderedFilter(sql="(user_id = {user_id:String})", parameters={"user_id": "somebody else"})
    with pytest.raises(ValueError, match="both bind"):
        await clickhouse_client.query("memory_list", parameters={"user_id": "me"}, where=where)


def test_every_place_is_filled() -> None:
    for name in query_names():
        if FILTER_PLACE in query_text(name):
            text = filtered_text(name, "kind = {filter_0:String}")
            assert FILTER_PLACE not in text
            assert text.count("AND (kind = {filter_0:String})") == query_text(name).count(FILTER_PLACE)
