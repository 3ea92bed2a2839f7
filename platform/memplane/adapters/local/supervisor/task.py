"""One command that runs once during the start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from memplane.adapters.local.supervisor.errors import StepFailedError
from memplane.adapters.local.supervisor.identity import leftovers, stop_processes
from memplane.adapters.local.supervisor.logs import RotatingLog
from memplane.adapters.local.supervisor.spawn import SpawnedCommand, describe_exit
from memplane.adapters.local.supervisor.spec import TaskSpec

STEP_WORD = "STEP"


async def run_task(spec: TaskSpec, *, marker: str, log: RotatingLog, note: Callable[[str], None]) -> None:
    """Runs the command to its end; lines ``STEP text`` go to ``note``. Nothing of it is left afterwards.

    Raises: StepFailedError when it cannot be started, fails, or takes longer than its time.
    """

    def on_line(line: str) -> None:
        log.write(line)
        word, _, text = line.partition(" ")
        if word == STEP_WORD and text:
            note(text)

    def failure(reason: str) -> StepFailedError:
        advice = f" ({spec.advice})" if spec.advice else ""
        return StepFailedError(
            step=spec.title, reason=reason + advice, log_file=log.file, last_lines=tuple(log.last_lines)[-12:]
        )

    try:
        command = await SpawnedCommand.start(spec.argv, environment=spec.environment, marker=marker, on_line=on_line)
    except OSError as error:
        raise failure(f"could not be started: {error}") from error
    try:
        status = await asyncio.wait_for(command.wait(), timeout=spec.timeout_s)
    except TimeoutError as error:
        raise failure(f"was not done within {spec.timeout_s:g} s") from error
    finally:
        stop_processes(leftovers([command.identity], marker), timeout_s=2.0)
    if status != 0:
        raise failure(describe_exit(status))
