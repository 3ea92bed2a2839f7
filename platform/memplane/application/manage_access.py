"""Tenants and keys: making and revoking them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from memplane.application.authenticate import hash_key
from memplane.application.scopes import scope_for, tenant_of
from memplane.domain.clock import to_millis, truncate_to_millis, version_floor
from memplane.domain.commands import ChangeControl
from memplane.domain.context import CallContext, Role
from memplane.domain.control import ApiKey, Policy, Tenant
from memplane.domain.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from memplane.domain.ids import CONTROL_USER, AgentId, KeyId, TenantId, UserId, scope_of
from memplane.ports.control_view import ControlView
from memplane.ports.write_gateway import WriteGateway


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateKey:
    """``POST /admin/v1/keys`` after validation."""

    tenant_id: TenantId
    role: Role
    agent_ids: frozenset[AgentId] = frozenset()
    user_ids: frozenset[UserId] = frozenset()
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedKey:
    """A key as stored, with the key itself: shown once, kept nowhere."""

    api_key: ApiKey
    key: str


def draw_tenant(*, tenant_id: TenantId, name: str, policy: Policy, now: datetime) -> Tenant:
    """A tenant with a fresh 256-bit secret."""
    return Tenant(
        tenant_id=tenant_id,
        name=name,
        secret=secrets.token_bytes(32),
        policy=policy,
        created_at=truncate_to_millis(now),
        version=version_floor(to_millis(now)),
    )


def draw_key(
    *,
    tenant_id: TenantId,
    role: Role,
    now: datetime,
    agent_ids: Iterable[AgentId] = (),
    user_ids: Iterable[UserId] = (),
    expires_at: datetime | None = None,
) -> CreatedKey:
    """A fresh key ``mp_<key id>_<256 random bits>`` and what is stored of it."""
    key_id = KeyId(f"key-{secrets.token_hex(8)}")
    key = f"mp_{key_id}_{secrets.token_hex(32)}"
    stored = ApiKey(
        key_id=key_id,
        tenant_id=tenant_id,
        key_hash=hash_key(key),
        role=role,
        created_at=truncate_to_millis(now),
        version=version_floor(to_millis(now)),
        agent_ids=frozenset(agent_ids),
        user_ids=frozenset(user_ids),
        expires_at=None if expires_at is None else truncate_to_millis(expires_at),
    )
    return CreatedKey(api_key=stored, key=key)


async def create_tenant(
    view: ControlView,
    gateway: WriteGateway,
    *,
    tenant_id: TenantId,
    name: str,
    policy: Policy,
    home_tenant: TenantId,
    now: datetime,
    context: CallContext,
) -> Tenant:
    """Makes a tenant. Only operators of ``home_tenant`` (the platform's own) may.

    Not safe beside itself: a second call for the same id must wait for the first (callers hold a lock), since a
    tenant's secret decides where its memories are.

    Raises: ForbiddenError, ConflictError (the id is taken), UnavailableError.
    """
    _require_operator(context, of_tenant=None, home_tenant=home_tenant)
    if (await view.refresh()).tenant(tenant_id) is not None:
        raise ConflictError(f"tenant {tenant_id!r} exists already")
    tenant = draw_tenant(tenant_id=tenant_id, name=name, policy=policy, now=now)
    scope = scope_of(tenant_id=tenant_id, user_id=CONTROL_USER, tenant_secret=tenant.secret)
    command = ChangeControl(scope=scope, action="tenant.create", tenants=(tenant,))
    await gateway.submit(command=command, context=context)
    await view.refresh()
    return tenant


async def create_key(
    view: ControlView,
    gateway: WriteGateway,
    *,
    asked: CreateKey,
    home_tenant: TenantId,
    now: datetime,
    context: CallContext,
) -> CreatedKey:
    """Makes a key. Operators of ``home_tenant`` may for every tenant, other operators for their own.

    Raises: InvalidError (a user's key without its user), ForbiddenError, NotFoundError (no such tenant),
    UnavailableError.
    """
    if asked.role is Role.USER and not asked.user_ids:
        raise InvalidError.field("user_ids", "missing", "a key with role user names the user that it belongs to")
    _require_operator(context, of_tenant=asked.tenant_id, home_tenant=home_tenant)
    await view.refresh()
    tenant_of(view, tenant_id=asked.tenant_id)
    created = draw_key(
        tenant_id=asked.tenant_id,
        role=asked.role,
        now=now,
        agent_ids=asked.agent_ids,
        user_ids=asked.user_ids,
        expires_at=asked.expires_at,
    )
    await _write_key(view, gateway, created.api_key, action="key.create", context=context)
    return created


async def revoke_key(
    view: ControlView,
    gateway: WriteGateway,
    *,
    key_id: str,
    home_tenant: TenantId,
    now: datetime,
    context: CallContext,
) -> ApiKey:
    """Ends a key. Other processes refuse it within a second.

    Raises: ForbiddenError, NotFoundError (unknown, revoked already, or of another tenant), UnavailableError.
    """
    _require_operator(context, of_tenant=context.principal.tenant_id, home_tenant=home_tenant)
    snapshot = await view.refresh()
    key = next((item for item in snapshot.api_keys if item.key_id == key_id), None)
    is_foreign = key is not None and context.principal.tenant_id not in {key.tenant_id, home_tenant}
    if key is None or key.revoked_at is not None or is_foreign:
        raise NotFoundError(f"no key {key_id[:64]!r}")
    revoked = replace(
        key, revoked_at=truncate_to_millis(now), version=max(key.version + 1, version_floor(to_millis(now)))
    )
    await _write_key(view, gateway, revoked, action="key.revoke", context=context)
    return revoked


async def _write_key(
    view: ControlView, gateway: WriteGateway, api_key: ApiKey, *, action: str, context: CallContext
) -> None:
    scope = scope_for(view, tenant_id=api_key.tenant_id, user_id=CONTROL_USER)
    await gateway.submit(command=ChangeControl(scope=scope, action=action, api_keys=(api_key,)), context=context)
    await view.refresh()


def _require_operator(context: CallContext, *, of_tenant: TenantId | None, home_tenant: TenantId) -> None:
    context.principal.require_role(Role.OPERATOR)
    if context.principal.tenant_id not in {of_tenant, home_tenant}:
        raise ForbiddenError("an operator's key reaches its own tenant only, unless it is one of the platform's")
