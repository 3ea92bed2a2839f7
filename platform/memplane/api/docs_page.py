"""A page that shows the OpenAPI document and tries its calls. It loads nothing from other hosts: it works offline."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from importlib import resources
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.responses import HTMLResponse, Response

_INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def docs_routes(app: FastAPI, *, path: str, openapi_path: str) -> APIRouter:
    """The page at ``path``. It reads the document at ``openapi_path``, beside it."""
    router = APIRouter(include_in_schema=False)
    template = resources.files("memplane.api").joinpath("docs_page.html").read_text("utf-8")
    page = template.replace("{{title}}", html.escape(app.title)).replace("{{openapi}}", openapi_path.lstrip("/"))
    policy = _policy(page)

    @router.get(path, response_model=None)
    async def show_docs() -> Response:
        return HTMLResponse(page, headers={"content-security-policy": policy})

    return router


def _policy(page: str) -> str:
    """Lets run exactly the script and style that the page holds, and lets it call its own host."""
    digests = {
        tag: base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        for tag, content in _INLINE.findall(page)
    }
    return (
        f"default-src 'none'; script-src 'sha256-{digests['script']}'; style-src 'sha256-{digests['style']}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
