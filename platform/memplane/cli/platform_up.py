"""``memplane up``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Annotated, Any

import orjson
import typer
from rich.text import Text

from memplane.adapters.local.supervisor import AlreadyRunningError, DirectoryLock, StepFailedError
from memplane.adapters.local.supervisor.progress import StepEvent
from memplane.cli.context import DataDirOption, JsonOption, connection_of, layout_of
from memplane.cli.errors import EXIT_FAILED, CliError
from memplane.cli.layout import DataLayout
from memplane.cli.output import err, note, out, print_json
from memplane.cli.private_files import read_json_object
from memplane.cli.progress_view import show_failure, show_step
from memplane.cli.status_report import exit_code, platform_status
from memplane.cli.status_view import print_status
from memplane.cli.supervise import failure_fields, run_platform
from memplane.settings import load_settings

WAIT_FOR_OTHER_S = 240.0
STOP_WAIT_S = 60.0
SETTLE_S = 10.0
"""How long components may take to call themselves ready after the last process has."""


def up(
    ctx: typer.Context,
    *,
    detach: Annotated[bool, typer.Option("--detach", "-d", help="Return once the platform is ready.")] = False,
    data_dir: DataDirOption = None,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="HTTP port. Default: the setting http.port, else 8700 or a free one."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Start the local platform: ClickHouse, Milvus Lite, and one Ray node with the applications.

    Without --detach it stays in the foreground until Ctrl-C. The first start makes a tenant and its keys, prints them
    once, and keeps them in a file that only you can read.

    Examples: memplane up --detach · memplane up --data-dir /var/lib/memplane --port 9000
    """
    load_settings()  # wrong ones are told before anything is made
    layout = layout_of(connection_of(ctx, data_dir=data_dir))
    if DirectoryLock(layout.lock_file).is_held():
        _tell_running(layout, as_json=as_json)
    elif detach:
        _start_detached(layout, port, as_json=as_json)
    else:
        _run_here(layout, port, as_json=as_json)


def _run_here(layout: DataLayout, port: int | None, *, as_json: bool) -> None:
    note(f"starting memplane in {layout.root}")

    def ready() -> None:
        _tell_ready(layout, as_json=as_json, hint="Ctrl-C stops it")

    try:
        run_platform(layout, http_port=port, progress=show_step, ready=ready)
    except AlreadyRunningError:
        _tell_running(layout, as_json=as_json)
    except StepFailedError as error:
        show_failure(**failure_fields(error))
        raise typer.Exit(EXIT_FAILED) from error
    note("memplane is stopped")


def _start_detached(layout: DataLayout, port: int | None, *, as_json: bool) -> None:
    layout.create()
    note(f"starting memplane in {layout.root}")
    read_end, write_end = os.pipe()
    argv = [sys.executable, "-P", "-m", "memplane.cli", "supervise", "--data-dir", str(layout.root)]
    argv += ["--progress-fd", str(write_end), *(["--port", str(port)] if port is not None else [])]
    log = os.open(layout.supervisor_log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    supervisor = subprocess.Popen(  # noqa: S603  our own module
        argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=(write_end,), start_new_session=True
    )
    os.close(write_end)
    os.close(log)
    try:
        last = _follow(read_end)
    except KeyboardInterrupt:
        note("stopping what was started")
        supervisor.send_signal(signal.SIGTERM)
        supervisor.wait(STOP_WAIT_S)
        raise
    if last.get("ready"):
        state = _tell_ready(layout, as_json=as_json, hint=f"stop it: {_down_command(layout)}")
        raise typer.Exit(state)
    if last.get("running"):
        _tell_running(layout, as_json=as_json)
    else:
        lost = {
            "step": "supervisor",
            "reason": "it ended without a word",
            "log_file": str(layout.supervisor_log),
            "last_lines": [],
        }
        supervisor.wait(STOP_WAIT_S)
        show_failure(**(last.get("failed") or lost))
        raise typer.Exit(EXIT_FAILED)


def _follow(descriptor: int) -> dict[str, Any]:
    """Shows the steps that come through the pipe; returns the last message, which is empty if there was none."""
    with os.fdopen(descriptor, "rb") as pipe:
        for line in pipe:
            message: dict[str, Any] = orjson.loads(line)
            if "event" not in message:
                return message
            show_step(StepEvent(**message["event"]))
    return {}


def _tell_ready(layout: DataLayout, *, as_json: bool, hint: str) -> int:
    """Prints the state of the platform that has just come up; returns the exit code that goes with it."""
    until = time.monotonic() + SETTLE_S
    report = platform_status(layout)
    while report["state"] != "running" and time.monotonic() < until:
        time.sleep(0.25)
        report = platform_status(layout)
    if as_json:
        print_json(report)
        return exit_code(report)
    print_status(out(), report)
    keys = read_json_object(layout.key_file)
    if keys and not layout.keys_shown.exists():
        layout.keys_shown.touch(mode=0o600)
        out().print(
            Text(f"\n  Shown this once; they stay in {layout.key_file}, which only you can read:"), soft_wrap=True
        )
        out().print(Text(f"  agent key     {keys.get('agent_key')}"), soft_wrap=True)
        out().print(Text(f"  operator key  {keys.get('operator_key')}"), soft_wrap=True)
    out().print(Text(f"\n  API docs: {report['url']}/v1/docs · {hint}"), soft_wrap=True)
    return exit_code(report)


def _tell_running(layout: DataLayout, *, as_json: bool) -> None:
    """A second ``up``: says so, waits while the first one is starting, and ends with 0 if it is healthy."""
    until = time.monotonic() + WAIT_FOR_OTHER_S
    report = platform_status(layout)
    if report["state"] == "starting":
        note(f"memplane is already being started in {layout.root}; waiting for it")
    while report["state"] == "starting" and time.monotonic() < until:
        time.sleep(0.5)
        report = platform_status(layout)
    if report["state"] == "stopped":
        raise CliError(
            f"the platform in {layout.root} stopped while it was being started: {report['note'] or 'see logs'}"
        )
    err().print(Text(f"memplane is already running in {layout.root}: {report['url']}"), soft_wrap=True)
    if as_json:
        print_json(report)
    else:
        print_status(out(), report)
    raise typer.Exit(exit_code(report))


def _down_command(layout: DataLayout) -> str:
    return f"memplane down --data-dir {layout.root}"
