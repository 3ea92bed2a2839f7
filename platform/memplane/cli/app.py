"""All commands, under one name."""

from __future__ import annotations

from typing import Annotated

import typer

from memplane import __version__
from memplane.cli.context import Connection, DataDirOption, KeyFileOption, UrlOption
from memplane.cli.demo.command import demo
from memplane.cli.errors import ExplainingGroup
from memplane.cli.facts import fact
from memplane.cli.histories import events, history
from memplane.cli.import_history import import_history
from memplane.cli.keys import key
from memplane.cli.memories import context, recall, remember
from memplane.cli.platform_down import down
from memplane.cli.platform_logs import logs
from memplane.cli.platform_status import status
from memplane.cli.platform_up import up
from memplane.cli.preparation import prepare
from memplane.cli.stores import migrate, models
from memplane.cli.supervise import supervise

app = typer.Typer(
    name="memplane",
    cls=ExplainingGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"memplane {__version__}")
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    version: Annotated[  # noqa: ARG001  typer calls back
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The memory plane for fleets of AI agents.

    Start here: memplane up --detach, then memplane remember "I drink oolong tea" --user mei, then
    memplane recall "what does she drink?" --user mei. Stop with memplane down.
    """
    ctx.obj = Connection(url=url, key_file=key_file, data_dir=data_dir)


_PLATFORM = "Local platform"
_MEMORY = "Memories"
_SETUP = "Set-up"

app.command(rich_help_panel=_PLATFORM)(up)
app.command(rich_help_panel=_PLATFORM)(down)
app.command(rich_help_panel=_PLATFORM)(status)
app.command(rich_help_panel=_PLATFORM)(logs)
app.command(rich_help_panel=_MEMORY)(remember)
app.command(rich_help_panel=_MEMORY)(recall)
app.command(rich_help_panel=_MEMORY)(context)
app.add_typer(fact, name="fact", rich_help_panel=_MEMORY)
app.command(rich_help_panel=_MEMORY)(history)
app.command(rich_help_panel=_MEMORY)(events)
app.command("import", rich_help_panel=_MEMORY)(import_history)
app.command(rich_help_panel=_MEMORY)(demo)
app.command(rich_help_panel=_SETUP)(migrate)
app.add_typer(models, name="models", rich_help_panel=_SETUP)
app.add_typer(key, name="key", rich_help_panel=_SETUP)
app.add_typer(prepare, name="prepare")
app.command(hidden=True)(supervise)
