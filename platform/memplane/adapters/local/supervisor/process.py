"""One supervised process: started until it says ready, kept alive, stopped."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Callable
from typing import Any

import httpx

from memplane.adapters.local.supervisor.errors import StepFailedError
from memplane.adapters.local.supervisor.identity import leftovers, stop_processes
from memplane.adapters.local.supervisor.logs import RotatingLog
from memplane.adapters.local.supervisor.spawn import SpawnedCommand, describe_exit
from memplane.adapters.local.supervisor.spec import READY_WORD, Backoff, ProcessSpec
from memplane.adapters.local.supervisor.state import ProcessRecord


class SupervisedProcess:
    """Runs `ProcessSpec`. ``changed`` is called after every change of ``record``, before anything else happens."""

    def __init__(
        self, spec: ProcessSpec, *, marker: str, log: RotatingLog, backoff: Backoff, changed: Callable[[], None]
    ) -> None:
        self.spec = spec
        self.record = ProcessRecord(name=spec.name)
        self._marker = marker
        self._log = log
        self._backoff = backoff
        self._changed = changed
        self._command: SpawnedCommand | None = None
        self._ended: asyncio.Task[int] | None = None
        self._stopping = False

    async def start(self) -> None:
        """Starts the process and waits for its ready line.

        Raises: StepFailedError when it ends before, says nothing in time, or cannot be started; nothing of it is left.
        """
        ready = asyncio.Event()

        def on_line(line: str) -> None:
            self._log.write(line)
            if line.split(" ", 1)[0].strip() == READY_WORD:
                ready.set()

        self._note(state="starting")
        try:
            self._command = await SpawnedCommand.start(
                self.spec.argv, environment=self.spec.environment, marker=self._marker, on_line=on_line
            )
        except OSError as error:
            raise self._failure(f"could not be started: {error}") from error
        self._note(identity=self._command.identity)
        self._ended = asyncio.create_task(self._command.wait())
        said_ready = asyncio.create_task(ready.wait())
        try:
            await asyncio.wait(
                [self._ended, said_ready], timeout=self.spec.ready_timeout_s, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            said_ready.cancel()
        if self._ended.done():
            await self._end_family(timeout_s=2.0)
            raise self._failure(f"{describe_exit(self._ended.result())} before it was ready")
        if not ready.is_set():
            await self._end_family(timeout_s=self.spec.stop_timeout_s)
            raise self._failure(f"was not ready within {self.spec.ready_timeout_s:g} s")
        self._note(state="running")

    async def keep(self) -> None:
        """Watches the started process until `stop`; starts it anew, after a wait, whenever it ends or hangs."""
        failures = 0
        while True:
            since = time.monotonic()
            reason = await self._wait_for_trouble()
            if self._stopping:
                return
            failures = 1 if time.monotonic() - since >= self._backoff.healthy_s else failures + 1
            while not await self._restarted(reason, failures):
                failures += 1
                reason = self.record.last_exit or reason

    async def stop(self) -> None:
        """Ends the process and all that it started: SIGTERM, patience, SIGKILL."""
        self._stopping = True
        await self._end_family(timeout_s=self.spec.stop_timeout_s)
        self._note(state="stopped")

    async def _restarted(self, reason: str, failures: int) -> bool:
        delay_s = self._backoff.delay_s(failures)
        self._log.write(f"[supervisor] {self.spec.name} {reason}; starting it again in {delay_s:g} s")
        self._note(state="restarting", last_exit=reason)
        await self._end_family(timeout_s=2.0)
        await asyncio.sleep(delay_s)
        self._note(restarts=self.record.restarts + 1)
        try:
            await self.start()
        except StepFailedError as error:
            self._note(state="restarting", last_exit=error.reason)
            return False
        return True

    async def _wait_for_trouble(self) -> str:
        if self._ended is None:
            return "was not started"
        silent = 0
        async with httpx.AsyncClient(timeout=5.0, trust_env=False) as client:
            while True:
                await asyncio.wait([self._ended], timeout=self.spec.probe_interval_s)
                if self._ended.done():
                    return describe_exit(self._ended.result())
                if self.spec.probe_url is None:
                    continue
                silent = 0 if await _answers(client, self.spec.probe_url) else silent + 1
                if silent >= self.spec.probe_failures:
                    return f"did not answer its health check {silent} times in a row"

    async def _end_family(self, *, timeout_s: float) -> None:
        """The process first, alone, so that it can end its own in order; then whatever is left of its family."""
        identity = self.record.identity
        leader = identity.process() if identity is not None else None
        known = [identity] if identity is not None else []
        family = await asyncio.to_thread(leftovers, known, self._marker)
        if leader is not None:
            await asyncio.to_thread(stop_processes, [leader], timeout_s=timeout_s)
        await asyncio.to_thread(stop_processes, [member for member in family if member != leader], timeout_s=2.0)
        late = await asyncio.to_thread(leftovers, known, self._marker)
        if late:
            await asyncio.to_thread(stop_processes, late, timeout_s=1.0)
        if self._ended is not None:
            await asyncio.wait([self._ended], timeout=2.0)

    def _failure(self, reason: str) -> StepFailedError:
        return StepFailedError(
            step=self.spec.title, reason=reason, log_file=self._log.file, last_lines=tuple(self._log.last_lines)[-12:]
        )

    def _note(self, **changes: Any) -> None:
        self.record = dataclasses.replace(self.record, **changes)
        self._changed()


async def _answers(client: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await client.get(url)).status_code < 500
    except httpx.HTTPError:
        return False
