"""``memplane logs``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from memplane.adapters.local.supervisor import tail_lines
from memplane.cli.context import DataDirOption, connection_of, layout_of
from memplane.cli.errors import CliError


def logs(
    ctx: typer.Context,
    *,
    name: Annotated[str | None, typer.Argument(help="clickhouse, milvus, serve, supervisor, … Default: all.")] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until Ctrl-C.")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="Last lines of each log.")] = 50,
    data_dir: DataDirOption = None,
) -> None:
    """Print the logs of the local platform's processes.

    Examples: memplane logs serve -f · memplane logs -n 200
    """
    directory = layout_of(connection_of(ctx, data_dir=data_dir)).logs
    files = sorted(directory.glob("*.log"))
    if name is not None:
        files = [file for file in files if file.stem == name]
    if not files:
        there = ", ".join(file.stem for file in sorted(directory.glob("*.log"))) or "none yet"
        raise CliError(f"no log {name or ''!r} in {str(directory)!r}; there are: {there}")
    for file in files:
        for line in tail_lines(file, lines):
            _say(file, line, many=len(files) > 1)
    if follow:
        _follow(files)


def _follow(files: list[Path]) -> None:
    """Prints what is appended. A file that shrank or was replaced has been rotated and is read from its start."""
    places = {file: (file.stat().st_ino, file.stat().st_size) for file in files}
    while True:
        for file in files:
            if not file.exists():
                continue
            inode, place = places[file]
            status = file.stat()
            if status.st_ino != inode or status.st_size < place:
                place = 0
            with file.open("rb") as stream:
                stream.seek(place)
                text = stream.read()
            whole = text.rfind(b"\n") + 1
            for line in text[:whole].decode("utf-8", errors="replace").splitlines():
                _say(file, line, many=len(files) > 1)
            places[file] = (status.st_ino, place + whole)
        time.sleep(0.3)


def _say(file: Path, line: str, *, many: bool) -> None:
    typer.echo(f"{file.stem:11} {line}" if many else line)
