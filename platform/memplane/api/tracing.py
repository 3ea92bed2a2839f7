"""The trace of a request: taken from its ``traceparent``, or drawn; told in ``x-trace-id``."""

from __future__ import annotations

import re
import secrets
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memplane.ports.tracer import Tracer

_TRACEPARENT: Final = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}", re.ASCII)


class TraceMiddleware:
    """Opens a span around each request. Routes find its context under ``scope["state"]["traceparent"]``."""

    def __init__(self, app: ASGIApp, *, tracer: Tracer) -> None:
        self._app = app
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the request inside its span."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        incoming = Headers(scope=scope).get("traceparent", "")
        parent = incoming if _TRACEPARENT.fullmatch(incoming) else ""
        with self._tracer.span(
            "http.request", traceparent=parent, attributes={"http.request.method": scope["method"]}
        ) as span:
            is_traced = _TRACEPARENT.fullmatch(span.traceparent) is not None
            traceparent = span.traceparent if is_traced else parent or draw_traceparent()
            scope.setdefault("state", {})["traceparent"] = traceparent

            async def tell(message: Message) -> None:
                if message["type"] == "http.response.start":
                    MutableHeaders(scope=message)["x-trace-id"] = trace_id_of(scope)
                    span.set("http.response.status_code", message["status"])
                    span.set("http.route", _template(scope))
                await send(message)

            await self._app(scope, receive, tell)


def draw_traceparent() -> str:
    """A fresh, sampled W3C trace context."""
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def traceparent_of(scope: Scope) -> str:
    """The trace context of a request."""
    traceparent: str = scope.get("state", {}).get("traceparent", "")
    return traceparent


def trace_id_of(scope: Scope) -> str:
    """The 32 hex digits of a request's trace."""
    return traceparent_of(scope).split("-")[1] if traceparent_of(scope) else ""


def _template(scope: Scope) -> str:
    """The route's template, never the path itself: paths hold ids."""
    route = scope.get("route")
    return f"{scope.get('root_path', '')}{getattr(route, 'path', '')}" if route is not None else ""
