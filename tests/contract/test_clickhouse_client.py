"""The client, on the real engine."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from datetime import UTC, datetime, timedelta

import pytest

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.event_log import LOOK_BACK, ClickHouseEventLog
from memplane.adapters.clickhouse.event_rows import EVENTS, event_row
from memplane.domain.clock import truncate_to_millis
from memplane.domain.errors import DeadlineExceededError, StoreRejectedError, StoreUnavailableError
from memplane.domain.ids import ScopeTag, shard_of
from tests.contract.event_log_contract import fresh_scope, make_event, make_outcome, ref
from tests.support.clickhouse_server import ClickHouseServer


async def test_a_password_is_neither_in_repr_nor_in_errors(clickhouse_server: ClickHouseServer) -> None:
    client = await ClickHouseClient.connect(
        host="127.0.0.1", port=clickhouse_server.port, user="memplane", password="hunter2-wrong", database="x"
    )
    with pytest.raises(StoreUnavailableError) as caught:
        await client.ping()
    assert "hunter2" not in caught.value.message + repr(client) + repr(vars(client))
    await client.close()


async def test_a_process_starts_while_clickhouse_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    client = await ClickHouseClient.connect(host="127.0.0.1", port=port, user="u", password="p", database="d")
    log = ClickHouseEventLog(client)
    for _ in range(2):
        with pytest.raises(StoreUnavailableError) as caught:
            await log.count(scope=fresh_scope())
        assert caught.value.data["component"] == "clickhouse"
    with pytest.raises(StoreUnavailableError):
        await log.append(events=[make_event(fresh_scope())])
    await client.close()


async def test_a_server_that_never_answers_runs_into_the_limit() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = await ClickHouseClient.connect(
            host="127.0.0.1", port=listener.getsockname()[1], user="u", password="p", database="d", timeout_s=0.3
        )
        with pytest.raises(StoreUnavailableError, match="in time"):
            await client.query("events_count", parameters={})
        with pytest.raises(DeadlineExceededError):
            await client.query("events_count", parameters={}, timeout_s=0.2)
        with pytest.raises(StoreUnavailableError):
            await client.ping(timeout_s=0.2)
        await client.close()


async def test_rows_come_with_their_columns(clickhouse_client: ClickHouseClient) -> None:
    event = make_event(fresh_scope())
    await ClickHouseEventLog(clickhouse_client).append(events=[event])
    key = (event.scope.tenant_id, event.scope.tag, event.event_id)
    found = await clickhouse_client.query("events_find", parameters={"refs": [key]})
    assert found.columns[:4] == ["tenant_id", "user_id", "scope_tag", "event_id"]
    assert found.dicts()[0]["content"] == event.content
    assert found.dicts()[0]["received_at"].utcoffset() == timedelta(0)


async def test_many_calls_share_the_connections(clickhouse_client: ClickHouseClient) -> None:
    scope = fresh_scope()
    log = ClickHouseEventLog(clickhouse_client)
    await log.append(events=[make_event(scope) for _ in range(3)])
    assert await asyncio.gather(*(log.count(scope=scope) for _ in range(60))) == [3] * 60


async def test_a_closed_client_opens_again(clickhouse_client: ClickHouseClient) -> None:
    await clickhouse_client.ping()
    await clickhouse_client.close()
    await clickhouse_client.close()
    assert await ClickHouseEventLog(clickhouse_client).count(scope=fresh_scope()) == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"content": "half of a pair \ud800"},
        {"metadata": {"half": "\ud800"}},
        {"seq": -1},
        {"seq": 2**64},
        {"seq": "text"},
        {"content": None},
        {"event_time": None},
    ],
    ids=str,
)
async def test_content_that_does_not_fit_is_refused_whole(
    clickhouse_client: ClickHouseClient, changes: dict[str, object]
) -> None:
    scope = fresh_scope()
    log = ClickHouseEventLog(clickhouse_client)
    with pytest.raises(StoreRejectedError):
        await log.append(events=[make_event(scope), make_event(scope, **changes)])
    assert await log.count(scope=scope) == 0
    await log.append(events=[make_event(scope)])
    assert await log.count(scope=scope) == 1


async def test_a_reader_reads_and_cannot_write(
    clickhouse_server: ClickHouseServer, clickhouse_client: ClickHouseClient
) -> None:
    database = clickhouse_client.database
    reader = await clickhouse_server.client(database, reader=True)
    event = make_event(fresh_scope())
    await ClickHouseEventLog(clickhouse_client).append(events=[event])
    log = ClickHouseEventLog(reader)
    assert await log.find(refs=[ref(event)]) == {ref(event): (event, None)}
    with pytest.raises((StoreUnavailableError, StoreRejectedError)):
        await log.append(events=[make_event(event.scope)])
    assert await log.count(scope=event.scope) == 1
    await reader.close()


async def test_the_stored_shard_is_the_domains(clickhouse_client: ClickHouseClient) -> None:
    alphabet = "abcdefghijklmnopqrstuvwxyz234567"
    tags = [ScopeTag("".join(secrets.choice(alphabet) for _ in range(10))) for _ in range(1000)]
    tags += [ScopeTag(first + second + "a" * 8) for first in alphabet for second in "apq7"]
    template = make_event(fresh_scope())
    rows = []
    for tag in tags:
        values = dict(zip(EVENTS.columns, event_row(template), strict=True))
        rows.append(list({**values, "scope_tag": tag}.values()))
    await EVENTS.insert(clickhouse_client, rows)
    by_tag = "toJSONString(mapFromArrays(groupArray(scope_tag), groupArray(shard)))"
    table, tenant_id = f"{clickhouse_client.database}.events", template.scope.tenant_id
    text = await clickhouse_client.command(f"SELECT {by_tag} FROM {table} WHERE tenant_id = '{tenant_id}'")
    assert json.loads(text) == {tag: shard_of(tag) for tag in tags}


async def test_pending_looks_through_all_time_once_and_then_back_a_while(clickhouse_client: ClickHouseClient) -> None:
    scope = fresh_scope()
    now = truncate_to_millis(datetime.now(UTC))
    old = [make_event(scope, received_at=now - LOOK_BACK * times) for times in (30, 9, 4)]
    done = [make_event(scope, received_at=now - LOOK_BACK * times) for times in (29, 8)]
    log = ClickHouseEventLog(clickhouse_client)
    await log.append(events=[*old, *done])
    await log.record_outcomes(outcomes=[make_outcome(event) for event in done])
    first = await log.pending(shards=[scope.shard], received_before=now, limit=1000)
    assert [event for event in first if event.scope == scope] == old
    young = make_event(scope, received_at=now - LOOK_BACK / 2)
    await log.append(events=[young])
    second = await log.pending(shards=[scope.shard], received_before=now, limit=1000)
    assert [event for event in second if event.scope == scope] == [young]
    await log.record_outcomes(outcomes=[make_outcome(event) for event in [*old, young]])
    again = await ClickHouseEventLog(clickhouse_client).pending(shards=[scope.shard], received_before=now, limit=1000)
    assert [event for event in again if event.scope == scope] == []
