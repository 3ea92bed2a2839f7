"""``memplane status``."""

from __future__ import annotations

import typer

from memplane.cli.context import DataDirOption, JsonOption, connection_of, layout_of
from memplane.cli.output import out, print_json
from memplane.cli.status_report import exit_code, platform_status
from memplane.cli.status_view import print_status


def status(ctx: typer.Context, data_dir: DataDirOption = None, as_json: JsonOption = False) -> None:
    """Say whether the local platform runs, and how its processes and components are.

    Exit code: 0 running, 3 stopped, 1 anything between.

    Example: memplane status --json
    """
    report = platform_status(layout_of(connection_of(ctx, data_dir=data_dir)))
    if as_json:
        print_json(report)
    else:
        print_status(out(), report)
    raise typer.Exit(exit_code(report))
