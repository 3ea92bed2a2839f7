"""The filter grammar: what parses, what is refused and where, and the canonical form."""

from __future__ import annotations

import json
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from memplane.domain.errors import InvalidError
from memplane.domain.filters import (
    EVERYTHING,
    MAX_CONDITIONS,
    MAX_DEPTH,
    MAX_ISSUES,
    MAX_LISTED_VALUES,
    SYSTEM_FIELDS,
    And,
    Condition,
    FieldType,
    Not,
    Operator,
    Or,
    constant,
    filter_hash,
    is_empty,
    parse_filter,
    to_json,
    uses_access,
)
from tests.support.filter_strategies import filters_json

KIND = {"kind": {"eq": "fact"}}
TAG = {"metadata.tag": {"eq": "工作"}}


def refusal(value: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidError) as caught:
        parse_filter(value)
    return [(issue.path, issue.code) for issue in caught.value.issues]


def nested(levels: int, key: str = "not") -> Any:
    value: Any = KIND
    for _ in range(levels):
        value = {key: value} if key == "not" else {key: [value]}
    return value


def test_a_leaf() -> None:
    tree = parse_filter({"metadata.客户.tier": {"in": ["gold", 1, True]}})
    assert isinstance(tree, Condition)
    assert str(tree.field) == "metadata.客户.tier"
    assert tree.field.path == ("客户", "tier")
    assert tree.operator is Operator.IN
    assert [type(operand) for operand in tree.operands] == [str, float, bool]


def test_trees() -> None:
    leaf, other = parse_filter(KIND), parse_filter(TAG)
    assert parse_filter({"and": [KIND, TAG]}) == And(parts=(leaf, other))
    assert parse_filter({"or": [KIND, TAG]}) == Or(parts=(leaf, other))
    assert parse_filter({"not": KIND}) == Not(part=leaf)
    assert parse_filter({"and": []}) == parse_filter({}) == EVERYTHING
    assert parse_filter({"or": []}) == Or(parts=())


def test_several_keys_and_several_operators_are_and() -> None:
    spelled = parse_filter({"and": [{"importance": {"gte": 0.5}}, {"importance": {"lt": 1}}, {"or": [KIND, TAG]}]})
    assert parse_filter({"importance": {"gte": 0.5, "lt": 1.0}, "or": [KIND, TAG]}) == spelled
    both = parse_filter({"and": [{"kind": {"ne": "fact"}}, {"kind": {"ne": "summary"}}]})
    assert isinstance(both, And)
    assert [part.operands for part in both.parts if isinstance(part, Condition)] == [("fact",), ("summary",)]


def test_a_key_below_metadata_may_be_anything() -> None:
    for key in ("", " ", "and", "eq", "a b", 'x" or 1 = 1', "nul\x00", "键"):
        tree = parse_filter({f"metadata.{key}": {"exists": True}})
        assert isinstance(tree, Condition)
        assert tree.field.path == (key,)


@pytest.mark.parametrize(
    ("value", "path", "code"),
    [
        (None, "filter", "wrong_type"),
        ([], "filter", "wrong_type"),
        ("kind = 'fact'", "filter", "wrong_type"),
        ({"and": KIND}, "filter.and", "wrong_type"),
        ({"or": [KIND, 5]}, "filter.or.1", "wrong_type"),
        ({"not": []}, "filter.not", "wrong_type"),
        ({"$and": []}, "filter.$and", "unknown_field"),
        ({"tenant_id": {"eq": "t"}}, "filter.tenant_id", "unknown_field"),
        ({"user_id": {"eq": "u"}}, "filter.user_id", "unknown_field"),
        ({"metadata": {"exists": True}}, "filter.metadata", "unknown_field"),
        ({"Kind": {"eq": "fact"}}, "filter.Kind", "unknown_field"),
        ({"memory_id) OR (1": {"eq": "x"}}, "filter.memory_id) OR (1", "unknown_field"),
        ({"metadata.a.b.c.d.e.f": {"eq": 1}}, "filter.metadata.a.b.c.d.e.f", "too_deep"),
        ({"kind": "fact"}, "filter.kind", "wrong_type"),
        ({"kind": {}}, "filter.kind", "wrong_type"),
        ({"kind": {"equals": "fact"}}, "filter.kind.equals", "unknown_operator"),
        ({"kind": {"$eq": "fact"}}, "filter.kind.$eq", "unknown_operator"),
        ({"and": [KIND, {"not": {"kind": {"EQ": 1}}}]}, "filter.and.1.not.kind.EQ", "unknown_operator"),
        ({"kind": {"eq": None}}, "filter.kind.eq", "wrong_type"),
        ({"kind": {"eq": ["fact"]}}, "filter.kind.eq", "wrong_type"),
        ({"metadata.a": {"ne": {"b": 1}}}, "filter.metadata.a.ne", "wrong_type"),
        ({"metadata.a": {"gt": True}}, "filter.metadata.a.gt", "wrong_type"),
        ({"metadata.a": {"in": "abc"}}, "filter.metadata.a.in", "wrong_type"),
        ({"metadata.a": {"nin": [1, None]}}, "filter.metadata.a.nin.1", "wrong_type"),
        ({"metadata.a": {"exists": 1}}, "filter.metadata.a.exists", "wrong_type"),
        ({"metadata.a": {"contains": None}}, "filter.metadata.a.contains", "wrong_type"),
        ({"metadata.a": {"eq": float("inf")}}, "filter.metadata.a.eq", "bad_number"),
        ({"metadata.a": {"eq": float("nan")}}, "filter.metadata.a.eq", "bad_number"),
        ({"metadata.a": {"lt": 10**400}}, "filter.metadata.a.lt", "bad_number"),
        ({"metadata.a": {"eq": "\ud800"}}, "filter.metadata.a.eq", "bad_text"),
        ({"metadata.a": {"eq": "x" * 32_001}}, "filter.metadata.a.eq", "bad_text"),
        ({"metadata.\udfff": {"eq": 1}}, "filter.metadata.?", "unknown_field"),
        ({"pinned": {"gt": 0}}, "filter.pinned.gt", "wrong_type"),
        ({"pinned": {"contains": True}}, "filter.pinned.contains", "wrong_type"),
        ({"event_time": {"contains": "2026"}}, "filter.event_time.contains", "wrong_type"),
        ({"event_time": {"gt": "2026-03-04"}}, "filter.event_time.gt", "bad_time"),
        ({"event_time": {"gt": "2026-03-04T05:06:07"}}, "filter.event_time.gt", "bad_time"),
        ({"event_time": {"gt": "2026-02-30T00:00:00Z"}}, "filter.event_time.gt", "bad_time"),
        ({"event_time": {"gt": "0001-01-01T00:00:00+08:00"}}, "filter.event_time.gt", "bad_time"),
        ({"event_time": {"gt": 1_772_600_000}}, "filter.event_time.gt", "bad_time"),
        ({"expires_at": {"in": ["2026-03-04T05:06:07Z", "soon"]}}, "filter.expires_at.in.1", "bad_time"),
    ],
)
def test_what_is_refused_and_where(value: Any, path: str, code: str) -> None:
    assert refusal(value) == [(path, code)]


def test_every_fault_is_named_up_to_a_bound() -> None:
    assert refusal({"knd": {"eq": 1}, "kind": {"is": 1}, "or": [{"pinned": {"lt": 1}}]}) == [
        ("filter.knd", "unknown_field"),
        ("filter.kind.is", "unknown_operator"),
        ("filter.or.0.pinned.lt", "wrong_type"),
    ]
    assert len(refusal({f"unknown{index}": {} for index in range(50)})) == MAX_ISSUES


def test_refusals_can_be_written_out() -> None:
    with pytest.raises(InvalidError) as caught:
        parse_filter({f"键\ud800{'x' * 100_000}": {"eq": 1}})
    (issue,) = caught.value.issues
    assert len(issue.path) <= 200
    json.dumps([issue.path, issue.message], ensure_ascii=False).encode()


def test_depth_is_bounded() -> None:
    for key in ("not", "and", "or"):
        parse_filter(nested(MAX_DEPTH, key))
        ((path, code),) = refusal(nested(MAX_DEPTH + 1, key))
        assert code == "too_deep"
        assert path.count(key) == MAX_DEPTH + 1
    assert refusal(nested(900)) == refusal(nested(MAX_DEPTH + 1))


def test_the_number_of_conditions_is_bounded() -> None:
    parse_filter({"and": [KIND] * MAX_CONDITIONS})
    assert refusal({"and": [KIND] * (MAX_CONDITIONS + 1)}) == [("filter", "too_many")]
    operators = {"gt": 0, "lt": 1, "ne": 0.5}
    assert refusal({f"metadata.{index}": operators for index in range(34)}) == [("filter", "too_many")]
    assert refusal({"or": [{}] * 200_000}) == [("filter", "too_many")]
    assert refusal({"or": [{"and": []}] * 200_000}) == [("filter", "too_many")]


def test_the_number_of_listed_values_is_bounded() -> None:
    half = list(range(MAX_LISTED_VALUES // 2))
    parse_filter({"metadata.a": {"in": half}, "metadata.b": {"nin": half}, "kind": {"eq": "fact"}})
    assert refusal({"metadata.a": {"in": half}, "metadata.b": {"nin": [*half, 1]}}) == [("filter", "too_many")]


def test_times_are_instants_in_whole_milliseconds() -> None:
    texts = ("2026-03-04T05:06:07.089Z", "2026-03-04t13:06:07.0899+08:00", "2026-03-04 00:36:07.089999999-04:30")
    trees = {parse_filter({"event_time": {"eq": text}}) for text in texts}
    (tree,) = trees
    assert isinstance(tree, Condition)
    assert tree.operands == (datetime(2026, 3, 4, 5, 6, 7, 89_000, tzinfo=UTC),)
    parse_filter({"expires_at": {"lt": "9999-12-31T23:59:59Z"}, "metadata.when": {"eq": "yesterday"}})


def test_numbers_are_doubles() -> None:
    assert filter_hash(parse_filter({"metadata.n": {"eq": 1}})) == filter_hash(
        parse_filter({"metadata.n": {"eq": 1.0}})
    )
    far = parse_filter({"metadata.n": {"lt": 2**64 + 1}})
    assert isinstance(far, Condition)
    assert far.operands == (float(2**64),)
    assert filter_hash(far)


def test_the_hash_tells_filters_apart() -> None:
    values = [
        {}, {"or": []}, KIND, TAG, {"not": KIND}, {"and": [KIND, TAG]}, {"or": [KIND, TAG]}, {"kind": {"ne": "fact"}},
        {"kind": {"in": ["fact"]}}, {"kind": {"in": ["fact", ""]}}, {"metadata.n": {"eq": 1}},
        {"metadata.n": {"eq": "1"}}, {"metadata.n": {"eq": True}}, {"category": {"eq": "fact"}},
    ]  # fmt: skip
    assert len({filter_hash(parse_filter(value)) for value in values}) == len(values)
    assert filter_hash(parse_filter({**KIND, **TAG})) == filter_hash(parse_filter({"and": [KIND, TAG]}))


@given(value=filters_json)
def test_the_canonical_form_parses_to_the_same_tree(value: Any) -> None:
    tree = parse_filter(value)
    again = parse_filter(json.loads(json.dumps(to_json(tree))))
    assert repr(again) == repr(tree)
    assert filter_hash(again) == filter_hash(tree)


@given(value=filters_json)
def test_trees_pickle(value: Any) -> None:
    tree = parse_filter(value)
    assert repr(pickle.loads(pickle.dumps(tree))) == repr(tree)


@pytest.mark.parametrize(
    "value",
    [
        {}, {"and": []}, {"and": [{}, {"and": []}]}, {"not": {"or": []}}, {"or": [KIND, {}]},
        {"metadata.a": {"nin": []}},
        {"memory_id": {"exists": True}}, {"not": {"importance": {"gte": "0.5"}}}, {"pinned": {"ne": "true"}},
        {"not": {"metadata.a": {"in": []}}},
    ],
)  # fmt: skip
def test_filters_that_hold_nothing_back_are_empty(value: Any) -> None:
    assert is_empty(parse_filter(value))


@pytest.mark.parametrize(
    "value",
    [
        KIND, TAG, {"or": []}, {"not": {}}, {"or": [KIND, {"or": []}]}, {"metadata.a": {"nin": [1]}},
        {"agent_id": {"exists": True}}, {"metadata.a": {"exists": False}}, {"metadata.a": {"in": []}},
        {"memory_id": {"exists": False}}, {"pinned": {"ne": True}}, {"access_count": {"lt": 1}},
    ],
)  # fmt: skip
def test_filters_that_hold_something_back_are_not_empty(value: Any) -> None:
    assert not is_empty(parse_filter(value))


def test_constants() -> None:
    assert constant(parse_filter({"importance": {"gt": "high"}})) is False
    assert constant(parse_filter({"importance": {"in": ["high", True]}})) is False
    assert constant(parse_filter({"source_event_ids": {"eq": "evt"}})) is False
    assert constant(parse_filter({"importance": {"contains": 0.5}})) is False
    assert constant(parse_filter({"importance": {"in": ["high", 1]}})) is None
    assert constant(parse_filter({"and": [KIND, {"or": []}]})) is False


def test_uses_of_use_counts_are_found_anywhere() -> None:
    assert uses_access(parse_filter({"access_count": {"gt": 3}}))
    assert uses_access(parse_filter({"or": [KIND, {"not": {"last_accessed_at": {"exists": True}}}]}))
    assert not uses_access(parse_filter({"and": [KIND, {"metadata.access_count": {"eq": 1}}]}))
    assert not uses_access(EVERYTHING)


def test_the_scope_is_no_field() -> None:
    assert not {"tenant_id", "user_id", "scope_tag", "metadata"} & set(SYSTEM_FIELDS)
    assert SYSTEM_FIELDS["importance"].type is FieldType.NUMBER
