"""``PATCH /v1/memories/{memory_id}`` and ``GET …/history``: how a memory changes, and how it did."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memplane.api.body import read_body, read_query
from memplane.api.calls import MEMORY_ROLES, call_context, within
from memplane.api.openapi import answers, takes
from memplane.api.render import version_json
from memplane.api.responses import json_response
from memplane.api.routes.writing import idempotency_of, receipt_response
from memplane.api.schemas.answers import HistoryOut, ReceiptOut
from memplane.api.schemas.memories import HistoryQuery, MemoryPatchIn
from memplane.api.services import IngestServices
from memplane.application.read_history import read_history
from memplane.application.read_memories import get_memory
from memplane.application.scopes import tenant_of
from memplane.application.visibility import agent_for
from memplane.domain.commands import ReviseMemory
from memplane.domain.errors import InvalidError
from memplane.domain.memory import Kind, Visibility


def memory_versions_routes(services: IngestServices) -> APIRouter:
    """Routes of a memory's versions."""
    router = APIRouter(tags=["memories"])
    limits = services.limits

    @router.patch(
        "/memories/{memory_id}",
        summary="Change one memory",
        responses=answers({200: ReceiptOut, 202: ReceiptOut}, refuses=(400, 404, 409, 413, 415)),
        response_model=None,
        openapi_extra=takes(body=MemoryPatchIn, is_keyed=True),
    )
    async def revise(request: Request, memory_id: str) -> Response:
        body = await read_body(request, MemoryPatchIn, max_bytes=limits.max_body_bytes, clock=services.clock)
        asked = body.value
        idempotency = idempotency_of(request, body.raw, target=memory_id)
        context = call_context(request, deadline_s=limits.write_deadline_s)
        principal = context.principal
        principal.require_role(*MEMORY_ROLES)
        async with within(context):
            stored = await get_memory(
                services.memories, memory_id=memory_id, principal=principal, with_forgotten=idempotency is not None
            )
        memory = stored.memory
        if asked.content is not None and memory.kind is Kind.FACT:
            raise InvalidError.field(
                "content", "not_supported", "the content of a fact follows from its value: PUT the fact"
            )
        command = ReviseMemory(
            scope=memory.scope,
            memory_id=memory.memory_id,
            policy=tenant_of(services.view, tenant_id=principal.tenant_id).policy,
            content=asked.content,
            fields=asked.changes(),
            visibility=memory.visibility,
            agent_id=memory.agent_id if memory.visibility is Visibility.PRIVATE else agent_for(principal, None),
            idempotency=idempotency,
        )
        receipt = await services.gateway.submit(command=command, context=context)
        return receipt_response(receipt, wait=command.wait)

    @router.get(
        "/memories/{memory_id}/history",
        summary="Every version of one memory, newest first",
        responses=answers({200: HistoryOut}, refuses=(404,)),
        response_model=None,
        openapi_extra=takes(query=HistoryQuery),
    )
    async def get_history(request: Request, memory_id: str) -> Response:
        asked = read_query(request, HistoryQuery, clock=services.clock)
        context = call_context(request, deadline_s=limits.read_deadline_s)
        context.principal.require_role(*MEMORY_ROLES)
        async with within(context):
            page = await read_history(
                services.view,
                services.memories,
                memory_id=memory_id,
                principal=context.principal,
                limit=asked.limit,
                cursor=asked.cursor,
            )
        shown = [version_json(version) for version in page.versions]
        return json_response({"versions": shown, "next_cursor": page.next_cursor})

    return router
