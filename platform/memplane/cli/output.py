"""What commands print: results on standard output, everything else on standard error."""

from __future__ import annotations

from typing import Any

import orjson
import typer
from rich.console import Console
from rich.text import Text


def out() -> Console:
    """Standard output. Soft: long words are never cut."""
    return Console(highlight=False)


def err() -> Console:
    """Standard error."""
    return Console(stderr=True, highlight=False)


def tell_error(message: str) -> None:
    """One line on standard error."""
    err().print(Text.assemble(("memplane: ", "bold red"), " ".join(message.split())), soft_wrap=True)


def note(message: str) -> None:
    """One line of progress on standard error."""
    err().print(Text(message), soft_wrap=True)


def print_json(value: Any) -> None:
    """A JSON document on standard output, indented, without colours."""
    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())
