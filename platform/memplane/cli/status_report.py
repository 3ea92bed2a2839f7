"""The state of a local platform, as ``status`` and ``up`` tell it. Holds no key."""

from __future__ import annotations

from typing import Any

from memplane.adapters.local.supervisor import (
    DirectoryLock,
    RunState,
    StateFile,
    is_alive,
    leftovers,
    process_memory,
)
from memplane.cli.errors import EXIT_FAILED, EXIT_STOPPED
from memplane.cli.layout import DataLayout
from memplane.cli.private_files import read_json_object
from memplane.client import ClientError, MemoryClient, RetryPolicy

HEALTH_TIMEOUT_S = 5.0


def platform_status(layout: DataLayout) -> dict[str, Any]:
    """``{state, url, data_dir, key_file, tenant_id, processes, components, …}``; ``note`` says what is wrong."""
    run = StateFile(layout.state_file).read()
    supervised = DirectoryLock(layout.lock_file).is_held()
    processes = _processes(run, supervised=supervised)
    keys = read_json_object(layout.key_file)
    report: dict[str, Any] = {
        "state": "stopped",
        "url": run.url if run is not None else None,
        "data_dir": str(layout.root),
        "key_file": str(layout.key_file) if layout.key_file.exists() else None,
        "tenant_id": keys.get("tenant_id"),
        "started_at": run.started_at if run is not None and supervised else None,
        "supervisor": _supervisor(run) if supervised else None,
        "processes": processes,
        "components": {},
        "note": None,
    }
    if supervised and run is not None and run.phase in {"starting", "running", "stopping"}:
        _describe_running(report, run, str(keys.get("operator_key") or ""))
    elif supervised:
        report["state"] = "starting"
    elif run is not None and run.phase not in {"stopped", "failed"}:
        left = leftovers(run.identities(), f"{run.run_id}/")
        report["state"] = "degraded" if left else "stopped"
        report["note"] = (
            f"the supervisor died; {len(left)} of its processes are left: `memplane up` recovers, `memplane down` ends"
            " them"
            if left
            else "the supervisor died without stopping the platform; `memplane up` starts it again"
        )
    elif run is not None and run.phase == "failed":
        report["note"] = f"the last start failed at {run.error}; see `memplane logs`"
    return report


def exit_code(report: dict[str, Any]) -> int:
    """0 running, 3 stopped, 1 anything else."""
    return {"running": 0, "stopped": EXIT_STOPPED}.get(report["state"], EXIT_FAILED)


def _describe_running(report: dict[str, Any], run: RunState, operator_key: str) -> None:
    if run.phase != "running":
        report["state"] = "starting" if run.phase == "starting" else "degraded"
        report["note"] = f"at work: {run.step}" if run.step else "stopping" if run.phase == "stopping" else None
        return
    health = _health(run.url, operator_key)
    report["components"] = health.get("components", {})
    broken = [process["name"] for process in report["processes"] if process["state"] != "running"]
    healthy = health.get("status") == "ready" and not broken
    report["state"] = "running" if healthy else "degraded"
    if broken:
        report["note"] = f"not running: {', '.join(broken)}; see `memplane logs {broken[0]}`"
    elif not healthy:
        report["note"] = str(health.get("error") or f"health is {health.get('status')!r}; see components")


def _health(url: str, operator_key: str) -> dict[str, Any]:
    """Details of components are for operators; without a key the answer is shorter."""
    try:
        with MemoryClient(url, operator_key, timeout_s=HEALTH_TIMEOUT_S, retries=RetryPolicy(attempts=1)) as client:
            return dict(client.health())
    except ClientError as error:
        return {"status": "down", "error": str(error)}


def _supervisor(run: RunState | None) -> dict[str, Any] | None:
    memory = process_memory(run.supervisor, with_descendants=False) if run is not None else None
    if run is None or run.supervisor is None or memory is None:
        return None
    return {"pid": run.supervisor.pid, "rss_bytes": memory[0], "pss_bytes": memory[1]}


def _processes(run: RunState | None, *, supervised: bool) -> list[dict[str, Any]]:
    listed = []
    for record in run.processes if run is not None else ():
        alive = is_alive(record.identity)
        memory = process_memory(record.identity) if alive else None
        state = record.state if supervised else "orphaned" if alive else "stopped"
        listed.append(
            {
                "name": record.name,
                "pid": record.identity.pid if record.identity is not None and alive else None,
                "state": "stopped" if state == "running" and not alive else state,
                "restarts": record.restarts,
                "last_exit": record.last_exit,
                "rss_bytes": memory[0] if memory else None,
                "pss_bytes": memory[1] if memory else None,
            }
        )
    return listed
