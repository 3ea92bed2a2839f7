"""The token of the local Milvus process, checked on every call before anything else happens."""

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

_METADATA_KEY = "authorization"


def load_token(path: Path) -> str:
    """Read the token (`user:password`, as given to `MilvusClient(token=...)`) from a file of mode 0600.

    Raises ValueError when the file is readable by others or holds no `user:password`.
    """
    if path.stat().st_mode & 0o077:
        raise ValueError(f"token file {path.name!r} is readable by others; run chmod 600 on it")
    token = path.read_text(encoding="utf-8").strip()
    user, _, password = token.partition(":")
    if not user or not password:
        raise ValueError(f"token file {path.name!r} must hold user:password")
    return token


class TokenInterceptor(grpc.ServerInterceptor):  # type: ignore[misc]  # grpc ships no types
    """Answers UNAUTHENTICATED unless the call carries the token, compared in constant time."""

    def __init__(self, token: str) -> None:
        self._expected = _digest(b64encode(token.encode("utf-8")))
        self._refusal = grpc.unary_unary_rpc_method_handler(_refuse)

    def intercept_service(
        self, continuation: Callable[[grpc.HandlerCallDetails], Any], handler_call_details: grpc.HandlerCallDetails
    ) -> Any:
        """Pass the call on, or replace its handler by one that refuses."""
        given = [value for key, value in handler_call_details.invocation_metadata or () if key == _METADATA_KEY]
        raw = given[0] if len(given) == 1 else b""
        presented = raw if isinstance(raw, bytes) else raw.encode("utf-8")
        if hmac.compare_digest(_digest(presented), self._expected):
            return continuation(handler_call_details)
        return self._refusal


def _digest(value: bytes) -> bytes:
    return hashlib.sha256(value).digest()


def _refuse(_request: object, context: grpc.ServicerContext) -> None:
    context.abort(grpc.StatusCode.UNAUTHENTICATED, "wrong or missing token")
