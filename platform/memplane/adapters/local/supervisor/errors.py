"""What can go wrong while the platform is started."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class AlreadyRunningError(Exception):
    """Another supervisor holds the lock of this data directory."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(f"a platform is already running on {str(data_dir)!r}")
        self.data_dir = data_dir


class StepFailedError(Exception):
    """One step of the start failed: which, why, the last lines of its log, and where the log is."""

    def __init__(self, *, step: str, reason: str, log_file: Path | None = None, last_lines: Sequence[str] = ()) -> None:
        super().__init__(f"{step}: {reason}")
        self.step = step
        self.reason = reason
        self.log_file = log_file
        self.last_lines = tuple(last_lines)
