"""``POST /v1/recall`` and ``POST /v1/recall/context``."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memplane.api.body import read_body
from memplane.api.calls import MEMORY_ROLES, call_context
from memplane.api.openapi import answers, takes
from memplane.api.render import context_json, recall_json
from memplane.api.responses import json_response
from memplane.api.schemas.recall import ContextIn, ContextOut, RecallIn, RecallOut, SearchIn
from memplane.api.services import RetrievalServices
from memplane.application.scopes import scope_for, tenant_of
from memplane.application.visibility import agent_for, require_reach
from memplane.domain.context import Principal
from memplane.domain.filters import parse_filter
from memplane.domain.ids import AgentId, SessionId, UserId
from memplane.domain.queries import Consistency, ContextRequest, Plan, Profile, RecallRequest, Weights
from memplane.ports.control_view import ControlView


def recall_routes(services: RetrievalServices) -> APIRouter:
    """Routes of recall. ``/`` stands for the application's own prefix."""
    router = APIRouter(tags=["recall"])
    limits = services.limits

    @router.post(
        "/",
        summary="Recall what matters now",
        responses=answers({200: RecallOut}, refuses=(400, 413, 415)),
        response_model=None,
        openapi_extra=takes(body=RecallIn),
    )
    async def recall(request: Request) -> Response:
        body = await read_body(request, RecallIn, max_bytes=limits.max_body_bytes, clock=services.clock)
        context = call_context(request, deadline_s=body.value.deadline_ms / 1000)
        asked = _request(body.value, services.view, context.principal)
        result = await services.recall(asked, context)
        return json_response(recall_json(result, trace_id=context.trace_id, explain=asked.explain))

    @router.post(
        "/context",
        summary="Recall as a block ready for the prompt",
        responses=answers({200: ContextOut}, refuses=(400, 413, 415)),
        response_model=None,
        openapi_extra=takes(body=ContextIn),
    )
    async def build_context(request: Request) -> Response:
        body = await read_body(request, ContextIn, max_bytes=limits.max_body_bytes, clock=services.clock)
        value = body.value
        context = call_context(request, deadline_s=value.deadline_ms / 1000)
        asked = _request(value, services.view, context.principal)
        tenant = tenant_of(services.view, tenant_id=context.principal.tenant_id)
        block = await services.build_context(
            ContextRequest(
                recall=asked,
                budget_tokens=value.budget_tokens,
                window_tokens=value.window_tokens,
                prompt_tokens=value.prompt_tokens,
                language=value.language or tenant.policy.language,
                citation_style=value.citation_style,
            ),
            context,
        )
        return json_response(context_json(block, trace_id=context.trace_id))

    return router


def _request(asked: SearchIn, view: ControlView, principal: Principal) -> RecallRequest:
    user_id = UserId(asked.user_id)
    agent_id = agent_for(principal, None if asked.agent_id is None else AgentId(asked.agent_id))
    principal.require_role(*MEMORY_ROLES)
    require_reach(principal, user_id=user_id, agent_id=agent_id)
    return RecallRequest(
        scope=scope_for(view, tenant_id=principal.tenant_id, user_id=user_id),
        text=asked.text(),
        top_k=asked.top_k,
        session_id=None if asked.session_id is None else SessionId(asked.session_id),
        agent_id=agent_id,
        kinds=tuple(asked.kinds),
        categories=tuple(asked.categories),
        from_time=asked.time.from_ if asked.time else None,
        to_time=asked.time.to if asked.time else None,
        filter=None if asked.filter is None else parse_filter(asked.filter),
        profile=Profile(asked.profile),
        weights=None if asked.weights is None else Weights(**asked.weights.model_dump()),
        min_relevance=asked.min_relevance,
        consistency=Consistency(asked.consistency),
        plan=Plan(asked.plan),
        include_archived=asked.include_archived,
        deadline_ms=asked.deadline_ms,
        explain=asked.explain,
    )
