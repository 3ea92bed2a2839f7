"""``GET /v1/operations/{operation_id}``."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memplane.api.body import refuse_query
from memplane.api.calls import MEMORY_ROLES, call_context, within
from memplane.api.openapi import answers
from memplane.api.responses import json_response
from memplane.api.schemas.answers import ReceiptOut
from memplane.api.services import IngestServices
from memplane.application.read_operation import read_operation


def operations_routes(services: IngestServices) -> APIRouter:
    """Routes of operations."""
    router = APIRouter(tags=["operations"])

    @router.get(
        "/operations/{operation_id}",
        summary="What became of a write",
        responses=answers({200: ReceiptOut}, refuses=(404,)),
        response_model=None,
    )
    async def get_operation(request: Request, operation_id: str) -> Response:
        refuse_query(request)
        context = call_context(request, deadline_s=services.limits.read_deadline_s)
        context.principal.require_role(*MEMORY_ROLES)
        async with within(context):
            receipt = await read_operation(
                services.operations, services.event_log, operation_id=operation_id, principal=context.principal
            )
        return json_response(receipt.to_dict())

    return router
