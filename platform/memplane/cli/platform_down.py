"""``memplane down``."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from memplane.adapters.local.supervisor import (
    AlreadyRunningError,
    DirectoryLock,
    RunState,
    StateFile,
    is_alive,
    leftovers,
    stop_processes,
)
from memplane.adapters.local.supervisor.identity import wait_gone
from memplane.cli.context import DataDirOption, connection_of, layout_of
from memplane.cli.errors import CliError
from memplane.cli.output import note
from memplane.cli.ray_directory import remove_ray_directory


def down(
    ctx: typer.Context,
    *,
    data_dir: DataDirOption = None,
    timeout: Annotated[float, typer.Option(min=0.0, help="Seconds to wait before processes are killed.")] = 60.0,
) -> None:
    """Stop the local platform: only what its `up` started. The data stays.

    Example: memplane down --timeout 10
    """
    layout = layout_of(connection_of(ctx, data_dir=data_dir))
    run = StateFile(layout.state_file).read()
    if run is None:
        note(f"no platform was started in {layout.root}")
        return
    was_running = is_alive(run.supervisor)
    if was_running:
        note("stopping memplane")
        _stop_supervisor(run, timeout)
    lock = DirectoryLock(layout.lock_file)
    try:
        lock.acquire()  # so that no new `up` begins while leftovers are being ended
    except AlreadyRunningError as error:
        raise CliError(
            f"another `memplane up` has begun in {layout.root}; run `memplane down` again to stop it too"
        ) from error
    try:
        left = leftovers(run.identities(), f"{layout.run_id}/")
        if left:
            note(f"ending {len(left)} processes that are left")
            stop_processes(left, timeout_s=min(timeout, 10.0))
        if run.phase not in {"stopped", "failed"}:
            _mark_stopped(StateFile(layout.state_file))
        remove_ray_directory(layout)
    finally:
        lock.release()
    note("memplane is stopped" if was_running or left else f"memplane was not running in {layout.root}")


def _mark_stopped(file: StateFile) -> None:
    """Corrects a state that its supervisor could not."""
    run = file.read()
    if run is not None and run.phase not in {"stopped", "failed"}:
        records = tuple(dataclasses.replace(record, state="stopped") for record in run.processes)
        file.write(dataclasses.replace(run, phase="stopped", supervisor=None, processes=records))


def _stop_supervisor(run: RunState, timeout_s: float) -> None:
    supervisor = run.supervisor
    process = supervisor.process() if supervisor is not None else None
    if supervisor is None or process is None:
        return
    process.terminate()
    if not wait_gone(supervisor, timeout_s=timeout_s):
        note(f"the supervisor has not stopped within {timeout_s:g} s and is killed")
        stop_processes([process], timeout_s=0.0)
