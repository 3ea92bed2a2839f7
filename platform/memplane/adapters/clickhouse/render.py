"""Turns a canonical migration into statements for one node or for a cluster.

Three placeholders: ``{{database}}``, ``{{on_cluster}}`` and ``{{engine:X}}``, where ``X`` is a MergeTree engine as one
node writes it (``ReplacingMergeTree(rank)``). On a cluster it becomes its replicated form with a path made of the shard
macro, the database and the table. A statement ends with ``;`` at the end of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memplane.adapters.clickhouse.sql_files import without_comments
from memplane.domain.errors import StoreRejectedError

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_ENGINE: Final = re.compile(r"\{\{engine:(\w*MergeTree)(?:\(([^{}]*)\))?\}\}")
_TABLE: Final = re.compile(r"CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS \{\{database\}\}\.(\w+)")
_STATEMENT_END: Final = re.compile(r";[ \t]*$", re.MULTILINE)


def checked_name(value: str, *, what: str) -> str:
    """``value`` if it is a plain identifier: names cannot be bound as parameters. Raises: StoreRejectedError."""
    if not _NAME.fullmatch(value):
        raise StoreRejectedError(f"{what} {value[:80]!r} must be a plain identifier of letters, digits and '_'")
    return value


def render(text: str, *, database: str, cluster: str = "") -> list[str]:
    """The statements of a canonical migration. ``cluster`` empty: for one node.

    Raises: StoreRejectedError for a name that is no identifier, an unknown placeholder, or an engine outside a CREATE
    TABLE.
    """
    checked_name(database, what="database")
    if cluster:
        checked_name(cluster, what="cluster")
    return [_render_statement(statement, database, cluster) for statement in _statements(text)]


def _statements(text: str) -> Iterator[str]:
    for part in _STATEMENT_END.split(without_comments(text)):
        if statement := part.strip():
            yield statement


def _render_statement(statement: str, database: str, cluster: str) -> str:
    table = _TABLE.match(statement)

    def engine(match: re.Match[str]) -> str:
        kind, arguments = match[1], match[2] or ""
        if not cluster:
            return f"{kind}({arguments})"
        if table is None:
            raise StoreRejectedError(f"engine {kind} stands outside a CREATE TABLE: {statement[:80]!r}")
        path = f"/clickhouse/tables/{{shard}}/{database}/{table[1]}"
        tail = f", {arguments}" if arguments else ""
        return f"Replicated{kind}('{path}', '{{replica}}'{tail})"

    rendered = _ENGINE.sub(engine, statement)
    rendered = rendered.replace(" {{on_cluster}}", f" ON CLUSTER {cluster}" if cluster else "")
    rendered = rendered.replace("{{database}}", database)
    if "{{" in rendered:
        raise StoreRejectedError(f"unknown placeholder in migration statement {rendered[:80]!r}")
    return rendered
