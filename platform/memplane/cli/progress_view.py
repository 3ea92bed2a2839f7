"""Progress of the start for people: one line a step, on standard error."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from memplane.adapters.local.supervisor.progress import StepEvent
from memplane.cli.output import err, tell_error

_MARKS = {"started": ("…", "cyan"), "note": ("·", "dim"), "done": ("✓", "green"), "failed": ("✗", "red")}


def show_step(event: StepEvent) -> None:
    """Prints one line of progress."""
    mark, style = _MARKS[event.state]
    took = f" ({event.took_s:.1f} s)" if event.took_s is not None else ""
    said = f": {event.message}" if event.message else ""
    err().print(Text.assemble("  ", (mark, style), f" {event.title}{said}{took}"), soft_wrap=True)


def show_failure(*, step: str, reason: str, log_file: str | None, last_lines: Sequence[str]) -> None:
    """Says which step failed, why, with the end of its log, and what to do."""
    console = err()
    for line in last_lines:
        console.print(Text(f"    | {line}", style="dim"), soft_wrap=True)
    where = f"; the whole log is {log_file}" if log_file else ""
    tell_error(
        f"the start failed at {step!r}: {reason}{where}. What had been started is stopped again; run `memplane up`"
        " once the cause is gone"
    )
