"""What a filter means: the reference that every store's rendering must equal.

Two-valued. On a missing path, or null, every condition is false, except ``ne`` and ``nin`` (true) and ``exists: false``
(true); ``not`` is the complement. Nothing is coerced: a value of another type is unequal, and never greater or less;
1 equals 1.0. Strings compare by code point, times as instants. ``contains``: a substring of a string, or an element of
a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from memplane.domain.filters import (
    ACCESS_FIELDS,
    LISTING,
    NEGATIVE,
    ORDERING,
    And,
    Condition,
    Field,
    Filter,
    Not,
    Operator,
    Or,
    Scalar,
)
from memplane.domain.results import StoredMemory


def matches(tree: Filter, stored: StoredMemory) -> bool:
    """Whether a memory, with its use counts, passes the filter."""
    match tree:
        case And(parts=parts):
            return all(matches(part, stored) for part in parts)
        case Or(parts=parts):
            return any(matches(part, stored) for part in parts)
        case Not(part=part):
            return not matches(part, stored)
        case Condition():
            return holds(tree, value_of(tree.field, stored))


def holds(condition: Condition, value: Any) -> bool:
    """Whether a field's value (``None``: missing or null) meets a condition."""
    operator, operands = condition.operator, condition.operands
    if operator is Operator.EXISTS:
        return (value is not None) == operands[0]
    if operator in NEGATIVE:
        return not any(_equal(value, operand) for operand in operands)
    if operator is Operator.EQ or operator in LISTING:
        return any(_equal(value, operand) for operand in operands)
    if operator in ORDERING:
        return _in_order(value, operator, operands[0])
    return _contains(value, operands[0])


def value_of(field: Field, stored: StoredMemory) -> Any:
    """The JSON value of a field, times as aware datetimes; ``None`` where it is missing or null."""
    if field.name in ACCESS_FIELDS:
        return getattr(stored.access, field.name)
    value = getattr(stored.memory, field.name)
    if field.name == "version":
        return str(value)
    for key in field.path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _equal(value: Any, operand: Scalar) -> bool:
    kind = _kind(value)
    return kind is not None and kind is _kind(operand) and bool(value == operand)


def _in_order(value: Any, operator: Operator, operand: Scalar) -> bool:
    kind = _kind(value)
    if kind is None or kind is bool or kind is not _kind(operand):
        return False
    if value == operand:
        return operator in {Operator.GTE, Operator.LTE}
    is_greater = bool(value > operand)
    return is_greater == (operator in {Operator.GT, Operator.GTE})


def _contains(value: Any, operand: Scalar) -> bool:
    if isinstance(value, str):
        return isinstance(operand, str) and operand in value
    return isinstance(value, list | tuple) and any(_equal(item, operand) for item in value)


def _kind(value: Any) -> type | None:
    """The type that comparison goes by; ``None`` for what equals nothing (null, lists, objects)."""
    for kind, members in ((bool, bool), (float, int | float), (str, str), (datetime, datetime)):
        if isinstance(value, members):
            return kind
    return None
