"""What every request passes through, one concern a class, in pure ASGI. ``api/app`` fixes the order."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memplane.api.problems import problem_of
from memplane.api.tracing import trace_id_of
from memplane.domain.errors import DeadlineExceededError

_SECURITY_HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class EmptyPathMiddleware:
    """Gives a request for the very prefix of its application (``POST /v1/recall``) the path ``/``.

    Routers refuse an empty path.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, its path completed."""
        if scope["type"] == "http" and route_path(scope) == "":
            scope = {**scope, "path": f"{scope.get('root_path', '')}/"}
        await self._app(scope, receive, send)


class SecurityHeadersMiddleware:
    """Tells browsers to store, guess and frame nothing. Answers that set such a header keep their own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Adds the headers to the answer."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)


class ProblemMiddleware:
    """The edge where errors become answers. Once an answer has begun, the error goes on to the server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the request and answers for its errors."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun |= message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:  # the edge of the route
            if has_begun:
                raise
            await problem_of(error, trace_id=trace_id_of(scope))(scope, receive, send)


class DeadlineMiddleware:
    """Ends a request that outlives every deadline inside it (a body that trickles in, a store that hangs)."""

    def __init__(self, app: ASGIApp, *, deadline_s: float) -> None:
        self._app = app
        self._deadline_s = deadline_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the request for at most the deadline. Raises: DeadlineExceededError."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._deadline_s) as limit:
                await self._app(scope, receive, send)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise DeadlineExceededError("this request took too long", retry_after_s=1.0) from error


def route_path(scope: Scope) -> str:
    """The path below the application's prefix, as its router sees it."""
    path: str = scope["path"]
    prefix: str = scope.get("root_path", "")
    rest = path[len(prefix) :]
    return rest if path.startswith(prefix) and rest[:1] in {"", "/"} else path
