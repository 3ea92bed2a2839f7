"""What the start tells while it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

StepState = Literal["started", "note", "done", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEvent:
    """One line of progress. ``took_s`` is set when a step is done or has failed."""

    name: str
    title: str
    state: StepState
    message: str = ""
    took_s: float | None = None


Progress = Callable[[StepEvent], None]
