"""The plan of the local platform: stores and model side by side, then the tables and the first tenant, then Serve."""

from __future__ import annotations

import sys

from memplane.adapters.local.supervisor import Plan, ProcessSpec, Stage, TaskSpec
from memplane.cli.layout import DataLayout
from memplane.cli.local_settings import platform_url
from memplane.cli.ray_environment import ray_environment
from memplane.settings import Settings, child_environment

SINGLE_THREADED = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


def build_plan(layout: DataLayout, settings: Settings) -> Plan:
    """What ``memplane up`` starts, from settings that `write_local_settings` made."""
    ports = {
        "http": settings.http.port,
        "clickhouse": settings.clickhouse.port,
        "milvus": int(settings.milvus.uri.rpartition(":")[2]),
    }
    # gRPC follows http_proxy even to this machine, unless told otherwise.
    common = {**SINGLE_THREADED, "PYTHONUNBUFFERED": "1", "no_grpc_proxy": "127.0.0.1,localhost"}
    environment = child_environment(layout.config_file, common)
    ray = ray_environment(token_file=layout.ray_token, temp_dir=settings.ray.temp_dir)
    url = platform_url(settings)
    stores: tuple[ProcessSpec | TaskSpec, ...] = (
        ProcessSpec(
            name="clickhouse",
            title="ClickHouse (embedded)",
            argv=_python(
                "memplane.adapters.local.clickhouse",
                *("--data-dir", str(layout.root / "clickhouse"), "--port", str(ports["clickhouse"])),
                *("--credentials-file", str(layout.clickhouse_credentials)),
            ),
            environment=environment,
            ready_timeout_s=120.0,
            stop_timeout_s=30.0,
        ),
        ProcessSpec(
            name="milvus",
            title="Milvus Lite",
            argv=_python(
                "memplane.adapters.local.milvus",
                *("--data-dir", str(layout.root / "milvus"), "--port", str(ports["milvus"])),
                *("--token-file", str(layout.milvus_token)),
            ),
            environment=environment,
            ready_timeout_s=120.0,
            stop_timeout_s=30.0,
        ),
        TaskSpec(
            name="model",
            title="embedding model",
            argv=_python("memplane.cli", "prepare", "model"),
            environment=environment,
            advice="if a package is missing, `make install` brings it",
        ),
    )
    database = TaskSpec(
        name="database",
        title="tables, index and first tenant",
        argv=_python("memplane.cli", "prepare", "database"),
        environment=environment,
        timeout_s=120.0,
    )
    serve = ProcessSpec(
        name="serve",
        title="Ray Serve applications",
        argv=_python("serve_apps.local"),
        environment={**environment, **ray},
        ready_timeout_s=180.0,
        stop_timeout_s=30.0,
        probe_url=f"{url}/v1/health/live",
    )
    return Plan(
        stages=(Stage(members=stores), Stage(members=(database,)), Stage(members=(serve,))),
        log_dir=layout.logs,
        state_file=layout.state_file,
        run_id=layout.run_id,
        url=url,
        ports=ports,
    )


def _python(module: str, *arguments: str) -> tuple[str, ...]:
    # -P: a folder named like one of ours in the caller's directory must not stand in for the installed one.
    return (sys.executable, "-P", "-m", module, *arguments)
