"""The answer of a write, for people and for exit codes."""

from __future__ import annotations

import typer
from rich.text import Text

from memplane.cli.output import out, print_json
from memplane.client import Receipt


def tell_receipt(receipt: Receipt, *, as_json: bool) -> None:
    """Prints what became of each thing sent. Raises: typer.Exit with 1 when something was rejected or failed."""
    if as_json:
        print_json(receipt)
    for item in receipt["items"] if not as_json else []:
        ids = " ".join(item["memory_ids"])
        reason = f" ({item['reason']})" if item.get("reason") else ""
        out().print(Text(f"{item['outcome']} {ids}{reason}"), soft_wrap=True)
    if any(item["outcome"] in {"rejected", "failed"} for item in receipt["items"]):
        raise typer.Exit(1)
