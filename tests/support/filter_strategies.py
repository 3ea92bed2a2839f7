"""Random memories and random filters that meet: operands come from the same small pools as stored values."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hypothesis import strategies as st

from memplane.domain.filters import SYSTEM_FIELDS, FieldType
from memplane.domain.ids import AgentId, EventId, MemoryId, Scope, SessionId
from memplane.domain.memory import CATEGORIES, Kind, MemoryAccess, Status
from memplane.domain.results import StoredMemory
from tests.support.memory_samples import AWKWARD, NOW, make_memory

MAX_INTEGER: Final = 2**53 - 1
KEYS: Final = (
    "a", "b", "键", "", " ", "a b", 'quo"te', "it's", "nul\x00key", "back\\slash", "new\nline", "\u00e9", "e\u0301",
    "👩‍👩‍👧", "0", "-1", "null", "%s", "{filter_0:String}", "and", "\u007f",
)  # fmt: skip
TEXTS: Final = (
    "", "a", "b", "ab", "b\x00", "b\x00a", "A", "\u00e9", "e\u0301", "中", "中文", "\uffff", "😀", "1", "true", "null",
    "0.1", "\\u0000", "/", *AWKWARD,
)  # fmt: skip
NUMBERS: Final = (
    0, -0.0, 1, 1.0, -1, 2, 0.1, 0.30000000000000004, 0.3, 1e-7, 5e-324, 2.2250738585072014e-308, 123456789.125,
    MAX_INTEGER, -MAX_INTEGER, MAX_INTEGER - 1, float(MAX_INTEGER), 1e15, 4503599627370495.5,
)  # fmt: skip
FAR_NUMBERS: Final = (2**53, 2**53 + 1, -(2**53) - 1, 2**63, 2**64, 10**30, 1e300, -1e300)
"""Operands only: metadata holds none of them."""
MOMENTS: Final = (
    *(NOW + timedelta(milliseconds=step) for step in (-86_400_000, -1, 0, 1, 999, 3_600_000)),
    datetime(1900, 1, 1, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC),
    datetime(2299, 12, 31, tzinfo=UTC),
)
FAR_TIMES: Final = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-03-04T13:06:07.089999+08:00")
AGENTS: Final = ("a", "agent-b", "代理", "x' OR 1 = 1")

texts = st.sampled_from(TEXTS) | st.text(max_size=4)
numbers = st.sampled_from(NUMBERS) | st.integers(-3, 3) | st.floats(-1e6, 1e6, allow_nan=False)
scalars = st.one_of(texts, numbers, st.booleans())
_values = st.recursive(
    st.one_of(scalars, st.none()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


metadata = st.dictionaries(st.sampled_from(KEYS[:8]), _values, max_size=5).filter(lambda value: _depth(value) <= 5)


@st.composite
def stored_memories(draw: st.DrawFn, scope: Scope) -> StoredMemory:
    """A memory of ``scope`` with random values in every field that a filter may name."""
    moments = st.sampled_from(MOMENTS)
    memory = replace(
        make_memory(scope),
        kind=draw(st.sampled_from(Kind)),
        category=draw(st.sampled_from(CATEGORIES)),
        status=draw(st.sampled_from(Status)),
        status_at=draw(moments),
        status_reason=draw(st.none() | texts),
        content=draw(texts),
        summary=draw(texts),
        fact_key=draw(st.none() | texts),
        fact_value=draw(_values),
        importance=draw(st.sampled_from([0.0, 0.1, 0.30000000000000004, 0.3, 0.7, 1.0])),
        pinned=draw(st.booleans()),
        agent_id=draw(st.none() | st.sampled_from(AGENTS).map(AgentId)),
        session_id=draw(st.none() | st.sampled_from(AGENTS).map(SessionId)),
        source_event_ids=tuple(draw(st.lists(texts.map(EventId), max_size=2))),
        derived_from=tuple(draw(st.lists(texts.map(MemoryId), max_size=2))),
        event_time=draw(moments),
        valid_from=draw(moments),
        valid_to=draw(st.none() | moments),
        recorded_at=draw(moments),
        updated_at=draw(moments),
        expires_at=draw(st.none() | moments),
        superseded_by=draw(st.none() | texts.map(MemoryId)),
        metadata=draw(metadata),
    )
    return StoredMemory(memory=memory, access=draw(_uses))


_uses = st.builds(MemoryAccess) | st.builds(
    MemoryAccess, access_count=st.integers(0, 3), last_accessed_at=st.none() | st.sampled_from(MOMENTS)
)
_time_texts = st.sampled_from(MOMENTS).map(datetime.isoformat) | st.sampled_from(FAR_TIMES)
_names = st.one_of(
    st.sampled_from(sorted(SYSTEM_FIELDS)),
    st.lists(st.sampled_from(KEYS[:8]), min_size=1, max_size=3).map(lambda keys: ".".join(("metadata", *keys))),
    st.sampled_from(KEYS[:4]).map("metadata.{}".format),
)
_words = st.sampled_from([*Kind, *Status, *CATEGORIES[:3], *AGENTS, "private", "shared"]).map(str)
_ordered = st.one_of(texts, numbers, _words, st.sampled_from(FAR_NUMBERS))


@st.composite
def _conditions(draw: st.DrawFn) -> dict[str, Any]:
    name = draw(_names)
    kind = SYSTEM_FIELDS[name].type if name in SYSTEM_FIELDS else FieldType.JSON
    ordered = _ordered
    if kind is FieldType.TIME:
        ordered = _time_texts
    elif kind is FieldType.NUMBER and draw(st.booleans()):
        ordered = numbers
    operands = ordered if kind is FieldType.TIME else ordered | st.booleans()
    operators = {
        **dict.fromkeys(("eq", "ne"), operands),
        **dict.fromkeys(("gt", "gte", "lt", "lte"), ordered),
        **dict.fromkeys(("in", "nin"), st.lists(operands, max_size=4)),
        "exists": st.booleans(),
        "contains": operands,
    }
    if kind is FieldType.TIME:
        del operators["contains"]
    if kind is FieldType.BOOLEAN:
        operators = {key: value for key, value in operators.items() if key in {"eq", "ne", "in", "nin", "exists"}}
    chosen = draw(st.lists(st.sampled_from(sorted(operators)), min_size=1, max_size=2, unique=True))
    return {name: {operator: draw(operators[operator]) for operator in chosen}}


def _combined(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    several = st.lists(inner, max_size=3)
    return st.one_of(
        st.fixed_dictionaries({"and": several}),
        st.fixed_dictionaries({"or": several}),
        st.fixed_dictionaries({"not": inner}),
        st.tuples(inner, inner).map(lambda pair: {**pair[0], **pair[1]}),
    )


filters_json = st.recursive(_conditions(), _combined, max_leaves=6)
"""Well-formed filters, as callers send them."""
