"""``memplane migrate`` and ``memplane models``: what a platform needs before it serves."""

from __future__ import annotations

import asyncio

import typer

from memplane.cli.context import DataDirOption, connection_of
from memplane.cli.errors import CliError, ExplainingGroup
from memplane.cli.layout import DataLayout
from memplane.cli.output import note
from memplane.settings import Settings, load_settings, read_settings_file

models = typer.Typer(cls=ExplainingGroup, no_args_is_help=True, help="The packaged models.")


def migrate(ctx: typer.Context, data_dir: DataDirOption = None) -> None:
    """Bring the tables of ClickHouse to this version. Repeating it changes nothing.

    ClickHouse is that of the settings (environment, MEMPLANE_CONFIG_FILE), or of a running local platform with
    --data-dir. `memplane up` does this by itself.

    Example: MEMPLANE_CLICKHOUSE__HOST=ch.internal memplane migrate
    """
    from memplane.bootstrap.setup import migrate_database  # noqa: PLC0415  loads the engines

    asyncio.run(migrate_database(_settings(ctx, data_dir), progress=note))
    note("the tables of ClickHouse are at this version")


@models.command("build")
def build(ctx: typer.Context, data_dir: DataDirOption = None) -> None:
    """Build the embedding model from its installed package, unless it is there already.

    Example: memplane models build --data-dir .memplane
    """
    from memplane.bootstrap.model_directory import ensure_model  # noqa: PLC0415  loads the engines

    settings = _settings(ctx, data_dir)
    asyncio.run(ensure_model(settings, progress=note))
    note(f"the embedding model is in {settings.embedding.model_dir}")


def _settings(ctx: typer.Context, data_dir: DataDirOption) -> Settings:
    directory = connection_of(ctx, data_dir=data_dir).data_dir
    if directory is None:
        return load_settings()
    file = DataLayout.at(directory).config_file
    try:
        return read_settings_file(file)
    except FileNotFoundError as error:
        raise CliError(f"no platform was ever started in {str(directory)!r}; `memplane up` starts one") from error
