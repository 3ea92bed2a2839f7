"""Starts one command under supervision: a session of its own, its output as lines, its end tied to ours."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from memplane.adapters.local.supervisor.identity import RUN_MARKER, ProcessIdentity

_LAUNCHER = Path(__file__).with_name("launch.py")
_LONGEST_LINE_BYTES = 2**16
_DRAIN_S = 0.5


class SpawnedCommand:
    """A running command whose output goes, line by line, to ``on_line``.

    The pipe is ours, not asyncio's, because a descendant may keep it open after the command itself has ended.
    """

    def __init__(
        self, process: asyncio.subprocess.Process, identity: ProcessIdentity, pump: asyncio.Task[None]
    ) -> None:
        self.identity = identity
        self._process = process
        self._pump = pump

    @classmethod
    async def start(
        cls, argv: tuple[str, ...], *, environment: Mapping[str, str], marker: str, on_line: Callable[[str], None]
    ) -> SpawnedCommand:
        """Starts ``argv``; call it from the main thread, whose end ends the command. Raises: OSError."""
        read_end, write_end = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(_LAUNCHER), str(os.getpid()), *argv),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=write_end,
                stderr=asyncio.subprocess.STDOUT,
                env={**environment, RUN_MARKER: marker},
                start_new_session=True,
            )
        except OSError:
            os.close(read_end)
            raise
        finally:
            os.close(write_end)
        identity = ProcessIdentity.of(process.pid) or ProcessIdentity(pid=process.pid, create_time=0.0)
        return cls(process, identity, asyncio.create_task(_pump_lines(read_end, on_line)))

    async def wait(self) -> int:
        """Waits for the end; returns the exit status, negative for a signal. The output is complete then."""
        status = await self._process.wait()
        await asyncio.wait([self._pump], timeout=_DRAIN_S)
        self._pump.cancel()
        return status


async def _pump_lines(descriptor: int, on_line: Callable[[str], None]) -> None:
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0)
    )
    pending = b""
    try:
        while chunk := await reader.read(_LONGEST_LINE_BYTES):
            *lines, pending = (pending + chunk).split(b"\n")
            if len(pending) > _LONGEST_LINE_BYTES:
                lines, pending = [*lines, pending], b""
            for line in lines:
                on_line(line.decode("utf-8", errors="replace").rstrip("\r"))
        if pending:
            on_line(pending.decode("utf-8", errors="replace"))
    finally:
        transport.close()


def describe_exit(status: int) -> str:
    """An exit status in words."""
    return f"ended by signal {-status}" if status < 0 else f"ended with exit status {status}"
