"""Environment of the Ray node on a small machine: few idle workers, no reports, a token."""

from __future__ import annotations

from pathlib import Path


def ray_environment(*, token_file: Path, temp_dir: Path) -> dict[str, str]:
    """Variables for the process that starts Ray, and for all that Ray starts."""
    return {
        # Workers too must not import from the directory where the platform was started.
        "PYTHONSAFEPATH": "1",
        # Ray would run workers at niceness 15, behind everything else on the machine; ours are what it is there for.
        "RAY_worker_niceness": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(token_file),
        "RAY_TMPDIR": str(temp_dir),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_DISABLE_DASHBOARD_LOG_INFO": "1",
        "RAY_SERVE_LOG_TO_STDERR": "0",
        # A worker costs 70 MiB: none is started before it is needed, and idle ones go after a second.
        "RAY_prestart_worker_first_driver": "0",
        "RAY_enable_worker_prestart": "0",
        "RAY_num_workers_soft_limit": "2",
        "RAY_idle_worker_killing_time_threshold_ms": "1000",
        "RAY_worker_register_timeout_seconds": "180",
        # Reports that nobody reads on one machine.
        "RAY_task_events_report_interval_ms": "0",
        "RAY_event_stats": "0",
        "RAY_metrics_report_interval_ms": "10000",
        "RAY_memory_usage_threshold": "0.98",
        # More often is idle CPU; the controller notices a change within half a second.
        "RAY_SERVE_CONTROL_LOOP_INTERVAL_S": "0.5",
    }
