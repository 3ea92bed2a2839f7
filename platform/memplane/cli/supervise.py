"""Runs the supervisor of a local platform, in the foreground or behind a detached ``memplane up``.

A detached one tells its parent how the start goes, as JSON lines on a pipe: ``{"event": {…}}`` for each step, and at
the end ``{"ready": true}``, ``{"running": true}`` (another one was first) or ``{"failed": {…}}``.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from memplane.adapters.local.supervisor import (
    AlreadyRunningError,
    DirectoryLock,
    Plan,
    ProcessIdentity,
    StepFailedError,
    Supervisor,
)
from memplane.adapters.local.supervisor.progress import Progress, StepEvent
from memplane.cli.errors import EXIT_FAILED, CliError
from memplane.cli.layout import DataLayout
from memplane.cli.local_plan import build_plan
from memplane.cli.local_settings import write_local_settings
from memplane.cli.ray_directory import open_ray_directory, remove_ray_directory
from memplane.settings import Settings, load_settings


def run_platform(
    layout: DataLayout,
    *,
    http_port: int | None,
    progress: Progress,
    ready: Callable[[], None],
    plan_of: Callable[[DataLayout, Settings], Plan] = build_plan,
) -> None:
    """Starts the platform, calls ``ready``, and returns after SIGTERM, SIGINT or SIGHUP has stopped it.

    ``plan_of`` says what to run. Raises: AlreadyRunningError, StepFailedError, CliError; nothing that was started is
    left then.
    """
    layout.create()
    lock = DirectoryLock(layout.lock_file)
    lock.acquire()
    try:
        settings = write_local_settings(layout, load_settings(), http_port=http_port)
        open_ray_directory(layout)
        me = ProcessIdentity.of(os.getpid())
        if me is None:
            raise CliError("the process list is not readable, so processes cannot be supervised; is /proc mounted?")
        supervisor = Supervisor(plan_of(layout, settings), supervisor=me, progress=progress)
        asyncio.run(_until_stopped(supervisor, ready))
        remove_ray_directory(layout)  # not after a failure, which the logs in it may explain
    finally:
        lock.release()


async def _until_stopped(supervisor: Supervisor, ready: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, supervisor.request_stop)
    await supervisor.run(ready=ready)


class ParentPipe:
    """Lines to the ``memplane up`` that waits. It may go away first: then nobody is told any more."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def tell(self, message: dict[str, Any]) -> None:
        """Sends one message."""
        if self._descriptor is None:
            return
        try:
            os.write(self._descriptor, orjson.dumps(message) + b"\n")
        except OSError:
            self.close()

    def close(self) -> None:
        """Tells the parent that nothing follows."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def supervise(
    data_dir: Annotated[Path, typer.Option("--data-dir")],
    progress_fd: Annotated[int, typer.Option("--progress-fd")],
    port: Annotated[int | None, typer.Option("--port")] = None,
) -> None:
    """The detached supervisor; started by `memplane up --detach` only."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    parent = ParentPipe(progress_fd)

    def progress(event: StepEvent) -> None:
        sys.stdout.write(f"{event.state} {event.title} {event.message}\n")
        sys.stdout.flush()
        parent.tell({"event": dataclasses.asdict(event)})

    def ready() -> None:
        parent.tell({"ready": True})
        parent.close()

    try:
        run_platform(DataLayout.at(data_dir), http_port=port, progress=progress, ready=ready)
    except AlreadyRunningError:
        parent.tell({"running": True})
    except StepFailedError as error:
        parent.tell({"failed": failure_fields(error)})
        raise typer.Exit(EXIT_FAILED) from error
    except (CliError, OSError, ValueError) as error:
        parent.tell({"failed": {"step": "set-up", "reason": str(error), "log_file": None, "last_lines": []}})
        raise


def failure_fields(error: StepFailedError) -> dict[str, Any]:
    """A failed step as JSON values."""
    log_file = str(error.log_file) if error.log_file is not None else None
    return {"step": error.step, "reason": error.reason, "log_file": log_file, "last_lines": list(error.last_lines)}
