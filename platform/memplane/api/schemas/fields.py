"""The kinds of field that requests are made of."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

from memplane.domain.canonical import check_json, check_metadata
from memplane.domain.clock import truncate_to_millis
from memplane.domain.errors import InvalidError
from memplane.domain.facts import MAX_AHEAD
from memplane.domain.ids import check_tenant_id, id_problem
from memplane.domain.memory import MAX_CONTENT_CHARACTERS

EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2299, 12, 31, tzinfo=UTC)
"""Bounds of what the stores' times hold."""
EVENT_YEARS_AHEAD: Final = 10

_RFC_3339: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:([Zz])|([+-])([01]\d|2[0-3]):([0-5]\d))", re.ASCII
)


class RequestModel(BaseModel):
    """A request: unknown fields are refused, types are not bent."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, allow_inf_nan=False)


def fail(code: str, message: str) -> PydanticCustomError:
    """A refusal with one of our codes, to be raised by validators."""
    # Braces would be read as placeholders of the message.
    return PydanticCustomError(code, "{reason}", {"reason": message})


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise fail("wrong_type", "must be a string")
    return value


def _id(value: Any) -> str:
    text = _text(value)
    problem = id_problem(text)
    if problem is not None:
        raise fail("bad_id", problem)
    return text


def _tenant_id(value: Any) -> str:
    text = _text(value)
    try:
        return check_tenant_id(text)
    except InvalidError as error:
        raise fail("bad_id", "must match [a-z0-9][a-z0-9-]{0,62}") from error


def _content(value: Any) -> str:
    text = _text(value)
    if not text.strip():
        raise fail("blank", "must not be empty or blank")
    if len(text) > MAX_CONTENT_CHARACTERS:
        raise fail("too_long", f"must have at most {MAX_CONTENT_CHARACTERS} characters, has {len(text)}")
    return text


def parse_time(value: Any) -> datetime:
    """An RFC 3339 time with offset as aware UTC in whole milliseconds. Raises: PydanticCustomError."""
    match = _RFC_3339.fullmatch(_text(value))
    if match is None:
        raise fail("bad_time", "must be an RFC 3339 time with offset, like 2025-06-12T09:30:00Z")
    day, clock, fraction, zulu, sign, hours, minutes = match.groups()
    offset = "+00:00" if zulu else f"{sign}{hours}:{minutes}"
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}.{(fraction or '0')[:6].ljust(6, '0')}{offset}").astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise fail("bad_time", "is no time of the calendar") from error
    if not EARLIEST <= moment <= LATEST:
        raise fail("out_of_range", f"must lie between {EARLIEST.year} and {LATEST.year}")
    return truncate_to_millis(moment)


def _event_time(value: Any, info: ValidationInfo) -> datetime:
    moment = parse_time(value)
    now: datetime = info.context["now"] if info.context else datetime.now(UTC)
    if moment > now + timedelta(days=3653):
        raise fail("out_of_range", f"must lie at most {EVENT_YEARS_AHEAD} years ahead")
    return moment


def _fact_time(value: Any, info: ValidationInfo) -> datetime:
    moment = parse_time(value)
    now: datetime = info.context["now"] if info.context else datetime.now(UTC)
    if moment > now + MAX_AHEAD:
        raise fail("out_of_range", f"must lie at most {MAX_AHEAD.seconds // 60} minutes ahead")
    return moment


def _fact_value(value: Any) -> Any:
    try:
        check_json(value, path="value")
    except InvalidError as error:
        raise fail(error.issues[0].code if error.issues else "bad_value", error.message) from error
    return value


def _metadata(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise fail("wrong_type", "must be an object")
    try:
        check_metadata(value)
    except InvalidError as error:
        raise fail(error.issues[0].code if error.issues else "bad_metadata", error.message) from error
    found: dict[str, Any] = value
    return found


def _not_served(value: Any) -> None:
    if value is not None:
        raise fail("not_supported", "is not supported by this version; leave it out")


_TIME_SCHEMA: Final = WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2025-06-12T09:30:00Z"]})
_ID_SCHEMA: Final = WithJsonSchema({"type": "string", "minLength": 1, "maxLength": 128})

Identifier = Annotated[str, BeforeValidator(_id), _ID_SCHEMA]
TenantName = Annotated[
    str, BeforeValidator(_tenant_id), WithJsonSchema({"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,62}$"})
]
Content = Annotated[
    str,
    BeforeValidator(_content),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_CONTENT_CHARACTERS}),
]
Time = Annotated[datetime, BeforeValidator(parse_time), _TIME_SCHEMA]
EventTime = Annotated[datetime, BeforeValidator(_event_time), _TIME_SCHEMA]
FactTime = Annotated[datetime, BeforeValidator(_fact_time), _TIME_SCHEMA]
FactValue = Annotated[
    Any,
    BeforeValidator(_fact_value),
    WithJsonSchema({"description": "Any JSON: at most 16 KB, depth 5, no '.' in keys, no number beyond 2^53."}),
]
Metadata = Annotated[
    dict[str, Any],
    BeforeValidator(_metadata),
    WithJsonSchema({"type": "object", "description": "At most 16 KB, depth 5, no '.' in keys, no number beyond 2^53."}),
]
Importance = Annotated[float, Field(ge=0, le=1)]
NotServed = Annotated[
    None, BeforeValidator(_not_served), WithJsonSchema({"description": "Not supported by this version: 422."})
]
