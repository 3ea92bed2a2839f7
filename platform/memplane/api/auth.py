"""Authentication before anything else of a request is looked at."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from memplane.api.middleware import route_path
from memplane.application.authenticate import authenticate
from memplane.domain.context import Principal
from memplane.domain.errors import StoreUnavailableError, UnauthenticatedError, UnavailableError
from memplane.ports.clock import Clock
from memplane.ports.control_view import ControlView

_KEY_PREFIX: Final = "mp_"
_MIN_REFRESH_INTERVAL_S: Final = 0.25


class Authenticator:
    """Looks keys up in the control data at hand; an unknown one gets a second look after a refresh.

    Refreshes come a few times a second at most. So a key works everywhere at once after it was made, and a flood of
    wrong keys cannot flood the store.
    """

    def __init__(self, *, view: ControlView, clock: Clock) -> None:
        self._view = view
        self._clock = clock
        self._refreshing = asyncio.Lock()
        self._refresh_began = float("-inf")

    async def principal(self, headers: Headers) -> Principal:
        """The caller. Raises: UnauthenticatedError, UnavailableError (no control data)."""
        arrived = time.monotonic()
        bearer = _bearer(headers)
        try:
            return authenticate(self._view, bearer=bearer, now=self._clock.now())
        except UnauthenticatedError:
            if bearer is None or not bearer.startswith(_KEY_PREFIX):
                raise
        await self._refresh(since=arrived)
        return authenticate(self._view, bearer=bearer, now=self._clock.now())

    async def _refresh(self, *, since: float) -> None:
        """Makes sure that a refresh began after ``since``; many callers share one."""
        async with self._refreshing:
            if self._refresh_began > since:
                return
            await asyncio.sleep(self._refresh_began + _MIN_REFRESH_INTERVAL_S - time.monotonic())
            self._refresh_began = time.monotonic()
            try:
                await self._view.refresh()
            except StoreUnavailableError:
                return  # what is at hand decides


class AuthenticationMiddleware:
    """Refuses every request without a good key, unknown addresses included, except for ``public`` paths.

    Routes find the caller under ``scope["state"]["principal"]``; on a public path it may be ``None``.
    """

    def __init__(self, app: ASGIApp, *, view: ControlView, clock: Clock, public: frozenset[str]) -> None:
        self._app = app
        self._authenticator = Authenticator(view=view, clock=clock)
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Finds the caller, then passes the request on. Raises: UnauthenticatedError, UnavailableError."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        principal: Principal | None = None
        try:
            principal = await self._authenticator.principal(headers)
        except (UnauthenticatedError, UnavailableError):
            if route_path(scope) not in self._public:
                raise
        scope.setdefault("state", {})["principal"] = principal
        await self._app(scope, receive, send)


def _bearer(headers: Headers) -> str | None:
    """The key of the one ``Authorization: Bearer`` header; ``None`` for none, several, or another scheme."""
    values = headers.getlist("authorization")
    if len(values) != 1:
        return None
    scheme, _, key = values[0].partition(" ")
    return key.strip() or None if scheme.lower() == "bearer" else None
