"""The HTTP interface as a raw ASGI application: admit, authenticate, run, answer."""

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from memplane.adapters.local.clickhouse.compression import MIN_SIZE_TO_COMPRESS, encode
from memplane.adapters.local.clickhouse.credentials import Credentials, Role, presented
from memplane.adapters.local.clickhouse.engine import EnginePool, EngineResult
from memplane.adapters.local.clickhouse.errors import (
    AUTHENTICATION_FAILED,
    TOO_LARGE,
    TOO_MANY_QUERIES,
    UNKNOWN,
    StatementError,
)
from memplane.adapters.local.clickhouse.protocol import Head, read_head, read_query
from memplane.adapters.local.events import emit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[str, str]]


class ClickHouseApp:
    """Serves one engine pool to two users."""

    def __init__(self, pool: EnginePool, credentials: Credentials, *, max_body_bytes: int) -> None:
        self._pool = pool
        self._credentials = credentials
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; other ASGI scopes are ignored (the server runs without lifespan and WebSockets)."""
        if scope["type"] != "http":
            return
        query_id = ""
        try:
            head = read_head(scope["method"], scope["path"], scope["query_string"], scope["headers"])
            query_id = head.query_id
            await self._route(head, query_id, receive, send)
        except StatementError as error:
            emit("error", code=error.code, name=error.name, query_id=query_id)
            await _send_error(send, error, query_id)
        except ConnectionAbortedError:
            return
        except Exception as error:  # noqa: BLE001  the edge of the server: one bad request must not end it
            emit("error", code=UNKNOWN[0], name=type(error).__name__, query_id=query_id)
            await _send_error(send, StatementError(UNKNOWN, "Internal error of the embedded server"), query_id)

    async def _route(self, head: Head, query_id: str, receive: Receive, send: Send) -> None:
        if not head.is_local:
            emit("refused", reason="foreign host or origin")
            await _send(send, 403, b"Forbidden: loopback clients only\n", [("connection", "close")])
            return
        if head.path == "/ping" or (head.path == "/" and head.method in ("GET", "HEAD") and "query" not in head.url):
            await _send(send, 200, b"Ok.\n", [])
            return
        if head.path != "/":
            await _send(send, 404, b"There is no handle for this path\n", [("connection", "close")])
            return
        role = self._credentials.role_of(*presented(head.headers, head.url))
        if role is None:
            raise StatementError(AUTHENTICATION_FAILED, "Authentication failed: password is incorrect or no such user")
        body = await self._read_body(head, receive)
        # A GET never changes anything, whoever sends it, as with ClickHouse.
        read_only = role is Role.READER or head.method != "POST"
        query = await asyncio.to_thread(read_query, head, body, read_only=read_only, limit=self._max_body_bytes)
        result = await self._pool.run(query)
        await _send_result(send, result, head.response_encoding, query_id)

    async def _read_body(self, head: Head, receive: Receive) -> bytes:
        """Collect the body. Raises StatementError past the limit, ConnectionAbortedError when the client goes away."""
        announced = head.headers.get("content-length", "0")
        size = int(announced) if announced.isdigit() else 0
        chunks: list[bytes] = []
        more = True
        while more and size <= self._max_body_bytes:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionAbortedError
            chunks.append(message.get("body", b""))
            size = max(size, sum(map(len, chunks)))
            more = message.get("more_body", False)
        if size > self._max_body_bytes:
            raise StatementError(TOO_LARGE, f"Request body exceeds {self._max_body_bytes} bytes")
        return b"".join(chunks)


async def _send_result(send: Send, result: EngineResult, encoding: str | None, query_id: str) -> None:
    summary = {
        "read_rows": str(result.read_rows),
        "read_bytes": str(result.read_bytes),
        "written_rows": str(result.written_rows),
        "written_bytes": str(result.written_bytes),
        "total_rows_to_read": "0",
        "result_rows": str(result.result_rows or result.written_rows),
        "result_bytes": str(len(result.content)),
        "elapsed_ns": str(result.elapsed_ns),
    }
    headers: Headers = [
        ("content-type", "application/octet-stream" if result.format_name == "Native" else "text/plain; charset=UTF-8"),
        ("x-clickhouse-query-id", query_id),
        ("x-clickhouse-format", result.format_name),
        ("x-clickhouse-timezone", "UTC"),
        ("x-clickhouse-summary", json.dumps(summary, separators=(",", ":"))),
    ]
    content = result.content
    if encoding is not None and len(content) >= MIN_SIZE_TO_COMPRESS:
        content = await asyncio.to_thread(encode, content, encoding)
        headers.append(("content-encoding", encoding))
    await _send(send, 200, content, headers)


async def _send_error(send: Send, error: StatementError, query_id: str) -> None:
    headers: Headers = [
        ("content-type", "text/plain; charset=UTF-8"),
        ("x-clickhouse-query-id", query_id),
        ("x-clickhouse-exception-code", str(error.code)),
        ("x-clickhouse-timezone", "UTC"),
    ]
    if error.code == TOO_MANY_QUERIES[0]:
        headers.append(("retry-after", "1"))
    if error.code in (TOO_LARGE[0], AUTHENTICATION_FAILED[0]):
        # The body may not have been read: the connection cannot carry another request.
        headers.append(("connection", "close"))
    await _send(send, error.status, error.body.encode("utf-8", "replace"), headers)


async def _send(send: Send, status: int, content: bytes, headers: Headers) -> None:
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    raw.append((b"content-length", str(len(content)).encode("ascii")))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})
