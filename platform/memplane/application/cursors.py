"""Page cursors: sealed, and bound to the query that made them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final

import orjson

from memplane.domain.canonical import canonical_hash, canonical_json
from memplane.domain.errors import BadCursorError

_SEAL_BYTES: Final = 16
_MAX_CURSOR_CHARACTERS: Final = 2_048
_REFUSAL: Final = "this cursor was not made by this query: repeat the query without it"


def seal_cursor(*, secret: bytes, query: Mapping[str, Any], after: tuple[Any, ...]) -> str:
    """A cursor that continues ``query`` (JSON values) behind the row with sort key ``after``."""
    payload = canonical_json({"after": list(after), "query": canonical_hash(dict(query))}).encode()
    return base64.urlsafe_b64encode(_seal(secret, payload) + payload).decode().rstrip("=")


def open_cursor(cursor: str, *, secret: bytes, query: Mapping[str, Any]) -> tuple[Any, ...]:
    """The sort key inside a cursor. Raises: BadCursorError unless :func:`seal_cursor` made it for the same query."""
    if len(cursor) > _MAX_CURSOR_CHARACTERS:
        raise BadCursorError(_REFUSAL)
    try:
        raw = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise BadCursorError(_REFUSAL) from error
    seal, payload = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
    if not hmac.compare_digest(seal, _seal(secret, payload)):
        raise BadCursorError(_REFUSAL)
    content = orjson.loads(payload)
    if content["query"] != canonical_hash(dict(query)):
        raise BadCursorError(_REFUSAL)
    return tuple(content["after"])


def _seal(secret: bytes, payload: bytes) -> bytes:
    return hmac.new(secret, b"memplane.cursor.v1\0" + payload, hashlib.sha256).digest()[:_SEAL_BYTES]
