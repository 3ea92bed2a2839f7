"""From the ids of a call to the scope that owns its memories."""

from __future__ import annotations

from memplane.domain.control import Tenant
from memplane.domain.errors import NotFoundError
from memplane.domain.ids import Scope, TenantId, UserId, scope_of
from memplane.ports.control_view import ControlView


def tenant_of(view: ControlView, *, tenant_id: TenantId) -> Tenant:
    """The tenant. Raises: NotFoundError, UnavailableError (no control data)."""
    tenant = view.current().tenant(tenant_id)
    if tenant is None:
        raise NotFoundError(f"no tenant {tenant_id!r}")
    return tenant


def scope_for(view: ControlView, *, tenant_id: TenantId, user_id: UserId) -> Scope:
    """The scope of a user of a tenant; a user without data has one too. Raises: NotFoundError, UnavailableError."""
    tenant = tenant_of(view, tenant_id=tenant_id)
    return scope_of(tenant_id=tenant_id, user_id=user_id, tenant_secret=tenant.secret)
