"""``/admin/v1/tenants`` and ``/admin/v1/keys``."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memplane.api.body import read_body, refuse_query
from memplane.api.calls import call_context
from memplane.api.openapi import answers, takes
from memplane.api.render import key_json, tenant_json
from memplane.api.responses import json_response
from memplane.api.schemas.admin import CreatedKeyOut, KeyIn, KeyOut, TenantIn, TenantOut
from memplane.api.services import AdminServices
from memplane.application.manage_access import CreateKey, create_key, create_tenant, revoke_key
from memplane.domain.context import Role
from memplane.domain.ids import AgentId, TenantId, UserId


def access_routes(services: AdminServices) -> APIRouter:
    """Routes of tenants and keys."""
    router = APIRouter(prefix="/v1", tags=["access"])
    limits = services.limits
    changing = asyncio.Lock()  # two tenants of one id must not be made beside each other

    @router.post(
        "/tenants",
        status_code=201,
        summary="Make a tenant",
        responses=answers({201: TenantOut}, refuses=(400, 409, 413, 415)),
        response_model=None,
        openapi_extra=takes(body=TenantIn),
    )
    async def post_tenant(request: Request) -> Response:
        body = await read_body(request, TenantIn, max_bytes=limits.max_body_bytes, clock=services.clock)
        asked = body.value
        async with changing:
            tenant = await create_tenant(
                services.view,
                services.gateway,
                tenant_id=TenantId(asked.tenant_id),
                name=asked.name or asked.tenant_id,
                policy=asked.policy.to_policy(),
                home_tenant=services.home_tenant,
                now=services.clock.now(),
                context=call_context(request, deadline_s=limits.write_deadline_s),
            )
        return json_response(tenant_json(tenant), status=201)

    @router.post(
        "/keys",
        status_code=201,
        summary="Make a key; it is shown this once",
        responses=answers({201: CreatedKeyOut}, refuses=(400, 404, 413, 415)),
        response_model=None,
        openapi_extra=takes(body=KeyIn),
    )
    async def post_key(request: Request) -> Response:
        body = await read_body(request, KeyIn, max_bytes=limits.max_body_bytes, clock=services.clock)
        asked = body.value
        created = await create_key(
            services.view,
            services.gateway,
            asked=CreateKey(
                tenant_id=TenantId(asked.tenant_id),
                role=Role(asked.role),
                agent_ids=frozenset(AgentId(agent_id) for agent_id in asked.agent_ids),
                user_ids=frozenset(UserId(user_id) for user_id in asked.user_ids),
                expires_at=asked.expires_at,
            ),
            home_tenant=services.home_tenant,
            now=services.clock.now(),
            context=call_context(request, deadline_s=limits.write_deadline_s),
        )
        return json_response(key_json(created.api_key) | {"key": created.key}, status=201)

    @router.delete(
        "/keys/{key_id}",
        summary="Revoke a key",
        responses=answers({200: KeyOut}, refuses=(404,)),
        response_model=None,
    )
    async def delete_key(request: Request, key_id: str) -> Response:
        refuse_query(request)
        async with changing:
            revoked = await revoke_key(
                services.view,
                services.gateway,
                key_id=key_id,
                home_tenant=services.home_tenant,
                now=services.clock.now(),
                context=call_context(request, deadline_s=limits.write_deadline_s),
            )
        return json_response(key_json(revoked))

    return router
