"""The three HTTP applications, as builder functions: Serve calls them on the replica."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, FastAPI
from pydantic import BaseModel
from starlette.middleware import Middleware

import memplane
from memplane.api.auth import AuthenticationMiddleware
from memplane.api.docs_page import docs_routes
from memplane.api.middleware import (
    DeadlineMiddleware,
    EmptyPathMiddleware,
    ProblemMiddleware,
    SecurityHeadersMiddleware,
)
from memplane.api.openapi import install_openapi
from memplane.api.problems import install_problem_handlers
from memplane.api.routes.access import access_routes
from memplane.api.routes.events import events_routes
from memplane.api.routes.facts import facts_routes
from memplane.api.routes.health import LIVE_PATH, READY_PATH, health_routes
from memplane.api.routes.memories import memories_routes
from memplane.api.routes.memory_versions import memory_versions_routes
from memplane.api.routes.operations import operations_routes
from memplane.api.routes.recall import recall_routes
from memplane.api.schemas.admin import CreatedKeyOut, KeyIn, KeyOut, TenantIn, TenantOut
from memplane.api.schemas.answers import (
    EventPageOut,
    FactOut,
    FactPageOut,
    HistoryOut,
    MemoryOut,
    MemoryPageOut,
    ReceiptOut,
)
from memplane.api.schemas.events import EventsIn
from memplane.api.schemas.facts import FactMemoryIn, FactPutIn
from memplane.api.schemas.health import LiveOut, ReadyOut
from memplane.api.schemas.memories import MemoryIn, MemoryPatchIn
from memplane.api.schemas.recall import ContextIn, ContextOut, RecallIn, RecallOut
from memplane.api.services import AdminServices, IngestServices, RetrievalServices
from memplane.api.tracing import TraceMiddleware

DOCS_PATH: Final = "/docs"
OPENAPI_PATH: Final = "/openapi.json"
_PUBLIC_DOCS: Final = frozenset({DOCS_PATH, OPENAPI_PATH})
_INGEST_MODELS: Final = (
    EventsIn,
    EventPageOut,
    MemoryIn,
    MemoryPatchIn,
    FactMemoryIn,
    FactPutIn,
    ReceiptOut,
    MemoryOut,
    MemoryPageOut,
    HistoryOut,
    FactOut,
    FactPageOut,
    LiveOut,
    ReadyOut,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """What tells one application from another. ``models``: of requests and answers.

    ``public``: paths that need no key."""

    title: str
    routers: Sequence[APIRouter]
    models: Sequence[type[BaseModel]]
    public: frozenset[str]


def build_ingest_app(services: IngestServices) -> FastAPI:
    """``/v1``: writing, reading by id, operations, health. Documented at ``/v1/docs``."""
    parts = _Parts(
        title="memplane",
        routers=(
            events_routes(services),
            operations_routes(services),
            memories_routes(services),
            memory_versions_routes(services),
            facts_routes(services),
            health_routes(services),
        ),
        models=_INGEST_MODELS,
        public=_PUBLIC_DOCS | {LIVE_PATH, READY_PATH},
    )
    return _build(parts, services)


def build_retrieval_app(services: RetrievalServices) -> FastAPI:
    """``/v1/recall``. Documented at ``/v1/recall/docs``."""
    parts = _Parts(
        title="memplane recall",
        routers=(recall_routes(services),),
        models=(RecallIn, ContextIn, RecallOut, ContextOut),
        public=_PUBLIC_DOCS,
    )
    return _build(parts, services)


def build_admin_app(services: AdminServices) -> FastAPI:
    """``/admin``: tenants and keys. Documented at ``/admin/docs``."""
    parts = _Parts(
        title="memplane admin",
        routers=(access_routes(services),),
        models=(TenantIn, KeyIn, TenantOut, KeyOut, CreatedKeyOut),
        public=_PUBLIC_DOCS,
    )
    return _build(parts, services)


def _build(parts: _Parts, services: IngestServices | RetrievalServices | AdminServices) -> FastAPI:
    app = FastAPI(
        title=parts.title,
        version=memplane.__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=OPENAPI_PATH,
        redirect_slashes=False,
        middleware=[
            Middleware(EmptyPathMiddleware),
            Middleware(TraceMiddleware, tracer=services.tracer),
            Middleware(SecurityHeadersMiddleware),
            Middleware(ProblemMiddleware),
            Middleware(DeadlineMiddleware, deadline_s=services.limits.request_deadline_s),
            Middleware(AuthenticationMiddleware, view=services.view, clock=services.clock, public=parts.public),
        ],
    )
    install_problem_handlers(app)
    for router in parts.routers:
        app.include_router(router)
    app.include_router(docs_routes(app, path=DOCS_PATH, openapi_path=OPENAPI_PATH))
    install_openapi(app, models=parts.models, public=parts.public)
    return app
