"""The migration runner, on the real engine."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.migrate import migrate
from memplane.adapters.clickhouse.render import render
from memplane.adapters.clickhouse.sql_files import migration_texts
from memplane.domain.errors import CorruptDataError, StoreRejectedError, StoreUnavailableError
from tests.support.clickhouse_server import ClickHouseServer

ONE = "CREATE TABLE IF NOT EXISTS {{database}}.one {{on_cluster}} (x UInt8) ENGINE = {{engine:MergeTree}} ORDER BY x;\n"
TWO = ONE.replace(".one", ".two") + ONE.replace(".one", ".three")
FILES: Mapping[str, str] = {"0001_one": ONE, "0002_two": TWO}


class Database:
    def __init__(self, client: ClickHouseClient, name: str) -> None:
        self.client = client
        self.name = name

    async def tables(self) -> set[str]:
        text = await self.client.command(
            f"SELECT toJSONString(groupArray(name)) FROM system.tables WHERE database = '{self.name}'"
        )
        return set(json.loads(text))

    async def migrate(self, migrations: Mapping[str, str] = FILES, **options: Any) -> Any:
        return await migrate(self.client, database=self.name, migrations=migrations, **options)


@pytest.fixture
async def database(clickhouse_server: ClickHouseServer) -> AsyncIterator[Database]:
    name = f"test_{secrets.token_hex(6)}"
    client = await clickhouse_server.client(name)
    yield Database(client, name)
    await client.close()


async def test_apply_creates_everything_and_again_nothing(database: Database) -> None:
    seen: list[tuple[int, int, str]] = []
    report = await database.migrate(progress=lambda done, total, name: seen.append((done, total, name)))
    assert (report.applied, report.present, report.pending) == (("0001_one", "0002_two"), (), ())
    assert seen == [(1, 2, "0001_one"), (2, 2, "0002_two")]
    assert await database.tables() == {"schema_migrations", "one", "two", "three"}
    again = await database.migrate()
    assert (again.applied, again.present) == ((), ("0001_one", "0002_two"))


async def test_the_shipped_schema_applies_twice_and_validates(database: Database) -> None:
    shipped = migration_texts()
    await database.migrate(shipped)
    assert (await database.migrate(shipped)).applied == ()
    assert (await database.migrate(shipped, mode="validate")).present == tuple(shipped)
    assert {
        "events", "event_outcomes", "memory_versions", "memories", "memories_mv", "memory_vectors", "memory_access",
        "operations", "sessions", "audit_log", "tenants", "api_keys", "generations", "writer_leases", "journals",
        "recall_log", "otel_traces", "otel_traces_trace_id_ts", "otel_traces_trace_id_ts_mv", "schema_migrations",
    } <= await database.tables()  # fmt: skip


async def test_none_does_nothing(database: Database) -> None:
    await database.migrate(mode="none")
    assert await database.tables() == set()


async def test_validate_names_what_is_missing_and_changes_nothing(database: Database) -> None:
    with pytest.raises(StoreUnavailableError, match="0001_one"):
        await database.migrate(mode="validate")
    assert await database.tables() == set()
    await database.migrate({"0001_one": ONE})
    with pytest.raises(StoreUnavailableError) as caught:
        await database.migrate(mode="validate")
    assert caught.value.data["pending"] == ["0002_two"]
    assert "two" not in await database.tables()


@pytest.mark.parametrize("mode", ["apply", "validate"])
async def test_an_edited_migration_is_refused(database: Database, mode: str) -> None:
    await database.migrate()
    edited = {**FILES, "0001_one": ONE + "-- later thought\n", "0003_new": ONE.replace(".one", ".new")}
    with pytest.raises(CorruptDataError, match="0001_one"):
        await database.migrate(edited, mode=mode)
    assert "new" not in await database.tables()


async def test_a_recorded_migration_that_is_not_shipped_is_refused(database: Database) -> None:
    await database.migrate()
    with pytest.raises(CorruptDataError, match="0002_two"):
        await database.migrate({"0001_one": ONE})


async def test_a_run_that_failed_halfway_is_finished_by_the_next(database: Database) -> None:
    broken = {**FILES, "0002_two": ONE.replace(".one", ".two") + "CREATE NONSENSE;\n"}
    with pytest.raises((StoreUnavailableError, StoreRejectedError)):
        await database.migrate(broken)
    assert await database.tables() == {"schema_migrations", "one", "two"}
    assert (await database.migrate()).applied == ("0002_two",)
    assert "three" in await database.tables()


async def test_numbers_have_no_gaps(database: Database) -> None:
    with pytest.raises(CorruptDataError, match="0003_two"):
        await database.migrate({"0001_one": ONE, "0003_two": TWO})
    with pytest.raises(CorruptDataError):
        await database.migrate({"0001-One": ONE})
    assert await database.tables() == set()


@pytest.mark.parametrize("name", list(migration_texts()))
async def test_the_engine_can_read_what_is_rendered_for_a_cluster(database: Database, name: str) -> None:
    for statement in render(migration_texts()[name], database="memplane", cluster="main"):
        await database.client.command(f"EXPLAIN AST {statement}")
    with pytest.raises((StoreUnavailableError, StoreRejectedError)):
        await database.client.command(f"EXPLAIN AST {statement} NONSENSE HERE")
