"""The migration runner: numbered files, each applied once, recorded with its hash, never edited after it shipped.

Every statement says IF NOT EXISTS and a migration is recorded after its last statement, so a run that was killed
anywhere is finished by the next one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.render import checked_name, render
from memplane.adapters.clickhouse.sql_files import migration_texts
from memplane.domain.errors import CorruptDataError, StoreUnavailableError

MigrationMode = Literal["none", "validate", "apply"]
Progress = Callable[[int, int, str], None]
"""Told of every migration done: how many of the pending ones, of how many, its name."""

_FILE_NAME: Final = re.compile(r"[0-9]{4}_[a-z0-9_]+")
_STATEMENT_TIMEOUT_S: Final = 120.0
_LEDGER: Final = """\
CREATE TABLE IF NOT EXISTS {{database}}.schema_migrations {{on_cluster}}
(
    name String,
    sha256 String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (name)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationReport:
    """What a run found and did. ``pending`` names what is still to be applied (after ``apply``: nothing)."""

    mode: MigrationMode
    applied: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()


async def migrate(
    client: ClickHouseClient,
    *,
    database: str,
    cluster: str = "",
    mode: MigrationMode = "apply",
    progress: Progress | None = None,
    migrations: Mapping[str, str] | None = None,
) -> MigrationReport:
    """Brings ``database`` to the shipped schema.

    ``none`` does nothing; ``validate`` compares and changes nothing; ``apply`` creates the database and runs what is
    missing, in order. ``migrations``: name to canonical text, in order; by default the shipped ones.
    Raises: CorruptDataError when a recorded migration was edited or is not shipped; StoreUnavailableError, from
    ``validate`` also when migrations are pending; StoreRejectedError.
    """
    checked_name(database, what="database")
    if mode == "none":
        return MigrationReport(mode=mode)
    texts = dict(migrations) if migrations is not None else migration_texts()
    _check_numbers(texts)
    if mode == "apply":
        await _prepare(client, database, cluster)
    recorded = await _recorded(client, database)
    _refuse_drift(texts, recorded)
    present = tuple(name for name in texts if name in recorded)
    pending = tuple(name for name in texts if name not in recorded)
    if mode == "validate":
        if pending:
            raise StoreUnavailableError(
                f"database {database!r} lacks migrations {list(pending)}; run the migrations first",
                data={"component": "clickhouse", "pending": list(pending)},
            )
        return MigrationReport(mode=mode, present=present)
    for done, name in enumerate(pending, start=1):
        await _apply(client, name, texts[name], database, cluster)
        if progress is not None:
            progress(done, len(pending), name)
    return MigrationReport(mode=mode, applied=pending, present=present)


def text_hash(text: str) -> str:
    """SHA-256, in hex, of a canonical migration: what the ledger records."""
    return hashlib.sha256(text.encode()).hexdigest()


def _check_numbers(texts: Mapping[str, str]) -> None:
    for number, name in enumerate(texts, start=1):
        if not _FILE_NAME.fullmatch(name) or int(name[:4]) != number:
            raise CorruptDataError(f"migration {name!r} must be named NNNN_name and be number {number}")


async def _prepare(client: ClickHouseClient, database: str, cluster: str) -> None:
    on_cluster = f" ON CLUSTER {checked_name(cluster, what='cluster')}" if cluster else ""
    await _run(client, f"CREATE DATABASE IF NOT EXISTS {database}{on_cluster}")
    for statement in render(_LEDGER, database=database, cluster=cluster):
        await _run(client, statement)


async def _recorded(client: ClickHouseClient, database: str) -> dict[str, str]:
    if not await client.command(f"EXISTS TABLE {database}.schema_migrations"):
        return {}
    names = "toJSONString(mapFromArrays(groupArray(name), groupArray(sha256)))"
    ledger: dict[str, str] = json.loads(await client.command(f"SELECT {names} FROM {database}.schema_migrations FINAL"))
    return ledger


def _refuse_drift(texts: Mapping[str, str], recorded: Mapping[str, str]) -> None:
    missing = sorted(set(recorded) - set(texts))
    if missing:
        raise CorruptDataError(
            f"the database has migrations {missing} that this release does not ship; it belongs to a newer release",
            data={"missing": missing},
        )
    edited = sorted(name for name, sha256 in recorded.items() if text_hash(texts[name]) != sha256)
    if edited:
        raise CorruptDataError(
            f"migrations {edited} were edited after they were applied; restore them and add a new file instead",
            data={"edited": edited},
        )


async def _apply(client: ClickHouseClient, name: str, text: str, database: str, cluster: str) -> None:
    for statement in render(text, database=database, cluster=cluster):
        await _run(client, statement)
    await _run(
        client,
        f"INSERT INTO {database}.schema_migrations (name, sha256) SETTINGS async_insert = 0 "
        f"VALUES ('{name}', '{text_hash(text)}')",
    )


async def _run(client: ClickHouseClient, statement: str) -> None:
    await client.command(statement, timeout_s=_STATEMENT_TIMEOUT_S)
