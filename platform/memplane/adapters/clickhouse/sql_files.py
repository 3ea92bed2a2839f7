"""Reads the SQL that ships beside this package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

_PACKAGE: Final = "memplane.adapters.clickhouse"
FILTER_PLACE: Final = "/*filter*/"
"""Stands in a query behind conditions, where a caller's filter may join them. Without one it is a comment."""


@cache
def query_text(name: str) -> str:
    """The text of ``sql/queries/<name>.sql`` without comment lines. Raises: FileNotFoundError for an unknown name."""
    text = (files(_PACKAGE) / "sql" / "queries" / f"{name}.sql").read_text(encoding="utf-8")
    return without_comments(text).strip().rstrip(";")


def filtered_text(name: str, condition: str) -> str:
    """The text of a query with ``AND (condition)`` at its places for a filter. ``condition``: from ``filter_sql`` only.

    Raises: ValueError for a query without such a place, which would answer as if there were no filter.
    """
    text = query_text(name)
    if FILTER_PLACE not in text:
        raise ValueError(f"query {name!r} has no place for a filter")
    return text.replace(FILTER_PLACE, f"AND ({condition})")


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
