"""Request bodies and queries: read within their limits, parsed strictly, validated against a schema."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, get_args, get_origin

import orjson
from pydantic import BaseModel, ValidationError
from pydantic_core.core_schema import ErrorType
from starlette.requests import Request

from memplane.api.problems import MAX_ISSUES
from memplane.domain.errors import BadJsonError, FieldIssue, InvalidError, TooLargeError, UnsupportedMediaTypeError
from memplane.ports.clock import Clock

Schema = TypeVar("Schema", bound=BaseModel)

_MAX_PATH_CHARACTERS: Final = 200
_CODES: Final = {
    "missing": "missing",
    "extra_forbidden": "unknown_field",
    "literal_error": "unknown_value",
    "greater_than_equal": "out_of_range",
    "greater_than": "out_of_range",
    "less_than_equal": "out_of_range",
    "less_than": "out_of_range",
    "finite_number": "out_of_range",
    "too_long": "too_long",
    "string_too_long": "too_long",
    "too_short": "too_short",
    "string_too_short": "too_short",
}
_PYDANTIC_KINDS: Final = frozenset(get_args(ErrorType))


@dataclass(frozen=True, slots=True, kw_only=True)
class Body(Generic[Schema]):
    """A request body: validated, and as the JSON values that came."""

    value: Schema
    raw: dict[str, Any]


async def read_body(request: Request, schema: type[Schema], *, max_bytes: int, clock: Clock) -> Body[Schema]:
    """The body of a request.

    Raises, in this order: TooLargeError, UnsupportedMediaTypeError, BadJsonError, InvalidError.
    """
    raw = await read_json(request, max_bytes=max_bytes)
    return Body(value=validated(raw, schema, clock=clock), raw=raw)


async def read_json(request: Request, *, max_bytes: int) -> Any:
    """The JSON value of a body, for routes whose schema depends on it. Raises as :func:`read_body`."""
    content = await _read(request, max_bytes)
    _check_media_type(request)
    raw = parse_json(content)
    refuse_query(request)
    return raw


def validated(raw: Any, schema: type[Schema], *, clock: Clock) -> Schema:
    """``raw``, held to ``schema``. Raises: InvalidError."""
    return _validated(raw, schema, clock, strict=True)


def read_query(request: Request, schema: type[Schema], *, clock: Clock) -> Schema:
    """The query string of a request, held to ``schema``. Raises: InvalidError."""
    values: dict[str, Any] = {}
    repeated: list[str] = []
    for name, value in request.query_params.multi_items():
        if _is_list(schema, name):
            values.setdefault(name, []).append(value)
        elif name in values:
            repeated.append(name)
        else:
            values[name] = value
    if repeated:
        raise _invalid([_repeated(name) for name in repeated])
    return _validated(values, schema, clock, strict=False)


def refuse_query(request: Request) -> None:
    """For routes that take no query string. Raises: InvalidError naming every parameter."""
    if request.query_params:
        raise _invalid([_unknown(name) for name in request.query_params])


def parse_json(content: bytes) -> Any:
    """JSON as RFC 8259 has it, and no more: UTF-8, no NaN, no name twice in an object, no half of a surrogate pair.

    Raises: BadJsonError.
    """
    try:
        value = _DECODER.decode(content.decode("utf-8"))
        if b"\\u" in content:
            orjson.loads(content)  # refuses half of a surrogate pair, which the decoder above lets pass
    except RecursionError as error:
        raise BadJsonError("the body is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise BadJsonError("the body is not UTF-8") from error
    except ValueError as error:
        raise BadJsonError(f"the body is not JSON: {error}"[:200]) from error
    return value


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object holds the same name twice")
    return members


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_no_name_twice, parse_constant=_refuse_constant)


async def _read(request: Request, max_bytes: int) -> bytes:
    too_large = TooLargeError(f"the body is over {max_bytes} bytes", data={"max_bytes": max_bytes})
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > max_bytes:
        raise too_large
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > max_bytes:
            raise too_large
        chunks.append(chunk)
    return b"".join(chunks)


def _check_media_type(request: Request) -> None:
    media_type, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower().removeprefix("charset=").strip('"')
    if media_type.strip().lower() != "application/json" or charset not in {"", "utf-8", "utf8"}:
        raise UnsupportedMediaTypeError("send the body as 'Content-Type: application/json' in UTF-8")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise UnsupportedMediaTypeError("send the body without a Content-Encoding")


def _validated(raw: Any, schema: type[Schema], clock: Clock, *, strict: bool) -> Schema:
    if not isinstance(raw, dict):
        raise _invalid([FieldIssue(path="", code="wrong_type", message="the body must be a JSON object")])
    try:
        return schema.model_validate(raw, strict=strict, context={"now": clock.now()})
    except ValidationError as error:
        raise _invalid([_issue(item) for item in error.errors(include_url=False, include_input=False)]) from None


def _issue(item: Any) -> FieldIssue:
    path = _bounded(".".join(str(part) for part in item["loc"]))
    kind: str = item["type"]
    if kind == "extra_forbidden":
        return _unknown(path)
    code = _CODES.get(kind, "wrong_type" if kind in _PYDANTIC_KINDS else kind)
    return FieldIssue(path=path, code=code, message=str(item["msg"])[:300])


def _repeated(name: str) -> FieldIssue:
    return FieldIssue(path=_bounded(name), code="repeated", message="is given twice")


def _unknown(path: str) -> FieldIssue:
    return FieldIssue(path=_bounded(path), code="unknown_field", message="is not a field of this request")


def _invalid(issues: list[FieldIssue]) -> InvalidError:
    first = issues[0]
    more = f" (and {len(issues) - 1} more)" if len(issues) > 1 else ""
    return InvalidError(f"{first.path or 'body'}: {first.message}{more}", issues=issues[:MAX_ISSUES])


def _bounded(path: str) -> str:
    return path[:_MAX_PATH_CHARACTERS]


def _is_list(schema: type[BaseModel], name: str) -> bool:
    field = next((item for key, item in schema.model_fields.items() if (item.alias or key) == name), None)
    return field is not None and get_origin(field.annotation) in {list, tuple}
