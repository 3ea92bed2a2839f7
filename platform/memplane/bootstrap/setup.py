"""What stands before the first request: schema, default tenant, embedding model and generation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from memplane.adapters.clickhouse import ClickHouseControlStore, migrate
from memplane.adapters.models.build import build_model
from memplane.adapters.models.manifest import read_manifest
from memplane.application.manage_access import draw_key, draw_tenant
from memplane.bootstrap.clock import SystemClock
from memplane.bootstrap.stores import clickhouse, milvus
from memplane.domain.clock import to_millis, truncate_to_millis, version_floor
from memplane.domain.context import Role
from memplane.domain.control import Generation, GenerationState, Policy, RawTurns
from memplane.domain.errors import ConflictError
from memplane.domain.generations import EmbeddingSpec, differences
from memplane.domain.ids import TenantId
from memplane.settings import Settings

DEFAULT_TENANT: Final = TenantId("default")
"""The tenant that the first start makes; its operators run the platform."""
Progress = Callable[[str], None]
SaveKeys = Callable[[dict[str, str]], None]


async def migrate_database(settings: Settings, *, progress: Progress | None = None) -> None:
    """Brings the schema up to date. Raises: CorruptDataError when a shipped migration was edited; UnavailableError."""
    section, client = settings.clickhouse, await clickhouse(settings)

    def tell(done: int, total: int, name: str) -> None:
        if progress is not None:
            progress(f"migration {done} of {total}: {name}")

    try:
        await migrate(client, database=section.database, cluster=section.cluster, progress=tell)
    finally:
        await client.close()


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


async def ensure_model(settings: Settings, *, progress: Progress | None = None) -> EmbeddingSpec:
    """Builds the packaged embedding model into ``embedding.model_dir`` unless it is there. Returns: its identity."""
    await asyncio.to_thread(build_model, settings.embedding.model_dir, progress=progress)
    return read_manifest(settings.embedding.model_dir).spec


async def ensure_generation(settings: Settings) -> Generation:
    """The serving generation and its collection; the first start makes them.

    Raises: ConflictError when another model is configured than the one that made the stored vectors: they are never
    mixed.
    """
    spec = read_manifest(settings.embedding.model_dir).spec
    client, index = await clickhouse(settings), milvus(settings)
    try:
        store = ClickHouseControlStore(client)
        serving = (await store.snapshot()).serving()
        if serving is None:
            serving = _first_generation(spec)
            await store.put_generations(generations=[serving])
        elif serving.generation_id != spec.generation_id:
            raise ConflictError(_refusal(serving.spec, spec))
        await index.ensure_collection(collection=serving.collection, dim=spec.dim)
    finally:
        await client.close()
        await index.close()
    return serving


def _first_generation(spec: EmbeddingSpec) -> Generation:
    now = truncate_to_millis(SystemClock().now())
    return Generation(
        generation_id=spec.generation_id,
        spec=spec,
        state=GenerationState.SERVING,
        collection=f"memories_{spec.generation_id}",
        created_at=now,
        version=version_floor(to_millis(now)),
    )


def _refusal(stored: EmbeddingSpec, configured: EmbeddingSpec) -> str:
    changed = ", ".join(differences(stored, configured))
    return (
        f"the stored vectors belong to generation {stored.generation_id} and the configured model is "
        f"{configured.generation_id} (differs in: {changed}); set embedding.model_dir back, or re-embed with "
        "`memplane jobs submit reembed`"
    )
