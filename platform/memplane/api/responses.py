"""How values become JSON answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response


def json_response(content: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """``content`` (JSON values) as an answer."""
    return Response(
        orjson.dumps(content),
        status_code=status,
        media_type="application/json",
        headers=dict(headers) if headers else None,
    )
