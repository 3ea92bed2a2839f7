"""``python -m serve_apps.local``: one Ray node with all applications, on loopback, until told to stop.

Prints ``READY port=…`` when every replica is up. Exit code 1 when the start fails.
"""

from __future__ import annotations

import signal
import sys
import threading

import ray
from ray import serve

from memplane.bootstrap import load_settings
from serve_apps.applications import deploy


def main() -> int:
    """Starts, serves, stops."""
    settings = load_settings()
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    ray.init(
        num_cpus=settings.ray.num_cpus,
        include_dashboard=False,
        object_store_memory=settings.ray.object_store_bytes,
        log_to_driver=False,
        namespace="memplane",
        _temp_dir=str(settings.ray.temp_dir),
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
