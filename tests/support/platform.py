"""The whole platform for a test run: started with the command line, called over HTTP, broken on purpose.

A run starts its own, unless the environment names another:

- ``MEMPLANE_TEST_DATA_DIR``: a local platform; fault tests will kill its processes;
- ``MEMPLANE_TEST_URL`` with ``MEMPLANE_TEST_KEY_FILE``: one somewhere else; fault tests skip.
"""

# ruff: noqa: TID251  (the environment of a test run is no setting of the product)

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.support.http_api import Api, fresh

START_S = 280.0
LEASE_AND_MARGIN_S = 13.0
HEALTH_GOOD_FOR_S = 1.1
"""The platform repeats an answer of readiness for a second."""
SWEEP_AGE_S = 3.0
SWEEP_INTERVAL_S = 1.0
QUICK_SWEEP = {
    "MEMPLANE_INGEST__SWEEP_AGE_S": str(SWEEP_AGE_S),
    "MEMPLANE_INGEST__SWEEP_INTERVAL_S": str(SWEEP_INTERVAL_S),
}


@dataclass(kw_only=True)
class Platform:
    """A running platform. ``data_dir`` is there when it is local, and may be broken."""

    url: str
    tenant_id: str
    agent_key: str = field(repr=False)
    operator_key: str = field(repr=False)
    data_dir: Path | None = None
    callers: list[Api] = field(default_factory=list, repr=False)

    def api(self, key: str, *, tenant_id: str = "") -> Api:
        """A caller with this key."""
        caller = Api(self.url, key, tenant_id)
        self.callers.append(caller)
        return caller

    @property
    def agent(self) -> Api:
        """A caller with the first tenant's agent key."""
        return self._cached(self.agent_key)

    @property
    def operator(self) -> Api:
        """A caller with the platform's operator key."""
        return self._cached(self.operator_key)

    def _cached(self, key: str) -> Api:
        return next((caller for caller in self.callers if caller.key == key), None) or self.api(key)

    def new_key(self, tenant_id: str, **fields: Any) -> tuple[Api, str]:
        """A caller with a fresh key of a tenant, and the key's id."""
        response = self.operator.post("/admin/v1/keys", {"tenant_id": tenant_id, "role": "agent", **fields})
        assert response.status_code == 201, response.text
        caller = self.api(response.json()["key"], tenant_id=tenant_id)
        settle(caller)
        return caller, str(response.json()["key_id"])

    def new_tenant(self, **policy: Any) -> Api:
        """An agent of a fresh tenant that keeps every turn that passes the gates."""
        tenant_id = fresh("t")
        body = {"tenant_id": tenant_id, "policy": {"raw_turns": "all", **policy}}
        response = self.operator.post("/admin/v1/tenants", body)
        assert response.status_code == 201, response.text
        return self.new_key(tenant_id)[0]

    def close(self) -> None:
        """Closes all callers."""
        for caller in self.callers:
            caller.close()
        self.callers.clear()

    # What only a local platform can do.

    @property
    def local_dir(self) -> Path:
        """The data directory."""
        assert self.data_dir is not None, "this test needs a local platform"
        return self.data_dir

    def command(self, *arguments: str, timeout_s: float = START_S) -> subprocess.CompletedProcess[str]:
        """Runs ``memplane`` on the data directory."""
        return run_cli(*arguments, "--data-dir", str(self.local_dir), timeout_s=timeout_s, environment=QUICK_SWEEP)

    def status(self) -> dict[str, Any]:
        """``memplane status --json``."""
        report: dict[str, Any] = json.loads(self.command("status", "--json", timeout_s=60).stdout)
        return report

    def process(self, name: str) -> psutil.Process:
        """A process that the supervisor watches: ``clickhouse``, ``milvus`` or ``serve``."""
        record = next(record for record in self.status()["processes"] if record["name"] == name)
        assert record["pid"] is not None, record
        return psutil.Process(record["pid"])

    def supervisor(self) -> psutil.Process:
        """The process that watches the others."""
        return psutil.Process(self.status()["supervisor"]["pid"])

    @contextmanager
    def held_down(self, name: str) -> Iterator[None]:
        """A watched process is dead inside: killed, and not restarted before the end. Then waits until all is well."""
        supervisor = self.supervisor()
        victim = self.process(name)
        supervisor.suspend()
        try:
            victim.kill()
            yield
        finally:
            supervisor.resume()
        self.wait_ready()

    def replica(self, deployment: str) -> psutil.Process:
        """A replica by application and deployment, like ``ingest:Writer``; only this platform's."""
        title = f"ServeReplica:{deployment}"
        return next(child for child in self._below_serve() if title in _title(child))

    def _below_serve(self) -> list[psutil.Process]:
        return self.process("serve").children(recursive=True)

    def wait_for_leases(self) -> None:
        """Waits until the leases of a Writer that was killed have lapsed: until then its shards answer 503."""
        time.sleep(LEASE_AND_MARGIN_S)

    def clickhouse(self, statement: str, **parameters: str) -> list[dict[str, Any]]:
        """Rows of a query with ``{name:Type}`` parameters, read over the store's own HTTP interface."""
        config = json.loads((self.local_dir / "run" / "config.json").read_text())["clickhouse"]
        response = httpx.post(
            f"http://{config['host']}:{config['port']}/",
            params={"database": config["database"], **{f"param_{name}": text for name, text in parameters.items()}},
            content=f"{statement} FORMAT JSONEachRow",
            auth=(config["reader_user"], config["reader_password"]),
            trust_env=False,
        )
        assert response.status_code == 200, response.text
        return [json.loads(line) for line in response.text.splitlines()]

    def wait_ready(self, *, timeout_s: float = 120.0) -> dict[str, Any]:
        """Waits until every part works. Returns: the answer of readiness, given after this call began."""
        time.sleep(HEALTH_GOOD_FOR_S)

        def ready() -> dict[str, Any] | None:
            try:
                response = httpx.get(f"{self.url}/v1/health/ready", timeout=10, trust_env=False)
                answer: dict[str, Any] = response.json()
            except (httpx.TransportError, ValueError):
                return None
            return answer if answer.get("status") == "ready" else None

        return eventually(ready, timeout_s=timeout_s, what="the platform is ready")


def eventually(look: Callable[[], Any], *, timeout_s: float, what: str, every_s: float = 0.25) -> Any:
    """The first true answer of ``look``. Raises: AssertionError when none comes in time."""
    until = time.monotonic() + timeout_s
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < until, f"not within {timeout_s:g} s: {what}"
        time.sleep(every_s)


def settle(caller: Api) -> None:
    """Waits until a fresh key opens both doors: processes take it up by themselves."""
    user_id = fresh()
    eventually(
        lambda: caller.listing(user_id=user_id).status_code != 401 and caller.recall(user_id, "x").status_code != 401,
        timeout_s=10,
        what="a fresh key is known everywhere",
    )


def run_cli(
    *arguments: str, timeout_s: float, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "memplane.cli", *arguments],
        env={**os.environ, **(environment or {})},
        cwd=tempfile.gettempdir(),  # `python -m` imports from where it stands: nothing of ours stands there
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


@contextmanager
def running_platform() -> Iterator[Platform]:
    """The platform of this run: the one that the environment names, or a new one that ends with the run."""
    named = os.environ.get("MEMPLANE_TEST_DATA_DIR")
    url = os.environ.get("MEMPLANE_TEST_URL")
    if named or url:
        key_file = Path(os.environ["MEMPLANE_TEST_KEY_FILE"]) if url else Path(named or "") / "key.json"
        platform = _opened(key_file, data_dir=Path(named) if named else None, url=url)
        yield platform
        platform.close()
        return
    data_dir = Path(tempfile.mkdtemp(prefix="mp-"))  # short: sockets live below it
    try:
        arguments = ["up", "--detach", "--data-dir", str(data_dir), "--port", str(_free_port())]
        started = run_cli(*arguments, timeout_s=START_S, environment=QUICK_SWEEP)
        assert started.returncode == 0, f"the platform did not start:\n{started.stdout}\n{started.stderr}"
        platform = _opened(data_dir / "key.json", data_dir=data_dir)
        yield platform
        platform.close()
    finally:
        run_cli("down", "--timeout", "30", "--data-dir", str(data_dir), timeout_s=120)
        shutil.rmtree(data_dir, ignore_errors=True)


def _opened(key_file: Path, *, data_dir: Path | None, url: str | None = None) -> Platform:
    keys = json.loads(key_file.read_text())
    return Platform(
        url=(url or keys["url"]).rstrip("/"),
        tenant_id=keys["tenant_id"],
        agent_key=keys["agent_key"],
        operator_key=keys["operator_key"],
        data_dir=data_dir,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _title(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
