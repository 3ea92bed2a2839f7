"""What tests of several folders share: one real ClickHouse, and a database of its own for each module."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.migrate import migrate
from tests.support.clickhouse_server import ClickHouseServer
from tests.support.platform import Platform, running_platform


@pytest.fixture(scope="session")
def clickhouse_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseServer]:
    """The local ClickHouse, empty, for the whole run."""
    server = ClickHouseServer(home=tmp_path_factory.mktemp("clickhouse"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
async def clickhouse_client(clickhouse_server: ClickHouseServer) -> AsyncIterator[ClickHouseClient]:
    """A client of a fresh database with the shipped schema."""
    database = f"test_{secrets.token_hex(6)}"
    client = await clickhouse_server.client(database)
    await migrate(client, database=database)
    yield client
    await client.close()


@pytest.fixture(scope="session")
def platform() -> Iterator[Platform]:
    """The whole platform, real and running: started by the first test that asks for it, ended with the run."""
    with running_platform() as running:
        yield running
