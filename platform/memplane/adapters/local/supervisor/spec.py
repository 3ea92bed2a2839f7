"""What to run: values that describe processes, one-shot tasks, and their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

READY_WORD = "READY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Waits between restarts: ``first_s``, doubled up to ``most_s``; forgotten after ``healthy_s`` of good work."""

    first_s: float = 1.0
    most_s: float = 30.0
    healthy_s: float = 60.0

    def delay_s(self, failures: int) -> float:
        """The wait before the restart that follows the ``failures``-th failure in a row (1-based)."""
        return float(min(self.most_s, self.first_s * 2 ** min(failures - 1, 30)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessSpec:
    """A process that runs as long as the platform does, and says ``READY …`` on its standard output once it serves."""

    name: str
    """Short and stable: the log file and the state carry it."""
    title: str
    """What a person reads in a progress line."""
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    ready_timeout_s: float = 60.0
    stop_timeout_s: float = 10.0
    """How long it may take to end by itself after SIGTERM."""
    probe_url: str | None = None
    """Asked with GET while it runs; any HTTP answer below 500 counts as life."""
    probe_interval_s: float = 5.0
    probe_failures: int = 8
    """After so many failures in a row the process is taken for hung and started anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpec:
    """A command that runs once during the start and must end with 0. Its lines ``STEP …`` are told as progress."""

    name: str
    title: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    timeout_s: float = 600.0
    advice: str = ""
    """What a person should do when it fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Things that start side by side; the next stage begins when all of them are ready or done."""

    members: tuple[ProcessSpec | TaskSpec, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All stages, in the order of the start. Processes are stopped in the reverse order."""

    stages: tuple[Stage, ...]
    log_dir: Path
    state_file: Path
    run_id: str
    url: str
    ports: Mapping[str, int] = field(default_factory=dict)
    backoff: Backoff = field(default_factory=Backoff)
    recover_timeout_s: float = 10.0
    """How long processes of an earlier run may take to end by themselves."""
