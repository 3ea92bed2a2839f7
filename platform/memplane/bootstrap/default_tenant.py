"""The tenant that the first start makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from memplane.adapters.clickhouse import ClickHouseControlStore
from memplane.application.manage_access import draw_key, draw_tenant
from memplane.bootstrap.clock import SystemClock
from memplane.bootstrap.stores import clickhouse
from memplane.domain.context import Role
from memplane.domain.control import Policy, RawTurns
from memplane.domain.ids import TenantId
from memplane.settings import Settings

DEFAULT_TENANT: Final = TenantId("default")
"""Its operators run the platform."""
SaveKeys = Callable[[dict[str, str]], None]


async def ensure_default_tenant(settings: Settings, *, save_keys: SaveKeys) -> bool:
    """Makes the default tenant with an agent's and an operator's key, unless it exists. Returns: whether it was made
    now.

    A laptop has no model to distil with, so this tenant keeps every turn that passes the gates (``raw_turns: all``);
    tenants made over ``/admin/v1`` start from the product's default. ``save_keys`` gets ``tenant_id``, ``agent_key``
    and ``operator_key`` before anything is stored: a start that dies in between leaves keys of no tenant, which the
    next start replaces, never a tenant whose keys nobody has.
    """
    client = await clickhouse(settings)
    store, now = ClickHouseControlStore(client), SystemClock().now()
    try:
        if (await store.snapshot()).tenant(DEFAULT_TENANT) is not None:
            return False
        tenant = draw_tenant(tenant_id=DEFAULT_TENANT, name="Default", policy=Policy(raw_turns=RawTurns.ALL), now=now)
        agent = draw_key(tenant_id=DEFAULT_TENANT, role=Role.AGENT, now=now)
        operator = draw_key(tenant_id=DEFAULT_TENANT, role=Role.OPERATOR, now=now)
        save_keys({"tenant_id": DEFAULT_TENANT, "agent_key": agent.key, "operator_key": operator.key})
        await store.put_api_keys(api_keys=[agent.api_key, operator.api_key])
        await store.put_tenants(tenants=[tenant])
    finally:
        await client.close()
    return True
