"""``python -m serve_apps.local``: one Ray node with all applications, on loopback, until told to stop.

Prints ``READY port=…`` when every replica is up. Exit code 1 when the start fails.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
from pathlib import Path

import ray
from ray import serve

from memplane.bootstrap import load_settings
from serve_apps.applications import deploy

LOGICAL_CPUS = 4
OBJECT_STORE_BYTES = 160 * 2**20


def main() -> int:
    """Starts, serves, stops."""
    settings = load_settings()
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    # Unix sockets live under this directory and their paths must be short.
    session_dir = Path(tempfile.gettempdir()) / f"memplane-ray-{settings.http.port}"
    ray.init(
        num_cpus=LOGICAL_CPUS,
        include_dashboard=False,
        object_store_memory=OBJECT_STORE_BYTES,
        log_to_driver=False,
        namespace="memplane",
        _temp_dir=str(session_dir),
        _node_ip_address="127.0.0.1",
    )
    try:
        serve.start(proxy_location="HeadOnly", http_options={"host": settings.http.host, "port": settings.http.port})
        deploy(settings)
        print(f"READY port={settings.http.port}", flush=True)
        stopping.wait()
    finally:
        serve.shutdown()
        ray.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
