"""The filter grammar that listing, recall and deletion share: JSON in, a frozen tree out.

``{"and": [...]}``, ``{"or": [...]}``, ``{"not": ...}``, ``{"<field>": {"<operator>": operand}}``; several keys in an
object, and several operators on a field, are AND. What a tree means is defined by :mod:`memplane.domain.filter_eval`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from memplane.domain.canonical import MAX_METADATA_BYTES, MAX_METADATA_DEPTH, canonical_hash
from memplane.domain.clock import truncate_to_millis
from memplane.domain.errors import FieldIssue, InvalidError
from memplane.domain.memory import MAX_CONTENT_CHARACTERS

MAX_CONDITIONS: Final = 100
MAX_DEPTH: Final = 8
"""How many ``and``, ``or`` and ``not`` may stand inside each other."""
MAX_LISTED_VALUES: Final = 1_000
"""Over all lists of ``in`` and ``nin`` in one tree."""
MAX_ISSUES: Final = 20

_METADATA_PREFIX: Final = "metadata."
_RFC_3339: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)", re.ASCII
)


class Operator(StrEnum):
    """What a condition asks of its field."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    IN = "in"
    NIN = "nin"
    EXISTS = "exists"
    CONTAINS = "contains"


_OPERATORS: Final = frozenset(Operator)
ORDERING: Final = frozenset({Operator.GT, Operator.GTE, Operator.LT, Operator.LTE})
LISTING: Final = frozenset({Operator.IN, Operator.NIN})
NEGATIVE: Final = frozenset({Operator.NE, Operator.NIN})


class FieldType(StrEnum):
    """What a field holds. ``JSON``: whatever JSON value was written there."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TIME = "time"
    TEXTS = "texts"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a memory. ``path``: the keys below ``metadata``, empty for all others."""

    name: str
    type: FieldType
    nullable: bool = False
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As the grammar writes it."""
        return ".".join((self.name, *self.path))


def _fields() -> dict[str, Field]:
    texts = (
        "memory_id", "version", "kind", "category", "status", "content", "summary", "summary_hash", "visibility",
    )  # fmt: skip
    optional_texts = ("status_reason", "fact_key", "agent_id", "session_id", "superseded_by")
    times = ("status_at", "event_time", "valid_from", "recorded_at", "updated_at")
    optional_times = ("valid_to", "expires_at", "last_accessed_at")
    return {
        field.name: field
        for field in (
            *(Field(name=name, type=FieldType.TEXT) for name in texts),
            *(Field(name=name, type=FieldType.TEXT, nullable=True) for name in optional_texts),
            *(Field(name=name, type=FieldType.TIME) for name in times),
            *(Field(name=name, type=FieldType.TIME, nullable=True) for name in optional_times),
            *(Field(name=name, type=FieldType.NUMBER) for name in ("importance", "access_count")),
            Field(name="pinned", type=FieldType.BOOLEAN),
            *(Field(name=name, type=FieldType.TEXTS) for name in ("source_event_ids", "derived_from")),
            Field(name="fact_value", type=FieldType.JSON, nullable=True),
        )
    }


SYSTEM_FIELDS: Final[Mapping[str, Field]] = _fields()
"""Every field of a memory that a filter may name, besides ``metadata.<path>``. Tenant and user are the scope's, which
the request names elsewhere. ``version`` is a string, as in answers."""
ACCESS_FIELDS: Final = frozenset({"access_count", "last_accessed_at"})
"""Fields that are not on the memory itself but joined from how it was used."""

Scalar = str | float | bool | datetime
"""An operand. Numbers are floats, as JSON has it; times are aware UTC in whole milliseconds, on time fields only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One operator on one field: a leaf. ``operands`` has one value, but any number for ``in`` and ``nin``."""

    field: Field
    operator: Operator
    operands: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class And:
    """True when all parts are; true without parts."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Or:
    """True when a part is; false without parts."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """The complement of its part."""

    part: Filter


Filter = And | Or | Not | Condition
EVERYTHING: Final = And(parts=())
"""The filter that holds nothing back."""


def parse_filter(value: Any, *, path: str = "filter") -> Filter:
    """The tree that a JSON value stands for. Objects of one meaning in several spellings may give one tree.

    Raises: InvalidError whose issues name every place at fault (at most 20), like ``filter.and.0.kind.eq``.
    """
    parser = _Parser(path)
    tree = parser.node(value, path, 0)
    if parser.issues:
        raise parser.refusal()
    return tree


def to_json(tree: Filter) -> Any:
    """A tree in the grammar again, in one spelling: the canonical form that a cursor is bound to."""
    match tree:
        case And(parts=parts):
            return {"and": [to_json(part) for part in parts]}
        case Or(parts=parts):
            return {"or": [to_json(part) for part in parts]}
        case Not(part=part):
            return {"not": to_json(part)}
        case Condition(operator=operator, operands=operands):
            shown = [_operand_json(operand) for operand in operands]
            return {str(tree.field): {operator.value: shown if operator in LISTING else shown[0]}}


def filter_hash(tree: Filter) -> str:
    """SHA-256, in hex, of the canonical form."""
    return canonical_hash(to_json(tree))


def uses_access(tree: Filter) -> bool:
    """Whether a condition asks how a memory was used, so that use counts must be at hand."""
    match tree:
        case And(parts=parts) | Or(parts=parts):
            return any(uses_access(part) for part in parts)
        case Not(part=part):
            return uses_access(part)
        case Condition(field=field):
            return field.name in ACCESS_FIELDS


def is_empty(tree: Filter) -> bool:
    """Whether the filter is plain to see to hold nothing back, whatever the memory: too broad for a deletion."""
    return constant(tree) is True


def constant(tree: Filter) -> bool | None:
    """What the filter is for every memory, or ``None`` where that depends on the memory. Knows no algebra beyond this:
    empty lists, operands of another type than their field's, ``exists`` on fields that every memory has.
    """
    match tree:
        case And(parts=parts) | Or(parts=parts):
            deciding = isinstance(tree, Or)
            known = [constant(part) for part in parts]
            if deciding in known:
                return deciding
            return None if None in known else not deciding
        case Not(part=part):
            inner = constant(part)
            return None if inner is None else not inner
        case Condition(field=field, operator=Operator.EXISTS, operands=operands):
            return None if field.nullable else bool(operands[0])
        case Condition(operator=operator):
            return None if usable_operands(tree) else operator in NEGATIVE


def usable_operands(condition: Condition) -> tuple[Scalar, ...]:
    """The operands that can meet a value of the field at all: another type is unequal, never greater, never less."""
    wanted = _OPERAND_TYPES[condition.field.type]
    if condition.operator is Operator.CONTAINS:
        wanted = _ELEMENT_TYPES[condition.field.type]
    return tuple(operand for operand in condition.operands if type(operand) in wanted)


_OPERAND_TYPES: Final[Mapping[FieldType, tuple[type, ...]]] = {
    FieldType.TEXT: (str,),
    FieldType.NUMBER: (float,),
    FieldType.BOOLEAN: (bool,),
    FieldType.TIME: (datetime,),
    FieldType.TEXTS: (),
    FieldType.JSON: (str, float, bool),
}
_ELEMENT_TYPES: Final[Mapping[FieldType, tuple[type, ...]]] = {
    **dict.fromkeys(FieldType, ()),
    FieldType.TEXT: (str,),
    FieldType.TEXTS: (str,),
    FieldType.JSON: (str, float, bool),
}
_REFUSED_OPERATORS: Final[Mapping[FieldType, frozenset[Operator]]] = {
    **dict.fromkeys(FieldType, frozenset()),
    FieldType.BOOLEAN: ORDERING | {Operator.CONTAINS},
    FieldType.TIME: frozenset({Operator.CONTAINS}),
}


class _Parser:
    """Walks one JSON value; gathers what is wrong with it."""

    def __init__(self, root: str) -> None:
        self.issues: list[FieldIssue] = []
        self._root = root
        self._conditions = 0
        self._listed = 0

    def refusal(self) -> InvalidError:
        first = self.issues[0]
        return InvalidError(f"{first.path}: {first.message}", issues=self.issues)

    def node(self, value: Any, path: str, depth: int) -> Filter:
        if not isinstance(value, Mapping):
            return self._wrong(path, "wrong_type", "must be an object")
        if not value:
            self._count_condition()
        parts: list[Filter] = []
        for key, item in value.items():
            if key not in {"and", "or", "not"}:
                parts.extend(self._conditions_of(key, item, path))
            elif depth == MAX_DEPTH:
                self._wrong(f"{path}.{key}", "too_deep", f"is nested deeper than {MAX_DEPTH} levels")
            elif key == "not":
                parts.append(Not(part=self.node(item, f"{path}.not", depth + 1)))
            else:
                parts.append(self._combined(key, item, f"{path}.{key}", depth + 1))
        return _all_of(parts)

    def _combined(self, key: str, value: Any, path: str, depth: int) -> Filter:
        if not isinstance(value, list | tuple):
            return self._wrong(path, "wrong_type", "must be a list of filters")
        if not value:
            self._count_condition()
        parts = [self.node(item, f"{path}.{index}", depth) for index, item in enumerate(value)]
        if key == "and":
            return _all_of(parts)
        return parts[0] if len(parts) == 1 else Or(parts=tuple(parts))

    def _conditions_of(self, name: str, value: Any, path: str) -> list[Filter]:
        path = f"{path}.{name[:64]}"
        field = self._field(name, path)
        if field is None:
            return []
        if not isinstance(value, Mapping) or not value:
            operators = ", ".join(Operator)
            self._wrong(path, "wrong_type", f"must be an object of operators ({operators}), like {{'eq': ...}}")
            return []
        return [self._condition(field, key, operand, f"{path}.{key[:64]}") for key, operand in value.items()]

    def _field(self, name: str, path: str) -> Field | None:
        if name in SYSTEM_FIELDS:
            return SYSTEM_FIELDS[name]
        if not name.startswith(_METADATA_PREFIX):
            known = ", ".join(sorted(SYSTEM_FIELDS))
            self._wrong(path, "unknown_field", f"is not a field; there are metadata.<path>, {known}")
            return None
        keys = tuple(name.removeprefix(_METADATA_PREFIX).split("."))
        if len(keys) > MAX_METADATA_DEPTH:
            self._wrong(path, "too_deep", f"names more than the {MAX_METADATA_DEPTH} levels that metadata has")
        elif len(name) > MAX_METADATA_BYTES or not _is_text(name):
            self._wrong(path, "unknown_field", "names what no metadata can hold")
        return Field(name="metadata", type=FieldType.JSON, nullable=True, path=keys)

    def _condition(self, field: Field, key: str, value: Any, path: str) -> Filter:
        self._count_condition()
        if key not in _OPERATORS:
            return self._wrong(path, "unknown_operator", f"is not an operator; there are {', '.join(Operator)}")
        operator = Operator(key)
        if operator in _REFUSED_OPERATORS[field.type]:
            return self._wrong(path, "wrong_type", f"a {field.type} field does not take {operator.value!r}")
        if operator in LISTING:
            return self._listing(field, operator, value, path)
        if operator is not Operator.EXISTS:
            return Condition(field=field, operator=operator, operands=self._operand(field, operator, value, path))
        if not isinstance(value, bool):
            return self._wrong(path, "wrong_type", "must be true or false")
        return Condition(field=field, operator=operator, operands=(value,))

    def _listing(self, field: Field, operator: Operator, value: Any, path: str) -> Filter:
        if not isinstance(value, list | tuple):
            return self._wrong(path, "wrong_type", "must be a list")
        self._listed += len(value)
        if self._listed > MAX_LISTED_VALUES:
            self._stop("too_many", f"lists more than {MAX_LISTED_VALUES} values")
        found = (self._operand(field, operator, item, f"{path}.{index}") for index, item in enumerate(value))
        return Condition(field=field, operator=operator, operands=tuple(item for items in found for item in items))

    def _operand(self, field: Field, operator: Operator, value: Any, path: str) -> tuple[Scalar, ...]:
        """The operand, or nothing where it is refused."""
        problem: tuple[str, str] | None = None
        if field.type is FieldType.TIME:
            moment = _moment(value)
            if moment is not None:
                return (moment,)
            problem = ("bad_time", "must be an RFC 3339 time with offset, like 2025-06-12T09:30:00Z")
        elif isinstance(value, bool):
            if operator not in ORDERING:
                return (value,)
            problem = ("wrong_type", "booleans have no order: they take eq, ne, in and nin")
        elif isinstance(value, int | float):
            number = _float(value)
            if math.isfinite(number):
                return (number,)
            problem = ("bad_number", "is a number beyond all that JSON readers hold")
        elif isinstance(value, str):
            if len(value) <= MAX_CONTENT_CHARACTERS and _is_text(value):
                return (value,)
            problem = ("bad_text", f"must have at most {MAX_CONTENT_CHARACTERS} characters and no half of a surrogate")
        else:
            hint = "; to ask for null use {'exists': false}" if value is None else ""
            problem = ("wrong_type", f"must be a string, a number or a boolean{hint}")
        self._wrong(path, *problem)
        return ()

    def _count_condition(self) -> None:
        self._conditions += 1
        if self._conditions > MAX_CONDITIONS:
            self._stop("too_many", f"has more than {MAX_CONDITIONS} conditions")

    def _wrong(self, path: str, code: str, message: str) -> Filter:
        shown = path[:200].encode("utf-8", "replace").decode()
        self.issues.append(FieldIssue(path=shown, code=code, message=message))
        if len(self.issues) == MAX_ISSUES:
            raise self.refusal()
        return EVERYTHING

    def _stop(self, code: str, message: str) -> None:
        self.issues.insert(0, FieldIssue(path=self._root, code=code, message=message))
        raise self.refusal()


def _all_of(parts: list[Filter]) -> Filter:
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return flat[0] if len(flat) == 1 else And(parts=tuple(flat))


def _moment(value: Any) -> datetime | None:
    match = _RFC_3339.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    day, clock, fraction, offset = match.groups()
    offset = "+00:00" if offset in {"Z", "z"} else offset
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}.{(fraction or '0')[:6].ljust(6, '0')}{offset}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return truncate_to_millis(moment)


def _operand_json(operand: Scalar) -> str | float | bool:
    if isinstance(operand, datetime):
        return operand.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return operand


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _is_text(value: str) -> bool:
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)
