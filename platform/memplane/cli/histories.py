"""``memplane history`` and ``events``: how a memory came to be what it is, and what was told."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from memplane.cli.context import DataDirOption, JsonOption, KeyFileOption, UrlOption, client_of, connection_of
from memplane.cli.memories import UserOption
from memplane.cli.output import note, out, print_json
from memplane.client import Event, MemoryVersion

LimitOption = Annotated[int | None, typer.Option(min=1, max=200, help="Most rows. Default: 50.")]
CursorOption = Annotated[str | None, typer.Option(help="Go on behind an earlier page.")]


def history(
    ctx: typer.Context,
    *,
    memory_id: Annotated[str, typer.Argument(help="The memory's id.")],
    limit: LimitOption = None,
    cursor: CursorOption = None,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the versions of one memory, newest first, with who made them and why.

    Example: memplane history mem_abc_0123456789
    """
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        page = client.memory_history(memory_id, limit=limit, cursor=cursor)
    if as_json:
        print_json(page)
        return
    for version in page["versions"]:
        out().print(_version_line(version), soft_wrap=True)
    _tell_more(page["next_cursor"])


def events(
    ctx: typer.Context,
    *,
    user: UserOption,
    session: Annotated[str | None, typer.Option("--session", help="Only those of this session.")] = None,
    role: Annotated[list[str] | None, typer.Option("--role", help="Only those of this role; may be repeated.")] = None,
    limit: LimitOption = None,
    cursor: CursorOption = None,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what was told, newest first, with what became of it.

    Example: memplane events --user mei --session s-1 --role user
    """
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        page = client.list_events(user, session_id=session, role=role or None, limit=limit, cursor=cursor)
    if as_json:
        print_json(page)
        return
    for event in page["events"]:
        out().print(_event_line(event), soft_wrap=True)
    _tell_more(page["next_cursor"])


def _version_line(version: MemoryVersion) -> Text:
    why = f" ({version['reason']})" if version["reason"] else ""
    about = f"{version.get('recorded_at')}  {version['op']} by {version['changed_by']}{why}"
    return Text.assemble((about, "cyan"), "\n  ", version["content"])


def _event_line(event: Event) -> Text:
    why = f" ({event['reason']})" if event["reason"] else ""
    return Text.assemble(
        (f"{event['at']}  {event['role']}", "cyan"), (f"  {event['outcome']}{why}", "dim"), "\n  ", event["content"]
    )


def _tell_more(cursor: str | None) -> None:
    if cursor:
        note(f"more: --cursor {cursor}")
