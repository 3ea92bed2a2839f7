"""Options that every command shares, and the client that they lead to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from memplane.cli.errors import CliError
from memplane.cli.layout import DataLayout
from memplane.client import KeyFile, MemoryClient, read_key_file
from memplane.settings import load_settings

DataDirOption = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Data directory of the local platform. Default: .memplane", metavar="DIR"),
]
UrlOption = Annotated[str | None, typer.Option("--url", help="Address of the platform. Default: from the key file.")]
KeyFileOption = Annotated[
    Path | None,
    typer.Option("--key-file", help="File with the key. Default: key.json in the data directory.", metavar="FILE"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Where to find the platform, as said before the command's name."""

    url: str | None = None
    key_file: Path | None = None
    data_dir: Path | None = None


def connection_of(
    ctx: typer.Context, *, url: str | None = None, key_file: Path | None = None, data_dir: Path | None = None
) -> Connection:
    """The shared options; what is said behind the command's name wins."""
    said = ctx.obj if isinstance(ctx.obj, Connection) else Connection()
    return Connection(url=url or said.url, key_file=key_file or said.key_file, data_dir=data_dir or said.data_dir)


def layout_of(connection: Connection) -> DataLayout:
    """The data directory: as said, else as the settings say."""
    return DataLayout.at(connection.data_dir or load_settings().data_dir)


def keys_of(connection: Connection) -> KeyFile:
    """The key file, with the address replaced by ``--url`` if given. Raises: CliError."""
    file = connection.key_file or layout_of(connection).key_file
    try:
        keys = read_key_file(file)
    except FileNotFoundError as error:
        raise CliError(
            f"there is no key file {str(file)!r}; start a platform with `memplane up`, or name a file with --key-file"
        ) from error
    except ValueError as error:
        raise CliError(f"{error}; name another with --key-file") from error
    url = connection.url or keys.url
    return KeyFile(url=url, tenant_id=keys.tenant_id, agent_key=keys.agent_key, operator_key=keys.operator_key)


def client_of(connection: Connection, *, timeout_s: float = 30.0) -> MemoryClient:
    """A client for the platform. Raises: CliError."""
    keys = keys_of(connection)
    return MemoryClient(keys.url, keys.agent_key, timeout_s=timeout_s)
