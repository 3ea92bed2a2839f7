"""``/v1/events``."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memplane.api.body import read_body, read_query
from memplane.api.calls import MEMORY_ROLES, call_context, within
from memplane.api.openapi import answers, takes
from memplane.api.render import event_json
from memplane.api.responses import json_response
from memplane.api.routes.writing import idempotency_of, receipt_response
from memplane.api.schemas.answers import EventPageOut, ReceiptOut
from memplane.api.schemas.events import EventsIn, EventsQuery
from memplane.api.services import IngestServices
from memplane.application.read_events import ListEvents, list_events
from memplane.application.scopes import scope_for, tenant_of
from memplane.application.visibility import agent_for, require_reach
from memplane.domain.commands import IngestEvents, Wait
from memplane.domain.errors import InvalidError
from memplane.domain.ids import AgentId, SessionId, UserId


def events_routes(services: IngestServices) -> APIRouter:
    """Routes of events."""
    router = APIRouter(tags=["events"])
    limits = services.limits

    @router.post(
        "/events",
        summary="Record turns of a conversation",
        responses=answers({200: ReceiptOut, 202: ReceiptOut}, refuses=(400, 409, 413, 415)),
        response_model=None,
        openapi_extra=takes(body=EventsIn, is_keyed=True),
    )
    async def record_events(request: Request) -> Response:
        body = await read_body(request, EventsIn, max_bytes=limits.max_body_bytes, clock=services.clock)
        asked = body.value
        if len(asked.messages) > limits.max_turns:
            raise InvalidError.field("messages", "too_long", f"must have at most {limits.max_turns} turns")
        idempotency = idempotency_of(request, body.raw)
        context = call_context(request, deadline_s=limits.write_deadline_s)
        principal = context.principal
        user_id = UserId(asked.user_id)
        agent_id = agent_for(principal, None if asked.agent_id is None else AgentId(asked.agent_id))
        principal.require_role(*MEMORY_ROLES)
        require_reach(principal, user_id=user_id, agent_id=agent_id)
        command = IngestEvents(
            scope=scope_for(services.view, tenant_id=principal.tenant_id, user_id=user_id),
            turns=tuple(turn.to_turn() for turn in asked.messages),
            policy=tenant_of(services.view, tenant_id=principal.tenant_id).policy,
            session_id=SessionId(asked.session_id),
            agent_id=agent_id,
            idempotency=idempotency,
            wait=Wait(asked.wait),
        )
        receipt = await services.gateway.submit(command=command, context=context)
        return receipt_response(receipt, wait=command.wait)

    @router.get(
        "/events",
        summary="List a user's events, newest first",
        responses=answers({200: EventPageOut}),
        response_model=None,
        openapi_extra=takes(query=EventsQuery),
    )
    async def get_events(request: Request) -> Response:
        asked = read_query(request, EventsQuery, clock=services.clock)
        context = call_context(request, deadline_s=limits.read_deadline_s)
        context.principal.require_role(*MEMORY_ROLES)
        async with within(context):
            page = await list_events(
                services.view, services.event_log, asked=_listing(asked), principal=context.principal
            )
        shown = [event_json(event, outcome) for event, outcome in page.items]
        return json_response({"events": shown, "next_cursor": page.next_cursor})

    return router


def _listing(asked: EventsQuery) -> ListEvents:
    return ListEvents(
        user_id=UserId(asked.user_id),
        session_id=None if asked.session_id is None else SessionId(asked.session_id),
        agent_id=None if asked.agent_id is None else AgentId(asked.agent_id),
        roles=tuple(asked.role),
        from_time=asked.from_,
        to_time=asked.to,
        limit=asked.limit,
        cursor=asked.cursor,
    )
