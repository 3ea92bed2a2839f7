"""A filter as a ClickHouse condition that equals ``domain.filter_eval`` on every row.

The text is made of our own pieces only; whatever a caller chose, keys of metadata included, is bound as a server-side
parameter. The condition is never NULL. Metadata is canonical JSON in a String: each value is read with its type, and
only a value of the operand's type is compared. Strings compare by bytes, which for UTF-8 is by code point. Numbers are
bound as their bits: a decimal text need not come back as the same double.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from memplane.domain.clock import to_millis
from memplane.domain.filter_eval import holds
from memplane.domain.filters import (
    ACCESS_FIELDS,
    LISTING,
    NEGATIVE,
    And,
    Condition,
    FieldType,
    Filter,
    Not,
    Operator,
    Or,
    Scalar,
    constant,
    usable_operands,
)

DEFAULT_PREFIX: Final = "filter_"
_MAX_PARAMETER_CHARACTERS: Final = 16_384
"""Of all strings in one array. A server takes parameters of up to 128 KiB."""

_TRUE: Final = "true"
_FALSE: Final = "false"
_SIGNS: Final = {
    Operator.EQ: "=",
    Operator.NE: "=",
    Operator.GT: ">",
    Operator.GTE: ">=",
    Operator.LT: "<",
    Operator.LTE: "<=",
}
_JSON_TYPES: Final = {
    str: ("= 'String'", "JSONExtractString"),
    float: ("IN ('Int64', 'UInt64', 'Double')", "JSONExtractFloat"),
    bool: ("= 'Bool'", "JSONExtractBool"),
}
_USES: Final = {
    "access_count": ("toFloat64(sum(recalled))", 0),
    "last_accessed_at": (
        "toUnixTimestamp64Milli(greatest(max(last_recalled_at), max(last_cited_at), max(last_touched_at)))",
        None,
    ),
}
"""Of each field that ``memory_access`` adds up: its expression, and its value for a memory without a row there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedFilter:
    """A condition on the rows of ``memories`` and the parameters that it names. Made by :func:`render` only.

    Conditions on use counts read ``memory_access`` of the scope: the query around them binds ``{tenant_id:String}`` and
    ``{scope_tag:String}``, as every query of one scope does.
    """

    sql: str
    parameters: Mapping[str, Any]


def render(tree: Filter, *, prefix: str = DEFAULT_PREFIX) -> RenderedFilter:
    """The condition for a tree. ``prefix``, a plain identifier, leads the names of its parameters."""
    renderer = _Renderer(prefix)
    sql = renderer.node(tree)
    return RenderedFilter(sql=sql, parameters=renderer.parameters)


class _Renderer:
    """Writes one tree; equal values share a parameter."""

    def __init__(self, prefix: str) -> None:
        if not (prefix.isascii() and prefix.isidentifier()):
            raise ValueError(f"prefix {prefix!r} is no identifier")
        self.parameters: dict[str, Any] = {}
        self._prefix = prefix
        self._names: dict[tuple[str, str], str] = {}

    def node(self, tree: Filter) -> str:
        known = constant(tree)
        if known is not None:
            return _TRUE if known else _FALSE
        match tree:
            case And(parts=parts):
                return _joined("AND", [self.node(part) for part in parts])
            case Or(parts=parts):
                return _joined("OR", [self.node(part) for part in parts])
            case Not(part=part):
                return f"NOT {self.node(part)}"
            case Condition(field=field, operator=operator):
                if field.name in ACCESS_FIELDS:
                    return self._use(tree)
                positive = self._json(tree) if field.type is FieldType.JSON else self._column(tree)
                return f"NOT {positive}" if operator in NEGATIVE else positive

    def _column(self, condition: Condition) -> str:
        """The condition without its negation, on a column of the table."""
        field, operator = condition.field, condition.operator
        if operator is Operator.EXISTS:
            return f"({field.name} IS {'NOT ' if condition.operands[0] else ''}NULL)"
        operands = usable_operands(condition)
        if field.type is FieldType.TEXTS:
            return f"has({field.name}, {self._bind('String', operands[0])})"
        value = field.name
        if field.type is FieldType.TIME:
            value = f"toUnixTimestamp64Milli({field.name})"
        elif field.name == "version":
            value = "toString(version)"
        test = self._test(value, operator, operands)
        return f"ifNull({test}, false)" if field.nullable else test

    def _use(self, condition: Condition) -> str:
        """A condition, with its negation, on what the rows of ``memory_access`` add up to. A memory may have none."""
        expression, unused = _USES[condition.field.name]
        if condition.operator is Operator.EXISTS:
            test = f"({expression} IS {'NOT ' if condition.operands[0] else ''}NULL)"
        else:
            test = f"ifNull({self._test(expression, condition.operator, usable_operands(condition))}, false)"
            test = f"NOT {test}" if condition.operator in NEGATIVE else test
        without_rows = holds(condition, unused)
        rows = (
            "SELECT memory_id FROM memory_access"
            " WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String}"
            f" GROUP BY memory_id HAVING {f'NOT {test}' if without_rows else test}"
        )
        return f"(memory_id {'NOT ' if without_rows else ''}IN ({rows}))"

    def _json(self, condition: Condition) -> str:
        """The condition without its negation, on a value inside a column of canonical JSON."""
        field, operator = condition.field, condition.operator
        keys = [self._bind("String", key) for key in field.path]
        place = ", ".join((field.name, *keys))
        if operator is Operator.EXISTS:
            return f"(JSONType({place}) {'!=' if condition.operands[0] else '='} 'Null')"
        if operator is not Operator.CONTAINS:
            return self._typed(place, operator, condition.operands)
        (operand,) = condition.operands
        element = self._typed("item", Operator.EQ, condition.operands)
        found = f"arrayExists(item -> {element}, JSONExtractArrayRaw({place}))"
        if not isinstance(operand, str):
            return found
        return _joined("OR", [self._typed(place, operator, condition.operands), found])

    def _typed(self, place: str, operator: Operator, operands: Sequence[Scalar]) -> str:
        """Compares the JSON value at ``place`` with the operands of its own type."""
        tests = []
        for kind, (is_type, extract) in _JSON_TYPES.items():
            alike = tuple(operand for operand in operands if type(operand) is kind)
            if alike:
                test = self._test(f"{extract}({place})", operator, alike)
                tests.append(f"(JSONType({place}) {is_type} AND {test})")
        return _joined("OR", tests)

    def _test(self, value: str, operator: Operator, operands: Sequence[Scalar]) -> str:
        """A comparison, without its negation, of an SQL expression with operands, all of its own type."""
        first = operands[0]
        if operator is Operator.CONTAINS:
            return f"(position({value}, {self._bind('String', first)}) > 0)"
        if operator not in LISTING:
            return f"({value} {_SIGNS[operator]} {self._operand(first)})"
        if isinstance(first, str):
            chunks = [self._bind("Array(String)", chunk) for chunk in _chunks(operands)]
            return _joined("OR", [f"({value} IN {chunk})" for chunk in chunks])
        if isinstance(first, datetime):
            moments = self._bind("Array(Int64)", [_millis(operand) for operand in operands])
            return f"({value} IN {moments})"
        if isinstance(first, bool):
            return _joined("OR", [f"({value} = {self._operand(operand)})" for operand in dict.fromkeys(operands)])
        bits = self._bind("Array(UInt64)", [_bits(operand) for operand in operands])
        return f"(reinterpretAsUInt64({value} + 0) IN {bits})"

    def _operand(self, operand: Scalar) -> str:
        if isinstance(operand, str):
            return self._bind("String", operand)
        if isinstance(operand, bool):
            return _TRUE if operand else _FALSE
        if isinstance(operand, datetime):
            return self._bind("Int64", _millis(operand))
        return f"reinterpretAsFloat64({self._bind('UInt64', _bits(operand))})"

    def _bind(self, kind: str, value: Any) -> str:
        name = self._names.setdefault((kind, repr(value)), f"{self._prefix}{len(self._names)}")
        self.parameters[name] = value
        return f"{{{name}:{kind}}}"


def _joined(word: str, tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else f"({f' {word} '.join(tests)})"


def _chunks(operands: Sequence[Any]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for operand in dict.fromkeys(operands):
        if chunk and size + len(operand) > _MAX_PARAMETER_CHARACTERS:
            yield chunk
            chunk, size = [], 0
        chunk.append(operand)
        size += len(operand) + 8
    yield chunk


def _bits(operand: Any) -> int:
    """A double as the integer of the same bits; adding zero makes minus zero zero, which it equals."""
    bits: int = struct.unpack("<Q", struct.pack("<d", operand + 0.0))[0]
    return bits


def _millis(operand: Any) -> int:
    return to_millis(operand)
