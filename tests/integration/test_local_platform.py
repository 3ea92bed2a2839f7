"""``up``, ``status``, ``logs`` and ``down`` on a platform whose processes are stand-ins."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner, Result

from memplane.adapters.local.supervisor import StateFile, is_alive
from memplane.cli.app import app
from memplane.cli.layout import DataLayout

STORE = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN if DEAF else signal.SIG_DFL)
print("store is here", flush=True)
print("READY port=1", flush=True)
time.sleep(600)
"""
SERVE = """
import http.server, json, pathlib, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = pathlib.Path(sys.argv[2]).read_bytes()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("READY", flush=True)
server.serve_forever()
"""
HOST = """
import json, sys
from pathlib import Path
from memplane.adapters.local.supervisor import Backoff, Plan, ProcessSpec, Stage
from memplane.cli.layout import DataLayout
from memplane.cli.local_settings import platform_url
from memplane.cli.private_files import write_private_json
from memplane.cli.supervise import run_platform
from memplane.settings import child_environment

def plan_of(layout, settings):
    def spec(name, code, *arguments):
        return ProcessSpec(name=name, title=name, argv=(sys.executable, "-c", code, *arguments),
                           environment=child_environment(layout.config_file, {}), stop_timeout_s=0.5)
    port = settings.http.port
    url = platform_url(settings)
    keys = {"url": url, "tenant_id": "default", "agent_key": "secret-a", "operator_key": "o"}
    write_private_json(layout.key_file, keys)
    stores = (spec("clickhouse", STORE), spec("milvus", STORE))
    return Plan(stages=(Stage(members=stores), Stage(members=(spec("serve", SERVE, str(port), HEALTH),))),
                log_dir=layout.logs, state_file=layout.state_file, run_id=layout.run_id, url=url,
                ports={"http": port}, backoff=Backoff(first_s=0.05), recover_timeout_s=0.5)

run_platform(DataLayout.at(Path(ROOT)), http_port=None, progress=lambda event: None,
             ready=lambda: print("UP", flush=True), plan_of=plan_of)
"""


class StandInPlatform:
    """A real supervisor, in a process of its own, on processes that only pretend."""

    def __init__(self, root: Path, *, deaf: bool = False) -> None:
        self.layout = DataLayout.at(root / "data")
        self.health = root / "health.json"
        self.say("ready")
        names = {
            "STORE": f"DEAF = {deaf}" + STORE,
            "SERVE": SERVE,
            "HEALTH": str(self.health),
            "ROOT": str(self.layout.root),
        }
        code = "\n".join(f"{name} = {value!r}" for name, value in names.items()) + textwrap.dedent(HOST)
        self.process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "UP\n"

    def say(self, status: str) -> None:
        components = {"clickhouse": {"status": status, "latency_ms": 1.5}}
        self.health.write_text(json.dumps({"status": status, "components": components}))

    def run(self, command: str, *arguments: object) -> Result:
        texts = [command, *map(str, arguments), "--data-dir", str(self.layout.root)]
        return CliRunner().invoke(app, texts, env={"COLUMNS": "200"})

    def pids(self) -> dict[str, int]:
        state = StateFile(self.layout.state_file).read()
        assert state is not None
        return {record.name: record.identity.pid for record in state.processes if record.identity is not None}

    def end(self) -> None:
        self.run("down", "--timeout", 20)
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[StandInPlatform]:
    platform = StandInPlatform(tmp_path)
    yield platform
    platform.end()


def until(condition: Callable[[], bool], *, timeout_s: float = 20.0) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_status_has_the_shape_of_the_contract_and_no_key(platform: StandInPlatform) -> None:
    result = platform.run("status", "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == 0
    assert report["state"] == "running"
    assert report["url"].startswith("http://127.0.0.1:")
    assert report["data_dir"] == str(platform.layout.root)
    assert report["key_file"] == str(platform.layout.key_file)
    assert report["tenant_id"] == "default"
    assert report["components"] == {"clickhouse": {"status": "ready", "latency_ms": 1.5}}
    assert {(p["name"], p["state"], p["restarts"]) for p in report["processes"]} == {
        ("clickhouse", "running", 0),
        ("milvus", "running", 0),
        ("serve", "running", 0),
    }
    assert all(process["pss_bytes"] > 0 for process in [*report["processes"], report["supervisor"]])
    assert "secret-a" not in result.stdout
    assert "secret-a" not in platform.run("status").stdout


def test_a_degraded_component_is_told(platform: StandInPlatform) -> None:
    platform.say("degraded")
    result = platform.run("status", "--json")
    assert (result.exit_code, json.loads(result.stdout)["state"]) == (1, "degraded")


def test_a_killed_process_comes_back_and_is_counted(platform: StandInPlatform) -> None:
    before = platform.pids()
    os.kill(before["milvus"], signal.SIGKILL)
    until(
        lambda: json.loads(platform.run("status", "--json").stdout)["state"] == "running" and platform.pids() != before
    )
    report = json.loads(platform.run("status", "--json").stdout)
    assert {p["name"]: p["restarts"] for p in report["processes"]} == {"clickhouse": 0, "milvus": 1, "serve": 0}


def test_a_second_up_says_that_one_is_running(platform: StandInPlatform) -> None:
    for arguments in (["--detach"], ["--detach", "--json"], []):
        result = platform.run("up", *arguments)
        assert result.exit_code == 0, result.output
        assert "already running" in result.stderr
        assert json.loads(platform.layout.key_file.read_text())["url"] in result.stderr
        assert "secret-a" not in result.output
    assert platform.process.poll() is None


def test_down_ends_only_its_own_and_can_be_repeated(platform: StandInPlatform) -> None:
    pids = platform.pids()
    foreign = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    try:
        assert platform.run("down").exit_code == 0
        assert platform.process.wait(20) == 0
        assert all(gone(pid) for pid in pids.values())
        assert foreign.poll() is None
    finally:
        foreign.kill()
        foreign.wait()
    status = platform.run("status", "--json")
    assert (status.exit_code, json.loads(status.stdout)["state"]) == (3, "stopped")
    again = platform.run("down")
    assert again.exit_code == 0
    assert "was not running" in again.stderr


def test_after_kill_9_of_the_supervisor_status_says_so_and_down_cleans_up(tmp_path: Path) -> None:
    platform = StandInPlatform(tmp_path, deaf=True)
    try:
        pids = platform.pids()
        platform.process.kill()
        platform.process.wait()
        until(lambda: gone(pids["serve"]))
        result = platform.run("status", "--json")
        report = json.loads(result.stdout)
        assert (result.exit_code, report["state"]) == (1, "degraded")
        assert "the supervisor died; 2 of its processes are left" in report["note"]
        assert platform.run("down", "--timeout", 0.5).exit_code == 0
        assert all(gone(pid) for pid in pids.values())
        after = platform.run("status", "--json")
        assert after.exit_code == 3
        assert json.loads(after.stdout)["note"] is None
    finally:
        platform.end()


def test_logs(platform: StandInPlatform) -> None:
    assert platform.run("logs", "milvus").stdout == "store is here\nREADY port=1\n"
    assert "clickhouse  store is here" in platform.run("logs", "-n", 5).stdout
    missing = platform.run("logs", "nobody")
    assert missing.exit_code == 1
    assert "clickhouse, milvus, serve" in missing.stderr


@pytest.mark.parametrize("detach", [["--detach"], []])
def test_a_start_that_cannot_be_says_why(tmp_path: Path, detach: list[str]) -> None:
    layout = DataLayout.at(tmp_path / "data")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        argv = [sys.executable, "-m", "memplane.cli", "up", *detach, "--data-dir", str(layout.root), "--port", port]
        result = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1
    assert f"port {port} is taken" in result.stderr
    assert "Traceback" not in result.stderr
    status = CliRunner().invoke(app, ["status", "--data-dir", str(layout.root)])
    assert status.exit_code == 3
    state = StateFile(layout.state_file).read()
    assert state is None or not any(is_alive(identity) for identity in state.identities())
