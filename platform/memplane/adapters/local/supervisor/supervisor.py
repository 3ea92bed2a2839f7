"""The supervisor: starts the stages of a plan, keeps their processes, and stops them in the reverse order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from memplane.adapters.local.supervisor.errors import StepFailedError
from memplane.adapters.local.supervisor.identity import ProcessIdentity, leftovers, stop_processes
from memplane.adapters.local.supervisor.logs import RotatingLog
from memplane.adapters.local.supervisor.process import SupervisedProcess
from memplane.adapters.local.supervisor.progress import Progress, StepEvent, StepState
from memplane.adapters.local.supervisor.spec import Plan, ProcessSpec, TaskSpec
from memplane.adapters.local.supervisor.state import RunPhase, RunState, StateFile
from memplane.adapters.local.supervisor.task import run_task


class Supervisor:
    """Runs one plan. Whoever builds it holds the directory's lock."""

    def __init__(self, plan: Plan, *, supervisor: ProcessIdentity, progress: Progress) -> None:
        self._plan = plan
        self._me = supervisor
        self._progress = progress
        self._state_file = StateFile(plan.state_file)
        self._stop = asyncio.Event()
        self._phase: RunPhase = "starting"
        self._step = ""
        self._error: str | None = None
        self._started_at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._logs: dict[str, RotatingLog] = {}
        self._processes = {
            member.name: self._supervised(member)
            for stage in plan.stages
            for member in stage.members
            if isinstance(member, ProcessSpec)
        }

    def request_stop(self) -> None:
        """Asks `run` to stop everything and return. Safe to call from a signal handler of the loop."""
        self._stop.set()

    async def run(self, *, ready: Callable[[], None]) -> None:
        """Ends what an earlier run left, starts all, calls ``ready``, and returns after `request_stop` has been obeyed.

        Raises: StepFailedError when the start fails; everything that was started has been ended then.
        """
        keepers: list[asyncio.Task[None]] = []
        start = asyncio.create_task(self._start(keepers))
        stop = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait([start, stop], return_when=asyncio.FIRST_COMPLETED)
            if start.done():
                start.result()
                self._enter("running")
                ready()
                await asyncio.wait([stop, *keepers], return_when=asyncio.FIRST_COMPLETED)
                for keeper in keepers:
                    if keeper.done():
                        keeper.result()  # a keeper ends only by a fault of its own: it becomes ours
        except StepFailedError as error:
            self._error = f"{error.step}: {error.reason}"
            raise
        finally:
            await _cancelled([start, stop, *keepers])
            await self._stop_all()

    async def _start(self, keepers: list[asyncio.Task[None]]) -> None:
        await self._recover()
        self._save()
        for stage in self._plan.stages:
            try:
                async with asyncio.TaskGroup() as group:
                    for member in stage.members:
                        group.create_task(self._start_member(member, keepers))
            except* StepFailedError as failed:
                raise _first(failed) from None

    async def _start_member(self, member: ProcessSpec | TaskSpec, keepers: list[asyncio.Task[None]]) -> None:
        began = time.monotonic()
        self._step = member.title
        self._tell(member, "started", "")
        try:
            if isinstance(member, ProcessSpec):
                process = self._processes[member.name]
                await process.start()
                keepers.append(asyncio.create_task(process.keep()))
            else:
                await run_task(
                    member,
                    marker=self._marker(member.name),
                    log=self._log(member.name),
                    note=lambda text: self._tell(member, "note", text),
                )
        except StepFailedError as error:
            self._tell(member, "failed", error.reason, time.monotonic() - began)
            raise
        self._tell(member, "done", "", time.monotonic() - began)

    async def _recover(self) -> None:
        """Ends processes of an earlier supervisor that died without stopping them."""
        earlier = self._state_file.read()
        known = earlier.identities() if earlier is not None else []
        left = await asyncio.to_thread(leftovers, known, f"{self._plan.run_id}/")
        if left:
            title = "processes of an earlier run"
            self._progress(StepEvent(name="recover", title=title, state="started", message=f"ending {len(left)}"))
            await asyncio.to_thread(stop_processes, left, timeout_s=self._plan.recover_timeout_s)
            self._progress(StepEvent(name="recover", title=title, state="done"))

    async def _stop_all(self) -> None:
        self._enter("stopping")
        for stage in reversed(self._plan.stages):
            names = [member.name for member in stage.members if isinstance(member, ProcessSpec)]
            await asyncio.gather(*(self._processes[name].stop() for name in names))
        self._enter("failed" if self._error else "stopped")
        for log in self._logs.values():
            log.close()

    def _supervised(self, spec: ProcessSpec) -> SupervisedProcess:
        return SupervisedProcess(
            spec,
            marker=self._marker(spec.name),
            log=self._log(spec.name),
            backoff=self._plan.backoff,
            changed=self._save,
        )

    def _marker(self, name: str) -> str:
        return f"{self._plan.run_id}/{name}"

    def _log(self, name: str) -> RotatingLog:
        if name not in self._logs:
            self._logs[name] = RotatingLog(self._plan.log_dir / f"{name}.log")
        return self._logs[name]

    def _tell(
        self, member: ProcessSpec | TaskSpec, state: StepState, message: str, took_s: float | None = None
    ) -> None:
        self._progress(StepEvent(name=member.name, title=member.title, state=state, message=message, took_s=took_s))

    def _enter(self, phase: RunPhase) -> None:
        self._phase = phase
        if phase != "failed":
            self._step = ""
        self._save()

    def _save(self) -> None:
        over = self._phase in {"stopped", "failed"}
        self._state_file.write(
            RunState(
                run_id=self._plan.run_id,
                phase=self._phase,
                supervisor=None if over else self._me,
                url=self._plan.url,
                ports=dict(self._plan.ports),
                started_at=self._started_at,
                step=self._step,
                error=self._error,
                processes=tuple(process.record for process in self._processes.values()),
            )
        )


async def _cancelled(tasks: Sequence[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _first(group: BaseExceptionGroup[StepFailedError]) -> StepFailedError:
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    if not isinstance(found, StepFailedError):
        raise TypeError(f"not a failed step: {found!r}")
    return found
