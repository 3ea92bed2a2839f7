"""The state of a platform for people."""

from __future__ import annotations

from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

_COLOURS = {"running": "green", "starting": "yellow", "degraded": "yellow", "stopped": "red"}


def print_status(console: Console, report: dict[str, Any]) -> None:
    """Prints a report of `platform_status`."""
    console.print(_view(report))


def _view(report: dict[str, Any]) -> RenderableType:
    state = str(report["state"])
    parts: list[RenderableType] = [Text.assemble("memplane is ", (state, f"bold {_COLOURS.get(state, 'white')}"))]
    if report["note"]:
        parts.append(Text(f"  {report['note']}"))
    for label, key in (("url", "url"), ("data", "data_dir"), ("key file", "key_file"), ("tenant", "tenant_id")):
        if report[key]:
            parts.append(Text(f"  {label:9} {report[key]}", overflow="fold"))
    if report["processes"]:
        parts.append(_process_table(report["processes"], report["supervisor"]))
    for name, component in report["components"].items():
        latency = component.get("latency_ms")
        said = f" ({latency:.0f} ms)" if isinstance(latency, int | float) else ""
        parts.append(Text(f"  {name:12} {component.get('status')}{said}"))
    return Group(*parts)


def _process_table(processes: list[dict[str, Any]], supervisor: dict[str, Any] | None) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for column in ("  process", "pid", "state", "restarts", "PSS MiB", "RSS MiB"):
        table.add_column(column, justify="left" if column in {"  process", "state"} else "right")
    rows = list(processes)
    if supervisor is not None:
        rows.append({"name": "supervisor", "state": "running", "restarts": "", **supervisor})
    total = {name: sum(row[name] or 0 for row in rows) for name in ("pss_bytes", "rss_bytes")}
    rows.append({"name": "together", "pid": "", "state": "", "restarts": "", **total})
    for row in rows:
        pid = "-" if row["pid"] is None else str(row["pid"])
        sizes = (_mebibytes(row["pss_bytes"]), _mebibytes(row["rss_bytes"]))
        table.add_row(f"  {row['name']}", pid, row["state"], str(row["restarts"]), *sizes)
    return table


def _mebibytes(size_bytes: int | None) -> str:
    return "-" if size_bytes is None else f"{size_bytes / 2**20:.0f}"
