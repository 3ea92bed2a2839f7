"""What the writing routes share: the receipt as an answer, and the body that names an operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from memplane.api.calls import idempotency_key
from memplane.api.responses import json_response
from memplane.domain.canonical import canonical_hash
from memplane.domain.commands import Idempotency, Wait
from memplane.domain.results import OperationStatus, Receipt


def idempotency_of(request: Request, raw: Mapping[str, Any], *, target: str = "") -> Idempotency | None:
    """The caller's key with the hash of the canonical body without ``wait``. Raises: InvalidError.

    ``target`` names what the path does, where one route has many: the same body for another one is another request.
    """
    key = idempotency_key(request)
    if key is None:
        return None
    body = {name: value for name, value in raw.items() if name != "wait"}
    return Idempotency(key=key, body_hash=canonical_hash({"target": target, "body": body} if target else body))


def receipt_response(receipt: Receipt, *, wait: Wait) -> Response:
    """200 when every item has its final outcome, else 202; a repeat is marked by a header only."""
    is_final = receipt.status is OperationStatus.COMPLETED and (wait is not Wait.NONE or receipt.replayed)
    headers = {"idempotent-replayed": "true"} if receipt.replayed else None
    return json_response(receipt.to_dict(), status=200 if is_final else 202, headers=headers)
