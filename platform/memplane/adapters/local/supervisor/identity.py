"""Which processes are ours, however they were left: identity that survives reuse of pids, and ending exactly those."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import psutil

RUN_MARKER = "MEMPLANE_RUN_MARKER"
"""Environment variable of everything that a supervisor starts: ``<run id>/<process name>``; descendants inherit it."""

_CLOCK_SLACK_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessIdentity:
    """A pid and the moment its process was created (seconds since the epoch): never reused together."""

    pid: int
    create_time: float

    @classmethod
    def of(cls, pid: int) -> ProcessIdentity | None:
        """The identity of a live process, or ``None``."""
        try:
            return cls(pid=pid, create_time=psutil.Process(pid).create_time())
        except psutil.Error:
            return None

    def process(self) -> psutil.Process | None:
        """The process while it lives (a zombie does not), else ``None``."""
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.create_time) < _CLOCK_SLACK_S
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.Error:
            return None


def is_alive(identity: ProcessIdentity | None) -> bool:
    """Whether exactly this process still runs."""
    return identity is not None and identity.process() is not None


def leftovers(known: Iterable[ProcessIdentity], marker_prefix: str) -> list[psutil.Process]:
    """Live processes that are in ``known``, in the session of one, or carry ``marker_prefix`` in their environment.

    Each process of a supervisor leads a session of its own. A session's number is the pid of its leader, and the kernel
    does not give that pid away while a member lives; a leader with another creation time means another session. The
    session finds what the environment does not: Ray's workers overwrite theirs with a title.
    """
    recorded = {identity.pid: identity for identity in known}
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        try:
            if process.status() == psutil.STATUS_ZOMBIE:
                continue
            if (
                _is_recorded(process, recorded)
                or _in_recorded_session(process, recorded)
                or process.environ().get(RUN_MARKER, "").startswith(marker_prefix)
            ):
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def _is_recorded(process: psutil.Process, recorded: dict[int, ProcessIdentity]) -> bool:
    identity = recorded.get(process.pid)
    return identity is not None and abs(process.create_time() - identity.create_time) < _CLOCK_SLACK_S


def _in_recorded_session(process: psutil.Process, recorded: dict[int, ProcessIdentity]) -> bool:
    leader = recorded.get(os.getsid(process.pid))
    if leader is None or process.create_time() < leader.create_time - _CLOCK_SLACK_S:
        return False
    return not psutil.pid_exists(leader.pid) or is_alive(leader)


def stop_processes(processes: Sequence[psutil.Process], *, timeout_s: float) -> int:
    """Ends ``processes``: SIGTERM, up to ``timeout_s`` to obey, then SIGKILL. Returns how many had to be killed."""
    for process in processes:
        _signal(process, kill=False)
    stubborn = _still_running(processes, timeout_s=timeout_s)
    for process in stubborn:
        _signal(process, kill=True)
    _still_running(stubborn, timeout_s=5.0)
    return len(stubborn)


def _still_running(processes: Sequence[psutil.Process], *, timeout_s: float) -> list[psutil.Process]:
    """Those that run after ``timeout_s``. psutil's own wait would reap our children and take their exit status away."""
    until = time.monotonic() + timeout_s
    running = [process for process in processes if _runs(process)]
    while running and time.monotonic() < until:
        time.sleep(0.02)
        running = [process for process in running if _runs(process)]
    return running


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _signal(process: psutil.Process, *, kill: bool) -> None:
    try:
        process.kill() if kill else process.terminate()
    except psutil.NoSuchProcess:
        return


def wait_gone(identity: ProcessIdentity, *, timeout_s: float) -> bool:
    """Waits until the process has ended. False when it still runs after ``timeout_s``."""
    until = time.monotonic() + timeout_s
    while is_alive(identity):
        if time.monotonic() >= until:
            return False
        time.sleep(0.05)
    return True
