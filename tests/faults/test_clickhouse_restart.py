"""The client across a server that is killed and comes back."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from memplane.adapters.clickhouse.event_log import ClickHouseEventLog
from memplane.adapters.clickhouse.migrate import migrate
from memplane.domain.errors import StoreUnavailableError
from tests.contract.event_log_contract import fresh_scope, make_event
from tests.support.clickhouse_server import ClickHouseServer


async def test_answered_writes_outlive_a_kill_and_calls_work_again_afterwards(tmp_path: Path) -> None:
    server = ClickHouseServer(home=tmp_path)
    await asyncio.to_thread(server.start)
    client = await server.client("memplane_test")
    try:
        await migrate(client, database="memplane_test")
        log, scope = ClickHouseEventLog(client), fresh_scope()
        await log.append(events=[make_event(scope) for _ in range(3)])
        await asyncio.gather(*(log.count(scope=scope) for _ in range(8)))  # several idle connections

        await asyncio.to_thread(server.stop, signal.SIGKILL)
        await asyncio.to_thread(server.start)
        assert await log.count(scope=scope) == 3
        await log.append(events=[make_event(scope)])

        await asyncio.to_thread(server.stop, signal.SIGKILL)
        with pytest.raises(StoreUnavailableError):
            await log.count(scope=scope)
        with pytest.raises(StoreUnavailableError):
            await log.append(events=[make_event(scope)])
        await asyncio.to_thread(server.start)
        assert await log.count(scope=scope) == 4
    finally:
        await client.close()
        await asyncio.to_thread(server.stop)


async def test_migrations_killed_anywhere_are_finished_by_the_next_run(tmp_path: Path) -> None:
    server = ClickHouseServer(home=tmp_path)
    await asyncio.to_thread(server.start)
    client = await server.client("memplane_test")

    def kill(done: int, total: int, name: str) -> None:
        if done == 2:
            server.stop(signal.SIGKILL)

    try:
        with pytest.raises(StoreUnavailableError):
            await migrate(client, database="memplane_test", progress=kill)
        await asyncio.to_thread(server.start)
        report = await migrate(client, database="memplane_test")
        assert len(report.present) >= 2
        assert report.applied
        assert await ClickHouseEventLog(client).count(scope=fresh_scope()) == 0
    finally:
        await client.close()
        await asyncio.to_thread(server.stop)
