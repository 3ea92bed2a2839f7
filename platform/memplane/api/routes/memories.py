"""``/v1/memories``."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memplane.api.body import read_json, read_query, refuse_query, validated
from memplane.api.calls import MEMORY_ROLES, call_context, within
from memplane.api.openapi import answers, takes
from memplane.api.render import memory_json
from memplane.api.responses import json_response
from memplane.api.routes.writing import idempotency_of, receipt_response
from memplane.api.schemas.answers import MemoryOut, MemoryPageOut, ReceiptOut
from memplane.api.schemas.facts import FactMemoryIn
from memplane.api.schemas.memories import MemoriesQuery, MemoryIn
from memplane.api.services import IngestServices
from memplane.application.read_memories import ListMemories, get_memory, list_memories
from memplane.application.scopes import scope_for, tenant_of
from memplane.application.visibility import agent_for, require_reach
from memplane.domain.commands import ForgetMemory, Idempotency, PutFact, RememberStatement, Wait
from memplane.domain.control import Policy
from memplane.domain.errors import InvalidError
from memplane.domain.facts import FactKey
from memplane.domain.ids import AgentId, Scope, SessionId, UserId
from memplane.domain.memory import Visibility


def memories_routes(services: IngestServices) -> APIRouter:
    """Routes of memories."""
    router = APIRouter(tags=["memories"])
    limits = services.limits

    @router.post(
        "/memories",
        summary="Remember a statement or a fact",
        responses=answers({200: ReceiptOut, 202: ReceiptOut}, refuses=(400, 409, 413, 415)),
        response_model=None,
        openapi_extra=takes(body=(MemoryIn, FactMemoryIn), is_keyed=True),
    )
    async def remember(request: Request) -> Response:
        raw = await read_json(request, max_bytes=limits.max_body_bytes)
        asked: MemoryIn | FactMemoryIn
        if isinstance(raw, dict) and raw.get("fact") is not None:
            asked = validated(raw, FactMemoryIn, clock=services.clock)
        else:
            asked = validated(raw, MemoryIn, clock=services.clock)
        idempotency = idempotency_of(request, raw)
        context = call_context(request, deadline_s=limits.write_deadline_s)
        principal = context.principal
        user_id = UserId(asked.user_id)
        agent_id = agent_for(principal, None if asked.agent_id is None else AgentId(asked.agent_id))
        if asked.visibility == Visibility.PRIVATE.value and agent_id is None:
            raise InvalidError.field("agent_id", "missing", "a private memory names the agent that it belongs to")
        principal.require_role(*MEMORY_ROLES)
        require_reach(principal, user_id=user_id, agent_id=agent_id)
        command = _command(
            asked,
            scope=scope_for(services.view, tenant_id=principal.tenant_id, user_id=user_id),
            policy=tenant_of(services.view, tenant_id=principal.tenant_id).policy,
            agent_id=agent_id,
            idempotency=idempotency,
        )
        receipt = await services.gateway.submit(command=command, context=context)
        return receipt_response(receipt, wait=command.wait)

    @router.get(
        "/memories",
        summary="List a user's memories, newest first",
        responses=answers({200: MemoryPageOut}),
        response_model=None,
        openapi_extra=takes(query=MemoriesQuery),
    )
    async def get_memories(request: Request) -> Response:
        asked = read_query(request, MemoriesQuery, clock=services.clock)
        context = call_context(request, deadline_s=limits.read_deadline_s)
        context.principal.require_role(*MEMORY_ROLES)
        async with within(context):
            page = await list_memories(
                services.view,
                services.memories,
                asked=_listing(asked),
                principal=context.principal,
                now=services.clock.now(),
            )
        shown = [memory_json(item) for item in page.items]
        return json_response({"memories": shown, "next_cursor": page.next_cursor})

    @router.get(
        "/memories/{memory_id}",
        summary="One memory",
        responses=answers({200: MemoryOut}, refuses=(404,)),
        response_model=None,
    )
    async def get_one(request: Request, memory_id: str) -> Response:
        refuse_query(request)
        context = call_context(request, deadline_s=limits.read_deadline_s)
        context.principal.require_role(*MEMORY_ROLES)
        async with within(context):
            stored = await get_memory(services.memories, memory_id=memory_id, principal=context.principal)
        return json_response(memory_json(stored))

    @router.delete(
        "/memories/{memory_id}",
        summary="Forget one memory",
        responses=answers({200: ReceiptOut, 202: ReceiptOut}, refuses=(404, 409)),
        response_model=None,
    )
    async def forget(request: Request, memory_id: str) -> Response:
        refuse_query(request)
        context = call_context(request, deadline_s=limits.write_deadline_s)
        context.principal.require_role(*MEMORY_ROLES)
        async with within(context):
            stored = await get_memory(services.memories, memory_id=memory_id, principal=context.principal)
        memory = stored.memory
        command = ForgetMemory(scope_tag=memory.scope.tag, memory_id=memory.memory_id)
        receipt = await services.gateway.submit(command=command, context=context)
        return receipt_response(receipt, wait=Wait.COMMITTED)

    return router


def _command(
    asked: MemoryIn | FactMemoryIn,
    *,
    scope: Scope,
    policy: Policy,
    agent_id: AgentId | None,
    idempotency: Idempotency | None,
) -> RememberStatement | PutFact:
    session_id = None if asked.session_id is None else SessionId(asked.session_id)
    if isinstance(asked, FactMemoryIn):
        fact = asked.fact
        return PutFact(
            scope=scope,
            key=FactKey(entity_type=fact.entity_type, entity=fact.entity, attribute=fact.attribute),
            value=fact.value,
            policy=policy,
            valid_from=asked.event_time,
            category=asked.category,
            importance=asked.importance,
            expires_at=asked.expires_at,
            agent_id=agent_id,
            session_id=session_id,
            pinned=asked.pinned,
            metadata=asked.metadata,
            idempotency=idempotency,
            wait=Wait(asked.wait),
            route="memories",
        )
    return RememberStatement(
        scope=scope,
        content=asked.content,
        policy=policy,
        kind=asked.kind,
        category=asked.category,
        importance=asked.importance,
        event_time=asked.event_time,
        expires_at=asked.expires_at,
        agent_id=agent_id,
        session_id=session_id,
        visibility=Visibility(asked.visibility),
        pinned=asked.pinned,
        metadata=asked.metadata,
        idempotency=idempotency,
        wait=Wait(asked.wait),
    )


def _listing(asked: MemoriesQuery) -> ListMemories:
    return ListMemories(
        user_id=UserId(asked.user_id),
        agent_id=None if asked.agent_id is None else AgentId(asked.agent_id),
        statuses=tuple(asked.status),
        kinds=tuple(asked.kind),
        categories=tuple(asked.category),
        from_time=asked.from_,
        to_time=asked.to,
        limit=asked.limit,
        cursor=asked.cursor,
    )
