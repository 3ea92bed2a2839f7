"""What stands before the first request: schema and generation."""

from __future__ import annotations

from collections.abc import Callable

from memplane.adapters.clickhouse import ClickHouseControlStore, migrate
from memplane.adapters.models.manifest import read_manifest
from memplane.bootstrap.clock import SystemClock
from memplane.bootstrap.index import milvus
from memplane.bootstrap.stores import clickhouse
from memplane.domain.clock import to_millis, truncate_to_millis, version_floor
from memplane.domain.control import Generation, GenerationState
from memplane.domain.errors import ConflictError
from memplane.domain.generations import EmbeddingSpec, differences
from memplane.settings import Settings

Progress = Callable[[str], None]


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
        f"{configured.generation_id} (differs in: {changed}); set embedding.model_dir back, or start with "
        "empty stores: nothing embeds stored memories anew yet"
    )
