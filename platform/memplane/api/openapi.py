"""The OpenAPI document: what the framework knows of the routes, with the bodies and queries that ``api/body`` reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from memplane.api.problems import PROBLEM_MEDIA_TYPE, TITLES
from memplane.api.schemas.answers import ProblemOut

_REF: Final = "#/components/schemas/{model}"
_SHARED_REFUSALS: Final = (401, 403, 422, 429, 500, 503)
_IDEMPOTENCY_HEADER: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Makes repeats safe for 24 hours: the same body gives the stored answer, another body 409.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}


def answers(
    gives: Mapping[int, type[BaseModel]], *, refuses: Sequence[int] = (), is_public: bool = False
) -> dict[int | str, dict[str, Any]]:
    """What a route answers, as ``responses``: models by status, and problems (with those that keyed routes share)."""
    documented: dict[int | str, dict[str, Any]] = {
        status: _content(model, "application/json", model.__doc__ or "") for status, model in gives.items()
    }
    for status in () if is_public else sorted({*_SHARED_REFUSALS, *refuses}):
        documented[status] = _content(ProblemOut, PROBLEM_MEDIA_TYPE, TITLES[status])
    return documented


def _content(model: type[BaseModel], media_type: str, description: str) -> dict[str, Any]:
    return {
        "description": description,
        "content": {media_type: {"schema": {"$ref": _REF.format(model=model.__name__)}}},
    }


def takes(
    *,
    body: type[BaseModel] | Sequence[type[BaseModel]] = (),
    query: type[BaseModel] | None = None,
    is_keyed: bool = False,
) -> dict[str, Any]:
    """What a route takes, as ``openapi_extra``. Several bodies: one of them."""
    extra: dict[str, Any] = {}
    bodies = [body] if isinstance(body, type) else body
    references = [{"$ref": _REF.format(model=model.__name__)} for model in bodies]
    if references:
        schema = references[0] if len(references) == 1 else {"oneOf": references}
        extra["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    parameters = [] if query is None else _query_parameters(query)
    if is_keyed:
        parameters.append(_IDEMPOTENCY_HEADER)
    if parameters:
        extra["parameters"] = parameters
    return extra


def install_openapi(app: FastAPI, *, models: Sequence[type[BaseModel]], public: frozenset[str]) -> None:
    """Makes ``app`` describe ``models`` (of requests and answers) and its key, and caches the document."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app, models, public)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _document(app: FastAPI, models: Sequence[type[BaseModel]], public: frozenset[str]) -> dict[str, Any]:
    schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    described: list[type[BaseModel]] = [*models, ProblemOut]
    _, definitions = models_json_schema([(model, "validation") for model in described], ref_template=_REF)
    components = schema.setdefault("components", {})
    components.setdefault("schemas", {}).update(definitions.get("$defs", {}))
    components["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    schema["security"] = [{"key": []}]
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            if path in public:
                operation["security"] = []
    return schema


def _query_parameters(query: type[BaseModel]) -> list[dict[str, Any]]:
    schema = query.model_json_schema(by_alias=True)
    required = set(schema.get("required", ()))
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": definition.get("description", ""),
            "schema": {key: value for key, value in definition.items() if key != "description"},
        }
        for name, definition in schema["properties"].items()
    ]
