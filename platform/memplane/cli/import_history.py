"""``memplane import``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from memplane.cli.context import (
    DataDirOption,
    JsonOption,
    UrlOption,
    connection_of,
    keys_of,
)
from memplane.cli.errors import CliError
from memplane.cli.formats import ConversationBatch, Format, FormatError, read_batches
from memplane.cli.loader import PATIENT, BatchLoader, LoadReport
from memplane.cli.output import err, note, out, print_json
from memplane.client import AsyncMemoryClient, ClientError, KeyFile


def import_history(
    ctx: typer.Context,
    *,
    file: Annotated[Path, typer.Argument(help="The conversations.", exists=True, dir_okay=False, readable=True)],
    user: Annotated[
        str | None,
        typer.Option(
            "--user", "-u", help="Whose they are; with locomo the prefix of each conversation's user.", metavar="ID"
        ),
    ] = None,
    file_format: Annotated[Format, typer.Option("--format", "-f", help="Format of the file.")] = Format.JSONL,
    batch_size: Annotated[int, typer.Option(min=1, max=1000, help="Turns in one request.")] = 64,
    in_flight: Annotated[int, typer.Option(min=1, max=64, help="Requests at one time.")] = 4,
    url: UrlOption = None,
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", "--tenant-key-file", help="File with the key of the tenant.", metavar="FILE"),
    ] = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """Load conversations. Repeating an import changes nothing; it goes on through a restart of the platform.

    Examples: memplane import locomo10.json --format locomo · memplane import chat.jsonl --user mei ·
    memplane import messages.json --user mei --format openai
    """
    keys = keys_of(connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir))
    try:
        total = sum(
            len(batch.messages) for batch in read_batches(file, file_format=file_format, user=user, batch_size=1000)
        )
    except FormatError as error:
        raise CliError(f"{str(file)!r}: {error}") from error
    batches = read_batches(file, file_format=file_format, user=user, batch_size=batch_size)
    began = time.monotonic()
    report = run_load(keys, batches, total=total, in_flight=in_flight, title=file.name)
    took_s = time.monotonic() - began
    if as_json:
        counts = dict(sorted(report.outcomes.items()))
        print_json({"turns": report.turns, "requests": report.requests, "outcomes": counts, "took_s": round(took_s, 3)})
    else:
        _print(report, took_s)
    for refusal in report.refusals:
        note(f"refused: {refusal}")
    if report.lost:
        raise typer.Exit(1)


def run_load(
    keys: KeyFile, batches: Iterator[ConversationBatch], *, total: int, in_flight: int, title: str
) -> LoadReport:
    """Loads ``batches`` with a progress bar on standard error. Raises: ClientError."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("turns"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err()) as progress:
        bar = progress.add_task(title, total=total)
        try:
            return asyncio.run(_load(keys, batches, in_flight, progress, bar))
        except* ClientError as group:
            raise _first(group) from None
    raise RuntimeError("a load ends with a report or an error")


async def _load(
    keys: KeyFile, batches: Iterator[ConversationBatch], in_flight: int, progress: Progress, bar: int
) -> LoadReport:
    async with AsyncMemoryClient(keys.url, keys.agent_key, retries=PATIENT) as client:
        loader = BatchLoader(client, in_flight=in_flight, advanced=lambda turns: progress.advance(bar, turns))  # type: ignore[arg-type]
        return await loader.load(batches)


def _first(group: BaseExceptionGroup[ClientError]) -> ClientError:
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    if not isinstance(found, ClientError):
        raise TypeError(f"not an error of the client: {found!r}")
    return found


def _print(report: LoadReport, took_s: float) -> None:
    rate = report.turns / took_s if took_s > 0 else 0.0
    counts = ", ".join(f"{count} {outcome}" for outcome, count in report.outcomes.most_common()) or "nothing"
    out().print(f"{report.turns} turns in {report.requests} requests, {took_s:.1f} s ({rate:.0f} turns/s): {counts}")
