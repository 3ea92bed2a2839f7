"""Reads the SQL that ships beside this package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

_PACKAGE: Final = "memplane.adapters.clickhouse"


@cache
def query_text(name: str) -> str:
    """The text of ``sql/queries/<name>.sql`` without comment lines. Raises: FileNotFoundError for an unknown name."""
    text = (files(_PACKAGE) / "sql" / "queries" / f"{name}.sql").read_text(encoding="utf-8")
    return without_comments(text).strip().rstrip(";")


def query_names() -> list[str]:
    """The names of all shipped queries, sorted."""
    return sorted(_names("queries"))


def migration_texts() -> dict[str, str]:
    """The shipped migrations, name to canonical text, in order of their numbers."""
    folder = files(_PACKAGE) / "sql" / "migrations"
    return {name: (folder / f"{name}.sql").read_text(encoding="utf-8") for name in sorted(_names("migrations"))}


def without_comments(text: str) -> str:
    """``text`` without the lines that are wholly comment."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("--"))


def _names(folder: str) -> list[str]:
    entries = (files(_PACKAGE) / "sql" / folder).iterdir()
    return [entry.name.removesuffix(".sql") for entry in entries if entry.name.endswith(".sql")]
