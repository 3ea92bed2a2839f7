"""What filters mean: the reference, sentence by sentence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.filter_eval import matches, value_of
from memplane.domain.filters import SYSTEM_FIELDS, FieldType, constant, parse_filter
from memplane.domain.ids import AgentId
from memplane.domain.memory import Kind, MemoryAccess
from memplane.domain.results import StoredMemory
from tests.support.filter_strategies import filters_json, stored_memories
from tests.support.memory_samples import NOW, fresh_scope, make_memory

SCOPE = fresh_scope()
METADATA: dict[str, Any] = {
    "name": "Anna", "city": "里斯本", "n": 1, "half": 0.5, "yes": True, "no": False, "null": None, "empty": "",
    "tags": ["工作", "home", 1, True, None, ["inner"]], "none": [], "deep": {"er": {"x": "y"}}, "object": {},
    "numeric": "1", "emoji": "😀", "bmp": "\uffff", "digits": "10", "big": 2**53 - 1,
}  # fmt: skip


def holds(condition: Any, **changes: Any) -> bool:
    access = changes.pop("access", MemoryAccess())
    memory = make_memory(SCOPE, **{"metadata": METADATA, **changes})
    return matches(parse_filter(condition), StoredMemory(memory=memory, access=access))


def meta(path: str, **operators: Any) -> bool:
    return holds({f"metadata.{path}": {name.rstrip("_"): operand for name, operand in operators.items()}})


@pytest.mark.parametrize(
    "path", ["missing", "null", "name.first", "tags.0", "deep.missing", "missing.er", "deep.er.x.y"]
)
def test_on_a_missing_path_or_null_all_is_false_but_ne_nin_and_not_exists(path: str) -> None:
    for operator in ("eq", "gt", "gte", "lt", "lte", "contains"):
        for operand in ("", "x", 0, 1):
            assert not meta(path, **{operator: operand})
    assert not meta(path, in_=["", 0, False])
    assert not meta(path, eq=False)
    assert not meta(path, exists=True)
    assert meta(path, ne="x")
    assert meta(path, nin=["x", 0])
    assert meta(path, exists=False)


@pytest.mark.parametrize("path", ["name", "empty", "n", "no", "tags", "none", "deep", "object", "deep.er", "deep.er.x"])
def test_whatever_is_not_null_exists(path: str) -> None:
    assert meta(path, exists=True)
    assert not meta(path, exists=False)


@pytest.mark.parametrize(
    ("path", "equal", "unequal"),
    [
        ("name", ["Anna"], ["anna", "Ann", "Anna ", ""]),
        ("city", ["里斯本"], ["里斯", "里斯本 "]),
        ("n", [1, 1.0], ["1", True, 2, 1.0000000001]),
        ("half", [0.5], ["0.5", 0]),
        ("yes", [True], ["true", 1, False]),
        ("no", [False], ["false", 0, "", True]),
        ("numeric", ["1"], [1, 1.0, True]),
        ("empty", [""], [" ", 0, False]),
        ("big", [2**53 - 1], [2**53, 2**53 - 2]),
        ("tags", [], ["工作", "home", 1]),
        ("object", [], ["", "{}", 0]),
        ("deep.er.x", ["y"], ["x"]),
    ],
)
def test_nothing_is_coerced(path: str, equal: list[Any], unequal: list[Any]) -> None:
    for operand in equal:
        assert meta(path, eq=operand)
        assert not meta(path, ne=operand)
    for operand in unequal:
        assert not meta(path, eq=operand)
        assert meta(path, ne=operand)
    assert meta(path, in_=[*unequal, *equal]) is bool(equal)
    assert meta(path, nin=unequal)
    assert not meta(path, in_=[])
    assert meta(path, nin=[])


@pytest.mark.parametrize(
    ("path", "less", "greater"),
    [
        ("n", [0, -1, 0.999], [1.001, 2, 2**53]),
        ("half", [0.25], [1]),
        ("name", ["", "A", "ANNA", "Anm"], ["Annb", "anna", "里"]),
        ("digits", ["1", "0", "10"[:1]], ["2", "9", "100"]),
        ("bmp", ["z", "里"], ["😀"]),
        ("emoji", ["\uffff"], ["😁"]),
    ],
)
def test_order(path: str, less: list[Any], greater: list[Any]) -> None:
    for operand in less:
        assert meta(path, gt=operand, gte=operand)
        assert not meta(path, lt=operand)
        assert not meta(path, lte=operand)
    for operand in greater:
        assert meta(path, lt=operand, lte=operand)
        assert not meta(path, gt=operand)
        assert not meta(path, gte=operand)
    own = METADATA[path]
    assert meta(path, gte=own, lte=own)
    assert not meta(path, gt=own)
    assert not meta(path, lt=own)


@pytest.mark.parametrize(("path", "operand"), [("name", 0), ("n", "0"), ("yes", 0), ("tags", "a"), ("deep", "a")])
def test_another_type_is_never_greater_or_less(path: str, operand: Any) -> None:
    for operator in ("gt", "gte", "lt", "lte"):
        assert not meta(path, **{operator: operand})
        assert holds({"not": {f"metadata.{path}": {operator: operand}}})


def test_contains() -> None:
    assert meta("name", contains="nn")
    assert meta("name", contains="")
    assert meta("city", contains="斯本")
    assert not meta("name", contains="NN")
    assert meta("tags", contains="工作")
    assert meta("tags", contains=1.0)
    assert meta("tags", contains=True)
    assert not meta("tags", contains="工")
    assert not meta("tags", contains="1")
    assert not meta("tags", contains="inner")
    assert not meta("tags", contains=False)
    assert not meta("none", contains="")
    assert not meta("n", contains=1)
    assert not meta("n", contains="1")
    assert not meta("deep", contains="er")


def test_and_or_not() -> None:
    yes, no = {"kind": {"eq": "episodic"}}, {"kind": {"eq": "fact"}}
    assert holds({"and": []})
    assert not holds({"or": []})
    assert holds({"and": [yes, {"not": no}]})
    assert not holds({"and": [yes, no]})
    assert holds({"or": [no, yes]})
    assert not holds({"or": [no, no]})
    assert holds({**yes, "metadata.n": {"gte": 1, "lt": 2}})
    assert not holds({**yes, "metadata.n": {"gte": 1, "gt": 1}})
    assert not holds({"not": {**yes, "metadata.n": {"eq": 1}}})
    assert holds({"not": {"metadata.missing": {"eq": 1}}})
    assert not holds({"not": {"metadata.missing": {"ne": 1}}})


def test_the_same_field_twice_in_one_tree() -> None:
    both = {"and": [{"metadata.n": {"gte": 1}}, {"metadata.n": {"lte": 0}}]}
    assert not holds(both)
    assert holds({"or": both["and"]})
    assert not holds({"metadata.n": {"gte": 1}, "and": [{"metadata.n": {"lte": 0}}]})


def test_system_fields() -> None:
    assert holds({"kind": {"in": ["fact", "semantic"]}}, kind=Kind.SEMANTIC)
    assert holds({"importance": {"gte": 0.7, "lt": 0.8}}, importance=0.7)
    assert not holds({"importance": {"gt": "0.5"}}, importance=0.7)
    assert holds({"pinned": {"ne": True}})
    assert holds({"agent_id": {"exists": False}})
    assert holds({"agent_id": {"ne": "a"}})
    assert holds({"agent_id": {"eq": "代理"}}, agent_id=AgentId("代理"))
    assert holds({"content": {"contains": "Lisbon"}})
    assert holds({"source_event_ids": {"contains": "evt"}}, source_event_ids=("evt",))
    assert not holds({"source_event_ids": {"contains": "ev"}}, source_event_ids=("evt",))
    assert holds({"source_event_ids": {"exists": True}})
    assert holds({"version": {"eq": "12"}}, version=12)
    assert not holds({"version": {"eq": 12}}, version=12)
    assert holds({"fact_value": {"eq": "1"}}, fact_value="1")
    assert holds({"fact_value": {"exists": False}})
    assert holds({"fact_value": {"contains": 2}}, fact_value=[1, 2])


def test_times_compare_as_instants() -> None:
    moment = datetime(2026, 3, 4, 5, 6, 7, 89_000, tzinfo=UTC)
    same = ("2026-03-04T05:06:07.089Z", "2026-03-04T13:06:07.089+08:00")
    for text in same:
        assert holds({"event_time": {"eq": text, "gte": text, "lte": text, "in": [text]}}, event_time=moment)
        assert holds({"event_time": {"gt": text}}, event_time=moment + timedelta(milliseconds=1))
        assert not holds({"event_time": {"ne": text}}, event_time=moment)
    assert holds({"valid_to": {"ne": same[0], "exists": False}})
    assert not holds({"valid_to": {"lt": "9999-12-31T00:00:00Z"}})
    assert not holds({"metadata.at": {"eq": same[1]}}, metadata={"at": same[0]})


def test_use_counts() -> None:
    used = MemoryAccess(access_count=3, last_accessed_at=NOW)
    assert holds({"access_count": {"gte": 3}, "last_accessed_at": {"lte": "2026-03-04T05:06:07.089Z"}}, access=used)
    assert holds({"access_count": {"eq": 0}, "last_accessed_at": {"exists": False}})


@given(data=st.data())
def test_a_complement_is_a_complement_and_constants_are_true_to_the_evaluator(data: st.DataObject) -> None:
    stored = data.draw(stored_memories(SCOPE))
    value = data.draw(filters_json)
    tree = parse_filter(value)
    verdict = matches(tree, stored)
    assert matches(parse_filter({"not": value}), stored) is not verdict
    assert matches(parse_filter({"and": [value, value]}), stored) is verdict
    assert matches(parse_filter({"or": [value, value]}), stored) is verdict
    assert constant(tree) in {None, verdict}


@given(stored=stored_memories(SCOPE))
def test_every_field_has_its_type(stored: StoredMemory) -> None:
    members = {
        FieldType.TEXT: str,
        FieldType.NUMBER: int | float,
        FieldType.BOOLEAN: bool,
        FieldType.TIME: datetime,
        FieldType.TEXTS: tuple,
        FieldType.JSON: object,
    }
    for field in SYSTEM_FIELDS.values():
        value = value_of(field, stored)
        assert (value is None and field.nullable) or isinstance(value, members[field.type])


def test_a_row_of_another_version_changes_the_answer() -> None:
    memory = make_memory(SCOPE, metadata={"v": 1})
    tree = parse_filter({"metadata.v": {"eq": 1}})
    assert matches(tree, StoredMemory(memory=memory))
    assert not matches(tree, StoredMemory(memory=replace(memory, metadata={"v": 2})))
