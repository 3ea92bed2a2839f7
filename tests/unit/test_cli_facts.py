"""``memplane fact``, ``history`` and ``events`` against a whole Writer behind the API."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from typer.testing import CliRunner, Result

from memplane.cli.app import app
from tests.support.written_api import WrittenApi, written_api


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[str]:
    """A platform on a free port of this machine, with its key file in ``tmp_path``."""
    ready, done, loops = threading.Event(), asyncio.Event(), list[asyncio.AbstractEventLoop]()

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        async with written_api(language="zh") as api, _listening(api) as url:
            keys = {"url": url, "tenant_id": "t1", "agent_key": api.keys["agent"]}
            (tmp_path / "key.json").write_text(json.dumps(keys))
            ready.set()
            await done.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    assert ready.wait(30)
    yield str(tmp_path)
    loops[0].call_soon_threadsafe(done.set)
    thread.join(30)
    assert not thread.is_alive()


@contextlib.asynccontextmanager
async def _listening(api: WrittenApi) -> AsyncIterator[str]:
    async def mounted(scope: Any, receive: Any, send: Any) -> None:
        await api.app({**scope, "root_path": "/v1"}, receive, send)

    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(mounted, lifespan="off", log_level="error"))
        serving = asyncio.create_task(server.serve(sockets=[door]))
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
        server.should_exit = True
        await serving


@pytest.fixture
def run(platform: str) -> Any:
    def call(*arguments: object) -> Result:
        told = ["--data-dir", platform, *map(str, arguments)]
        return CliRunner().invoke(app, told, env={"COLUMNS": "200"})

    return call


def test_a_fact_is_set_read_listed_and_deleted(run: Any) -> None:
    assert run("fact", "set", "order/ORD-1/status", "已付款", "-u", "mei").stdout.startswith("fact_set mem_")
    assert run("fact", "get", "order/ORD-1/status", "-u", "mei").stdout == '"已付款"\n'
    found = json.loads(run("fact", "get", "order/ORD-1/status", "-u", "mei", "--json").stdout)
    assert (found["entity"], found["value"]) == ("ORD-1", "已付款")
    assert run("fact", "list", "-u", "mei").stdout.startswith('order/ORD-1/status = "已付款"  since 2025-06-12T08:00')
    assert json.loads(run("fact", "list", "-u", "mei", "--type", "order", "--json").stdout)["facts"] == [found]
    assert run("fact", "list", "-u", "mei", "--type", "task").stdout == ""
    assert run("fact", "delete", "order/ORD-1/status", "-u", "mei").stdout.startswith("superseded mem_")
    for command in ("get", "delete"):
        result = run("fact", command, "order/ORD-1/status", "-u", "mei")
        assert result.exit_code == 1
        assert "not_found" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["45"], 45),
        (["45", "--text"], "45"),
        (["true"], True),
        (["null"], None),
        (['{"a": [1]}'], {"a": [1]}),
        (["[1"], "[1"),
        (["NaN"], "NaN"),
        (["--", "-5"], -5),
    ],
)
def test_values_are_json_or_text(run: Any, arguments: list[str], value: Any) -> None:
    result = run("fact", "set", "-u", "mei", "order/1/x", *arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(run("fact", "get", "order/1/x", "-u", "mei", "--json").stdout)["value"] == value


def test_times_are_asked_for_with_an_offset(run: Any) -> None:
    run("fact", "set", "order/1/x", "1", "-u", "mei", "--valid-from", "2025-06-01T08:00:00+08:00")
    assert run("fact", "get", "order/1/x", "-u", "mei", "--as-of", "2025-06-01T00:00:00Z").stdout == "1\n"
    assert run("fact", "get", "order/1/x", "-u", "mei", "--as-of", "2025-05-31T23:59:59Z").exit_code == 1
    assert run("fact", "list", "-u", "mei", "--known-at", "2025-06-01T00:00:00Z").stdout == ""
    for wrong in ("2025-06-01T00:00:00", "yesterday"):
        result = run("fact", "get", "order/1/x", "-u", "mei", "--as-of", wrong)
        assert result.exit_code == 2
        assert "+08:00" in result.stderr


def test_history_and_events_tell_what_happened(run: Any) -> None:
    memory_id = run("remember", "我住在[杭州]", "--user", "mei").stdout.split()[1]
    for number in range(2):
        run("fact", "set", "order/1/x", number, "-u", "mei")
    shown = run("history", memory_id).stdout
    assert "add by key-" in shown
    assert "我住在[杭州]" in shown
    history = json.loads(run("history", memory_id, "--json").stdout)
    assert [version["op"] for version in history["versions"]] == ["add"]
    listed = run("events", "--user", "mei").stdout
    assert "订单1的x为1。" in listed
    assert "fact_set" in listed
    assert listed.index("x为1") < listed.index("x为0") < listed.index("我住在[杭州]")
    page = run("events", "--user", "mei", "--role", "event", "--limit", 1)
    assert "x为1" in page.stdout
    cursor = page.stderr.split()[-1]
    following = run("events", "--user", "mei", "--role", "event", "--limit", 1, "--cursor", cursor)
    assert "x为0" in following.stdout
    assert following.stderr == ""
    assert len(json.loads(run("events", "--user", "mei", "--json").stdout)["events"]) == 3
    assert run("history", "mem_x").exit_code == 1


@pytest.mark.parametrize("name", ["order/1", "order/1/a/b", "order//x", ""])
def test_a_name_that_is_no_fact_is_wrong_usage(run: Any, name: str) -> None:
    assert run("fact", "set", name, "1", "-u", "mei").exit_code == 2


def test_help_has_examples(run: Any) -> None:
    for command in (["fact", "set"], ["fact", "get"], ["fact", "list"], ["fact", "delete"], ["history"], ["events"]):
        result = run(*command, "--help")
        assert result.exit_code == 0
        assert "Example" in result.stdout, command
