"""``memplane fact``: exact values by key."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from memplane.cli.context import DataDirOption, JsonOption, KeyFileOption, UrlOption, client_of, connection_of
from memplane.cli.errors import ExplainingGroup
from memplane.cli.memories import UserOption
from memplane.cli.output import note, out, print_json
from memplane.cli.receipts import tell_receipt
from memplane.cli.times import moment
from memplane.client import Fact

fact = typer.Typer(cls=ExplainingGroup, no_args_is_help=True, help="Exact facts: order/ORD-1/status = paid.")

FactArgument = Annotated[
    str, typer.Argument(metavar="FACT", help="entity_type/entity/attribute, like order/ORD-1/status.")
]
AsOfOption = Annotated[
    datetime | None, typer.Option(parser=moment, metavar="TIME", help="What was true then. Default: now.")
]
KnownAtOption = Annotated[
    datetime | None, typer.Option(parser=moment, metavar="TIME", help="As far as it was recorded then. Default: now.")
]


@fact.callback()
def group() -> None:
    """Exact facts, by key."""


@fact.command("set")
def set_fact(
    ctx: typer.Context,
    *,
    name: FactArgument,
    value: Annotated[str, typer.Argument(help="JSON; what is no JSON is taken as text.")],
    user: UserOption,
    as_text: Annotated[bool, typer.Option("--text", help="Take the value as text also where it is JSON.")] = False,
    valid_from: Annotated[
        datetime | None, typer.Option(parser=moment, metavar="TIME", help="Since when it is true. Default: now.")
    ] = None,
    expires_at: Annotated[
        datetime | None, typer.Option(parser=moment, metavar="TIME", help="Until when it is true. Default: for ever.")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Agent that it came from.")] = None,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """Set a fact; the value that is valid from latest is current.

    Examples: memplane fact set order/ORD-1/status paid -u mei · memplane fact set 订单/ORD-1/金额 45 -u mei
    """
    entity_type, entity, attribute = _parts(name)
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        receipt = client.put_fact(
            user,
            entity_type,
            entity,
            attribute,
            value if as_text else _value(value),
            valid_from=valid_from,
            expires_at=expires_at,
            agent_id=agent,
        )
    tell_receipt(receipt, as_json=as_json)


@fact.command("get")
def get_fact(
    ctx: typer.Context,
    *,
    name: FactArgument,
    user: UserOption,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the value of a fact as JSON, now or at other times.

    Example: memplane fact get order/ORD-1/status -u mei --as-of 2025-03-03T00:00:00Z
    """
    entity_type, entity, attribute = _parts(name)
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        found = client.get_fact(user, entity_type, entity, attribute, as_of=as_of, known_at=known_at)
    if as_json:
        print_json(found)
    else:
        out().print(Text(_shown(found["value"])), soft_wrap=True)


@fact.command("list")
def list_facts(
    ctx: typer.Context,
    *,
    user: UserOption,
    entity_type: Annotated[str | None, typer.Option("--type", help="Only facts of this entity type.")] = None,
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    limit: Annotated[int | None, typer.Option(min=1, max=200, help="Most facts. Default: 50.")] = None,
    cursor: Annotated[str | None, typer.Option(help="Go on behind an earlier page.")] = None,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """List facts, newest first.

    Example: memplane fact list -u mei --type order
    """
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        page = client.list_facts(
            user, entity_type=entity_type, as_of=as_of, known_at=known_at, limit=limit, cursor=cursor
        )
    if as_json:
        print_json(page)
        return
    for found in page["facts"]:
        out().print(_line(found), soft_wrap=True)
    if page["next_cursor"]:
        note(f"more: --cursor {page['next_cursor']}")


@fact.command("delete")
def delete_fact(
    ctx: typer.Context,
    *,
    name: FactArgument,
    user: UserOption,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """End a fact: it is not true from now on.

    Example: memplane fact delete order/ORD-1/status -u mei
    """
    entity_type, entity, attribute = _parts(name)
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        receipt = client.delete_fact(user, entity_type, entity, attribute)
    tell_receipt(receipt, as_json=as_json)


def _parts(name: str) -> tuple[str, str, str]:
    parts = name.split("/")
    if len(parts) != 3 or not all(parts):
        raise typer.BadParameter(f"{name!r} is no fact; write entity_type/entity/attribute")
    return parts[0], parts[1], parts[2]


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except ValueError:
        return text


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _line(found: Fact) -> Text:
    name = "/".join((found["entity_type"], found["entity"], found["attribute"]))
    return Text.assemble(name, " = ", (_shown(found["value"]), "bold"), (f"  since {found['valid_from']}", "dim"))
