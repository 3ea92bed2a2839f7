"""The two one-shot commands of the start, in processes of their own so that the supervisor stays small.

``memplane prepare model`` and ``memplane prepare database``; both are hidden, read the settings of the platform, and
tell progress in lines ``STEP …``.
"""

from __future__ import annotations

import asyncio

import typer

from memplane.cli.errors import CliError, ExplainingGroup
from memplane.cli.layout import DataLayout
from memplane.cli.local_settings import platform_url
from memplane.cli.private_files import read_json_object, write_private_json
from memplane.settings import Settings, load_settings

prepare = typer.Typer(cls=ExplainingGroup, hidden=True, help="One-shot steps of `memplane up`.")


def _step(text: str) -> None:
    typer.echo(f"STEP {text}")


@prepare.command("model")
def prepare_model() -> None:
    """Builds the embedding model unless it is there."""
    from memplane.bootstrap.model_directory import ensure_model  # noqa: PLC0415  loads the engines

    asyncio.run(ensure_model(load_settings(), progress=_step))


@prepare.command("database")
def prepare_database() -> None:
    """Applies migrations, opens the generation of the model, makes the first tenant, and writes the key file."""
    asyncio.run(_database(load_settings()))


async def _database(settings: Settings) -> None:
    from memplane.bootstrap.default_tenant import ensure_default_tenant  # noqa: PLC0415  loads the engines
    from memplane.bootstrap.setup import ensure_generation, migrate_database  # noqa: PLC0415  loads the engines

    await migrate_database(settings, progress=_step)
    generation = await ensure_generation(settings)
    _step(f"generation {generation.generation_id}, collection {generation.collection}")
    layout, url = DataLayout.at(settings.data_dir), platform_url(settings)
    made = await ensure_default_tenant(
        settings, save_keys=lambda keys: write_private_json(layout.key_file, {"url": url, **keys})
    )
    if made:
        _step("first tenant and its keys made")
    else:
        refresh_key_file(layout, url)


def refresh_key_file(layout: DataLayout, url: str) -> None:
    """Writes the present address into the key file.

    Raises: CliError when the tenant exists and its key file does not: only hashes of keys are stored.
    """
    keys = read_json_object(layout.key_file)
    if not keys:
        raise CliError(
            f"the tenant exists but {str(layout.key_file)!r} is gone, and keys cannot be shown again; put the file back"
            " from a copy, or start with an empty --data-dir"
        )
    if keys.get("url") != url:
        write_private_json(layout.key_file, {**keys, "url": url})
