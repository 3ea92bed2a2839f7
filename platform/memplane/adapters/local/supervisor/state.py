"""The state file: what runs, told to everyone who asks, and what is needed to end it when its supervisor is gone."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import orjson

from memplane.adapters.local.supervisor.identity import ProcessIdentity

ProcessPhase = Literal["waiting", "starting", "running", "restarting", "stopped"]
RunPhase = Literal["starting", "running", "stopping", "stopped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessRecord:
    """One supervised process."""

    name: str
    state: ProcessPhase = "waiting"
    identity: ProcessIdentity | None = None
    restarts: int = 0
    """Starts after the first one since ``up``."""
    last_exit: str | None = None
    """How its last run ended, for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """One run of the platform, from ``up`` to ``down``."""

    run_id: str
    phase: RunPhase
    supervisor: ProcessIdentity | None
    url: str
    ports: dict[str, int] = field(default_factory=dict)
    started_at: str = ""
    """RFC 3339, UTC."""
    step: str = ""
    """The step at work while the phase is ``starting``; the one that failed when it is ``failed``."""
    error: str | None = None
    processes: tuple[ProcessRecord, ...] = ()

    def identities(self) -> list[ProcessIdentity]:
        """Every recorded process but the supervisor."""
        return [record.identity for record in self.processes if record.identity is not None]


class StateFile:
    """Reads and replaces the state file (0600) as a whole, so that no reader sees half of it."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def write(self, state: RunState) -> None:
        """Replaces the file."""
        draft = self.file.with_suffix(".new")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(orjson.dumps(dataclasses.asdict(state), option=orjson.OPT_INDENT_2))
        draft.replace(self.file)

    def read(self) -> RunState | None:
        """The state, or ``None`` when there is none or it is not readable as one."""
        try:
            data = orjson.loads(self.file.read_bytes())
            return _run_state(data)
        except (FileNotFoundError, orjson.JSONDecodeError, KeyError, TypeError):
            return None


def _identity(data: dict[str, Any] | None) -> ProcessIdentity | None:
    return None if data is None else ProcessIdentity(**data)


def _run_state(data: dict[str, Any]) -> RunState:
    processes = tuple(
        ProcessRecord(**{**record, "identity": _identity(record["identity"])}) for record in data["processes"]
    )
    return RunState(**{**data, "supervisor": _identity(data["supervisor"]), "processes": processes})
