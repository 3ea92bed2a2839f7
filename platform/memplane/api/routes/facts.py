"""``/v1/users/{user_id}/facts``: exact values by key."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memplane.api.body import read_body, read_query, refuse_query
from memplane.api.calls import MEMORY_ROLES, call_context, within
from memplane.api.openapi import answers, takes
from memplane.api.paths import user_in_path
from memplane.api.render import fact_json
from memplane.api.responses import json_response
from memplane.api.routes.writing import idempotency_of, receipt_response
from memplane.api.schemas.answers import FactOut, FactPageOut, ReceiptOut
from memplane.api.schemas.facts import FactPutIn, FactQuery, FactsQuery
from memplane.api.services import IngestServices
from memplane.application.read_facts import ListFacts, get_fact, list_facts
from memplane.application.scopes import scope_for, tenant_of
from memplane.application.visibility import agent_for, owns_user, require_reach
from memplane.domain.commands import DeleteFact, PutFact, Wait
from memplane.domain.errors import ForbiddenError
from memplane.domain.facts import FactKey
from memplane.domain.ids import AgentId, UserId

_ONE: Final = "/users/{user_id}/facts/{entity_type}/{entity}/{attribute}"


def facts_routes(services: IngestServices) -> APIRouter:
    """Routes of facts."""
    router = APIRouter(tags=["facts"])
    limits = services.limits

    @router.put(
        _ONE,
        summary="Set a fact",
        responses=answers({200: ReceiptOut, 202: ReceiptOut}, refuses=(400, 409, 413, 415)),
        response_model=None,
        openapi_extra=takes(body=FactPutIn, is_keyed=True),
    )
    async def put_fact(request: Request, user_id: str, entity_type: str, entity: str, attribute: str) -> Response:
        body = await read_body(request, FactPutIn, max_bytes=limits.max_body_bytes, clock=services.clock)
        asked = body.value
        user, key = _named(user_id, entity_type, entity, attribute)
        idempotency = idempotency_of(request, body.raw, target=str(key))
        context = call_context(request, deadline_s=limits.write_deadline_s)
        principal = context.principal
        agent_id = agent_for(principal, None if asked.agent_id is None else AgentId(asked.agent_id))
        principal.require_role(*MEMORY_ROLES)
        require_reach(principal, user_id=user, agent_id=agent_id)
        command = PutFact(
            scope=scope_for(services.view, tenant_id=principal.tenant_id, user_id=user),
            key=key,
            value=asked.value,
            policy=tenant_of(services.view, tenant_id=principal.tenant_id).policy,
            valid_from=asked.valid_from,
            expires_at=asked.expires_at,
            agent_id=agent_id,
            metadata=asked.metadata,
            idempotency=idempotency,
            wait=Wait(asked.wait),
        )
        receipt = await services.gateway.submit(command=command, context=context)
        return receipt_response(receipt, wait=command.wait)

    @router.get(
        _ONE,
        summary="One fact, now or at other times",
        responses=answers({200: FactOut}, refuses=(404,)),
        response_model=None,
        openapi_extra=takes(query=FactQuery),
    )
    async def get_one(request: Request, user_id: str, entity_type: str, entity: str, attribute: str) -> Response:
        asked = read_query(request, FactQuery, clock=services.clock)
        user, key = _named(user_id, entity_type, entity, attribute)
        context = call_context(request, deadline_s=limits.read_deadline_s)
        context.principal.require_role(*MEMORY_ROLES)
        async with within(context):
            fact = await get_fact(
                services.view,
                services.memories,
                user_id=user,
                key=key,
                principal=context.principal,
                now=services.clock.now(),
                as_of=asked.as_of,
                known_at=asked.known_at,
            )
        return json_response(fact_json(fact))

    @router.get(
        "/users/{user_id}/facts",
        summary="List a user's facts, newest first",
        responses=answers({200: FactPageOut}),
        response_model=None,
        openapi_extra=takes(query=FactsQuery),
    )
    async def get_facts(request: Request, user_id: str) -> Response:
        asked = read_query(request, FactsQuery, clock=services.clock)
        wanted = ListFacts(
            user_id=user_in_path(user_id),
            entity_type=asked.entity_type,
            as_of=asked.as_of,
            known_at=asked.known_at,
            limit=asked.limit,
            cursor=asked.cursor,
        )
        context = call_context(request, deadline_s=limits.read_deadline_s)
        context.principal.require_role(*MEMORY_ROLES)
        async with within(context):
            page = await list_facts(
                services.view,
                services.memories,
                asked=wanted,
                principal=context.principal,
                now=services.clock.now(),
            )
        return json_response({"facts": [fact_json(fact) for fact in page.items], "next_cursor": page.next_cursor})

    @router.delete(
        _ONE,
        summary="Delete a fact: it is not true from now on",
        responses=answers({200: ReceiptOut, 202: ReceiptOut}, refuses=(404, 409)),
        response_model=None,
        openapi_extra=takes(is_keyed=True),
    )
    async def delete_fact(request: Request, user_id: str, entity_type: str, entity: str, attribute: str) -> Response:
        refuse_query(request)
        user, key = _named(user_id, entity_type, entity, attribute)
        idempotency = idempotency_of(request, {}, target=str(key))
        context = call_context(request, deadline_s=limits.write_deadline_s)
        principal = context.principal
        principal.require_role(*MEMORY_ROLES)
        if not owns_user(principal, user):
            raise ForbiddenError("this key is bound to other users")
        command = DeleteFact(
            scope=scope_for(services.view, tenant_id=principal.tenant_id, user_id=user),
            key=key,
            policy=tenant_of(services.view, tenant_id=principal.tenant_id).policy,
            agent_id=agent_for(principal, None),
            idempotency=idempotency,
        )
        receipt = await services.gateway.submit(command=command, context=context)
        return receipt_response(receipt, wait=command.wait)

    return router


def _named(user_id: str, entity_type: str, entity: str, attribute: str) -> tuple[UserId, FactKey]:
    key = FactKey.checked(entity_type=entity_type, entity=entity, attribute=attribute)
    return user_in_path(user_id), key
