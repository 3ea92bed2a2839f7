"""``/v1/health``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memplane.api.openapi import answers
from memplane.api.render import health_json
from memplane.api.responses import json_response
from memplane.api.schemas.health import LiveOut, ReadyOut
from memplane.api.services import IngestServices
from memplane.application.check_health import HealthReport, Readiness
from memplane.domain.context import Principal, Role

LIVE_PATH: Final = "/health/live"
READY_PATH: Final = "/health/ready"
_GOOD_FOR_S: Final = 1.0


class SharedHealth:
    """One look at the parts at a time, good for a second: anyone may ask, and asking must cost the stores nothing."""

    def __init__(self, check: Callable[[], Awaitable[HealthReport]]) -> None:
        self._check = check
        self._looking = asyncio.Lock()
        self._seen: HealthReport | None = None
        self._seen_at = 0.0

    async def report(self) -> HealthReport:
        """The state of the parts, at most a second old."""
        async with self._looking:
            if self._seen is None or time.monotonic() - self._seen_at > _GOOD_FOR_S:
                self._seen = await self._check()
                self._seen_at = time.monotonic()
            return self._seen


def health_routes(services: IngestServices) -> APIRouter:
    """Routes of health. They need no key; an operator's key adds details."""
    router = APIRouter(tags=["health"])
    health = SharedHealth(services.health)

    @router.get(
        LIVE_PATH, summary="The process answers", responses=answers({200: LiveOut}, is_public=True), response_model=None
    )
    async def live() -> Response:
        return json_response({"status": "ok"})

    @router.get(
        READY_PATH,
        summary="Whether the platform can work",
        responses=answers({200: ReadyOut, 503: ReadyOut}, is_public=True),
        response_model=None,
    )
    async def ready(request: Request) -> Response:
        report = await health.report()
        principal = request.scope.get("state", {}).get("principal")
        is_operator = isinstance(principal, Principal) and principal.role is Role.OPERATOR
        content = health_json(report, with_detail=is_operator)
        if report.status is Readiness.DOWN:
            return json_response(content, status=503, headers={"retry-after": "1"})
        return json_response(content)

    return router
