"""The supervisor on stand-in processes: start, restart, failure, recovery after kill -9, and ending only its own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from memplane.adapters.local.supervisor import (
    AlreadyRunningError,
    Backoff,
    DirectoryLock,
    Plan,
    ProcessIdentity,
    ProcessSpec,
    Stage,
    StateFile,
    StepFailedError,
    Supervisor,
    TaskSpec,
    choose_ports,
    is_alive,
    leftovers,
    port_is_free,
)
from memplane.adapters.local.supervisor.progress import StepEvent

SERVER = """
    import subprocess, sys, time
    if "--with-child" in sys.argv:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
        print("CHILD", child.pid, flush=True)
    print("READY port=1234", flush=True)
    while True:
        time.sleep(0.05)
"""
ENVIRONMENT = {"PATH": os.defpath}


def script(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", textwrap.dedent(code))


def server(name: str, *arguments: str, code: str = SERVER, **changes: object) -> ProcessSpec:
    values: dict[str, object] = {"ready_timeout_s": 20.0, "stop_timeout_s": 5.0, "probe_interval_s": 0.1, **changes}
    return ProcessSpec(
        name=name,
        title=name,
        argv=(*script(code), *arguments),
        environment=ENVIRONMENT,
        **values,  # type: ignore[arg-type]
    )


class Platform:
    """One supervisor on a temporary directory, run beside the test."""

    def __init__(self, directory: Path, *stages: Stage, run_id: str | None = None) -> None:
        logs = directory / "logs"
        logs.mkdir(exist_ok=True)
        self.directory = directory
        self.events: list[StepEvent] = []
        self.state = StateFile(directory / "state.json")
        self.ready = asyncio.Event()
        plan = Plan(
            stages=stages,
            log_dir=logs,
            state_file=self.state.file,
            run_id=run_id or f"test-{directory.name}-{os.getpid()}",
            url="http://127.0.0.1:1",
            backoff=Backoff(first_s=0.05, most_s=0.2),
            recover_timeout_s=1.0,
        )
        me = ProcessIdentity.of(os.getpid())
        assert me is not None
        self.supervisor = Supervisor(plan, supervisor=me, progress=self.events.append)

    async def __aenter__(self) -> Platform:
        self.run = asyncio.create_task(self.supervisor.run(ready=self.ready.set))
        waiting = asyncio.create_task(self.ready.wait())
        await asyncio.wait([self.run, waiting], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self.run.done():
            self.run.result()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.supervisor.request_stop()
        await self.run

    def record(self, name: str):
        state = self.state.read()
        assert state is not None
        return next(record for record in state.processes if record.name == name)

    def log(self, name: str) -> str:
        return (self.directory / "logs" / f"{name}.log").read_text()


async def until(condition: Callable[[], bool], *, timeout_s: float = 20.0) -> None:
    async with asyncio.timeout(timeout_s):
        while not condition():  # noqa: ASYNC110  the condition is a file's content
            await asyncio.sleep(0.02)


def a_foreign_process() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)


async def test_starts_in_order_and_stops_all(tmp_path: Path) -> None:
    mark = tmp_path / "done"
    task = TaskSpec(
        name="prepare",
        title="prepare",
        argv=script(f"print('STEP 迁移 0001', flush=True); open({str(mark)!r}, 'w')"),
        environment=ENVIRONMENT,
    )
    late = f"import os, time; assert os.path.exists({str(mark)!r}); print('READY', flush=True); time.sleep(600)"
    platform = Platform(
        tmp_path,
        Stage(members=(server("a"), server("b"))),
        Stage(members=(task,)),
        Stage(members=(server("c", code=late),)),
    )
    async with platform:
        state = platform.state.read()
        assert state is not None
        assert state.phase == "running"
        assert [record.state for record in state.processes] == ["running"] * 3
        assert ("prepare", "note", "迁移 0001") in [(e.name, e.state, e.message) for e in platform.events]
        identities = state.identities()
        assert all(is_alive(identity) for identity in identities)
        assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600
    after = platform.state.read()
    assert after is not None
    assert after.phase == "stopped"
    assert after.supervisor is None
    assert not any(is_alive(identity) for identity in identities)


async def test_a_crash_is_noticed_restarted_and_counted(tmp_path: Path) -> None:
    async with Platform(tmp_path, Stage(members=(server("a"), server("b")))) as platform:
        first = platform.record("a").identity
        os.kill(first.pid, signal.SIGKILL)
        await until(lambda: platform.record("a").restarts == 1 and platform.record("a").state == "running")
        assert platform.record("a").identity != first
        assert platform.record("a").last_exit == "ended by signal 9"
        assert platform.record("b").restarts == 0
        assert "starting it again" in platform.log("a")


async def test_keeps_trying_when_a_restart_fails(tmp_path: Path) -> None:
    flag = tmp_path / "broken"
    code = f"""
        import os, sys, time
        if os.path.exists({str(flag)!r}):
            sys.exit(7)
        print("READY", flush=True)
        time.sleep(600)
    """
    async with Platform(tmp_path, Stage(members=(server("a", code=code),))) as platform:
        flag.touch()
        os.kill(platform.record("a").identity.pid, signal.SIGKILL)
        await until(lambda: platform.record("a").restarts >= 3)
        assert "exit status 7" in platform.record("a").last_exit
        flag.unlink()
        await until(lambda: platform.record("a").state == "running")


async def test_a_process_that_hangs_is_started_anew(tmp_path: Path) -> None:
    port = choose_ports({"web": 0})["web"]
    code = f"""
        import http.server, pathlib
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(500 if pathlib.Path({str(tmp_path / "sick")!r}).exists() else 200)
                self.end_headers()
        server = http.server.HTTPServer(("127.0.0.1", {port}), Handler)
        print("READY", flush=True)
        server.serve_forever()
    """
    spec = server("web", code=code, probe_url=f"http://127.0.0.1:{port}/", probe_failures=3)
    async with Platform(tmp_path, Stage(members=(spec,))) as platform:
        (tmp_path / "sick").touch()
        await until(lambda: platform.record("web").restarts >= 1)
        (tmp_path / "sick").unlink()
        assert "health check" in platform.record("web").last_exit
        await until(lambda: platform.record("web").state == "running")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; print('no space: 磁盘满'); sys.exit(3)", "exit status 3"),
        ("import time; time.sleep(60)", "not ready within"),
    ],
)
async def test_a_failed_start_tells_why_and_leaves_nothing(tmp_path: Path, code: str, reason: str) -> None:
    broken = server("broken", code=code, ready_timeout_s=1.0)
    platform = Platform(tmp_path, Stage(members=(server("a"),)), Stage(members=(broken,)))
    with pytest.raises(StepFailedError) as failed:
        async with platform:
            pass
    assert failed.value.step == "broken"
    assert reason in failed.value.reason
    assert failed.value.log_file == tmp_path / "logs" / "broken.log"
    if "磁盘满" in code:
        assert failed.value.last_lines[-1] == "no space: 磁盘满"
    state = platform.state.read()
    assert state is not None
    assert state.phase == "failed"
    assert not any(is_alive(identity) for identity in state.identities())


async def test_stop_ends_grandchildren_in_sessions_of_their_own(tmp_path: Path) -> None:
    async with Platform(tmp_path, Stage(members=(server("a", "--with-child"),))) as platform:
        await until(lambda: "CHILD" in platform.log("a"))
        pid = int(platform.log("a").split("CHILD ")[1].split()[0])
        grandchild = ProcessIdentity.of(pid)
        assert is_alive(grandchild)
    assert not is_alive(grandchild)


async def test_a_process_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); print('READY', flush=True); time.sleep(600)"
    async with Platform(tmp_path, Stage(members=(server("deaf", code=code, stop_timeout_s=0.3),))) as platform:
        identity = platform.record("deaf").identity
    assert not is_alive(identity)


async def test_leaves_foreign_processes_alone(tmp_path: Path) -> None:
    foreign = a_foreign_process()
    try:
        async with Platform(tmp_path, Stage(members=(server("a"),))):
            pass
        assert foreign.poll() is None
    finally:
        foreign.kill()
        foreign.wait()


async def test_a_reused_pid_is_not_taken_for_ours() -> None:
    foreign = a_foreign_process()
    try:
        real = ProcessIdentity.of(foreign.pid)
        assert real is not None
        earlier = ProcessIdentity(pid=foreign.pid, create_time=real.create_time - 1000)
        assert not is_alive(earlier)
        assert leftovers([earlier], "no-such-marker/") == []
        assert [process.pid for process in leftovers([real], "no-such-marker/")] == [foreign.pid]
    finally:
        foreign.kill()
        foreign.wait()


async def test_recovers_after_kill_9_of_the_supervisor(tmp_path: Path) -> None:
    """A supervisor dies; a child that ignores SIGTERM and its grandchild stay; the next run ends them."""
    code = """
        import signal, subprocess, sys, time
        signal.signal(15, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
        print("CHILD", child.pid, flush=True)
        print("READY", flush=True)
        time.sleep(600)
    """
    run_id = f"recover-{tmp_path.name}-{os.getpid()}"
    host = f"""
        import asyncio, os
        from pathlib import Path
        from memplane.adapters.local.supervisor import *
        root = Path({str(tmp_path)!r})
        deaf = ProcessSpec(name="deaf", title="deaf", argv={script(code)!r}, environment={ENVIRONMENT!r})
        good = ProcessSpec(name="good", title="good", argv={script(SERVER)!r}, environment={ENVIRONMENT!r})
        plan = Plan(
            stages=(Stage(members=(deaf, good)),),
            log_dir=root / "logs", state_file=root / "state.json", run_id={run_id!r}, url="u",
        )
        DirectoryLock(root / "run" / "up.lock").acquire()
        me = ProcessIdentity.of(os.getpid())
        supervisor = Supervisor(plan, supervisor=me, progress=lambda event: None)
        asyncio.run(supervisor.run(ready=lambda: print("UP", flush=True)))
    """
    (tmp_path / "logs").mkdir()
    (tmp_path / "run").mkdir()
    lock = DirectoryLock(tmp_path / "run" / "up.lock")
    supervisor = subprocess.Popen(script(host), stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220  a short start
    assert supervisor.stdout is not None
    assert supervisor.stdout.readline() == "UP\n"
    assert lock.is_held()
    with pytest.raises(AlreadyRunningError):
        lock.acquire()
    state = StateFile(tmp_path / "state.json").read()
    assert state is not None
    deaf, good = state.processes
    supervisor.kill()
    supervisor.wait()
    supervisor.stdout.close()
    await until(lambda: not is_alive(good.identity))  # the kernel told it that its parent had died
    assert is_alive(deaf.identity)
    assert not lock.is_held()
    assert not is_alive(state.supervisor)
    left = leftovers(state.identities(), f"{run_id}/")
    assert len(left) == 2
    async with Platform(tmp_path, Stage(members=(server("deaf"),)), run_id=run_id) as platform:
        assert "recover" in [event.name for event in platform.events]
        assert not is_alive(deaf.identity)
        assert not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in left)


async def test_stop_during_the_start_ends_what_was_started(tmp_path: Path) -> None:
    platform = Platform(
        tmp_path, Stage(members=(server("slow", code="import time; time.sleep(600)", ready_timeout_s=60.0),))
    )
    run = asyncio.create_task(platform.supervisor.run(ready=platform.ready.set))
    await until(lambda: platform.state.read() is not None and bool(platform.state.read().identities()))
    identity = platform.record("slow").identity
    platform.supervisor.request_stop()
    await run
    assert not platform.ready.is_set()
    assert not is_alive(identity)


def test_ports_taken_are_avoided_and_distinct() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        busy = taken.getsockname()[1]
        assert not port_is_free(busy)
        chosen = choose_ports({"http": busy, "clickhouse": busy, "milvus": 0})
    assert busy not in chosen.values()
    assert len(set(chosen.values())) == 3
