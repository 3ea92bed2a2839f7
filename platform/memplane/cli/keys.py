"""``memplane key``."""

from __future__ import annotations

from typing import Annotated

import typer

from memplane.cli.context import DataDirOption, JsonOption, KeyFileOption, connection_of, keys_of
from memplane.cli.errors import CliError, ExplainingGroup
from memplane.cli.output import print_json

key = typer.Typer(cls=ExplainingGroup, no_args_is_help=True, help="The keys of the local platform.")


@key.callback()
def group() -> None:
    """The keys of the local platform."""


@key.command()
def show(
    ctx: typer.Context,
    *,
    operator: Annotated[bool, typer.Option("--operator", help="The operator's key instead of the agents'.")] = False,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print a key, alone on its line, for scripts.

    Example: curl -H "Authorization: Bearer $(memplane key show)" http://127.0.0.1:8700/v1/health/ready
    """
    keys = keys_of(connection_of(ctx, key_file=key_file, data_dir=data_dir))
    if as_json:
        print_json(
            {
                "url": keys.url,
                "tenant_id": keys.tenant_id,
                "agent_key": keys.agent_key,
                "operator_key": keys.operator_key or None,
            }
        )
        return
    chosen = keys.operator_key if operator else keys.agent_key
    if not chosen:
        raise CliError("the key file holds no operator key; name another with --key-file")
    typer.echo(chosen)
