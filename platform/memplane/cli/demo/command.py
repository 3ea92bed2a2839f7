"""``memplane demo``: load the demo conversation, ask three questions, show a context block."""

from __future__ import annotations

from importlib import resources
from typing import Annotated

import typer
from rich.text import Text

from memplane.cli.context import (
    Connection,
    DataDirOption,
    KeyFileOption,
    UrlOption,
    client_of,
    connection_of,
    keys_of,
    layout_of,
)
from memplane.cli.formats import Format, read_batches
from memplane.cli.import_history import run_load
from memplane.cli.output import err, note, out
from memplane.cli.recall_view import print_context, print_recall
from memplane.client import MemoryClient

DEMO_USER = "demo-mei"
QUESTIONS = (
    "Which database did Mei decide on for the sales reports?",
    "妈妈的生日在哪里庆祝,她吃什么?",
    "Is there any food that she is allergic to?",
)
CONTEXT_QUESTION = "给妈妈过生日的行程要注意什么?"
TOP_K = 3


def demo(
    ctx: typer.Context,
    *,
    user: Annotated[str, typer.Option("--user", "-u", help="Whom the conversation is stored for.")] = DEMO_USER,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Load a small conversation in English and Chinese and recall from it. Running it again changes nothing.

    Example: memplane demo
    """
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    _load(connection, user)
    with client_of(connection) as client:
        for number, question in enumerate(QUESTIONS, start=1):
            _heading(f"Recall {number} of {len(QUESTIONS)}: {question}")
            print_recall(out(), client.recall(user, question, top_k=TOP_K))
        _heading(f"Context block, as a prompt would get it: {CONTEXT_QUESTION}")
        print_context(out(), out(), client.context(user, CONTEXT_QUESTION))
        _where(connection, client, user)


def _load(connection: Connection, user: str) -> None:
    with resources.as_file(resources.files("memplane.cli.demo") / "conversation.jsonl") as file:
        batches = list(read_batches(file, file_format=Format.JSONL, user=user, batch_size=32))
    total = sum(len(batch.messages) for batch in batches)
    report = run_load(keys_of(connection), iter(batches), total=total, in_flight=2, title="demo conversation")
    note(f"{report.turns} turns: " + ", ".join(f"{count} {name}" for name, count in report.outcomes.most_common()))
    for refusal in report.refusals:
        err().print(Text(f"refused: {refusal}"), soft_wrap=True)
    if report.lost:
        raise typer.Exit(1)


def _heading(text: str) -> None:
    out().print(Text(f"\n{text}", style="bold"), soft_wrap=True)


def _where(connection: Connection, client: MemoryClient, user: str) -> None:
    layout = layout_of(connection)
    key_file = connection.key_file or layout.key_file
    lines = (
        ("API", client.url),
        ("API docs", f"{client.url}/v1/docs"),
        ("key file", str(key_file)),
        ("ask", f'memplane recall "…" --user {user} --key-file {key_file}'),
        ("stop", f"memplane down --data-dir {layout.root}"),
    )
    out().print()
    for name, value in lines:
        out().print(Text(f"{name:9} {value}"), soft_wrap=True)
