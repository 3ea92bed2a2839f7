"""The applications as Serve runs them: which deployments, how many, how long they may take, under which prefix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ray import serve

from memplane.bootstrap import Settings
from memplane.bootstrap.leases import find_lease_actor
from serve_apps.admin import Admin
from serve_apps.handles import ADMIN, INGEST, MODELS, RETRIEVAL
from serve_apps.ingest import Ingest
from serve_apps.models import Embedder
from serve_apps.recorder import Recorder
from serve_apps.retrieval import Retriever
from serve_apps.writer import Writer

REPLICA_CPUS: Final = 0.1
DEFAULT_ROUTING: Final[Mapping[str, Any]] = {}
# A scope's writes go to one replica: affinity for its caches, never a lock (the lease is).
SCOPE_AFFINITY: Final[Mapping[str, Any]] = {
    "request_router_class": "ray.serve.experimental.consistent_hash_router:ConsistentHashRouter",
    "request_router_kwargs": {"num_fallback_replicas": 0},
}


def deploy(settings: Settings) -> None:
    """Deploys all applications at once and waits until their replicas are up.

    Raises: RuntimeError when a replica fails to start.
    """
    find_lease_actor()  # starts beside the Writers, which wait for it
    models = _deployment(Embedder, replicas=settings.embedding.replicas, max_ongoing_requests=256)
    writer = _deployment(
        Writer,
        replicas=settings.ingest.writers,
        max_ongoing_requests=10_000,
        graceful_shutdown_timeout_s=15,
        routing=SCOPE_AFFINITY,
    )
    ingest = _deployment(Ingest, replicas=settings.ingest.replicas, graceful_shutdown_timeout_s=15)
    recorder = _deployment(Recorder, replicas=1)
    retriever = _deployment(Retriever, replicas=settings.retrieval.replicas)
    # One replica: it alone makes tenants, and two at once could make one twice.
    admin = _deployment(Admin, replicas=1)
    serve.run_many(
        [
            serve.RunTarget(models.bind(), name=MODELS, route_prefix=None),
            serve.RunTarget(ingest.bind(writer.bind(), recorder.bind()), name=INGEST, route_prefix="/v1"),
            serve.RunTarget(retriever.bind(), name=RETRIEVAL, route_prefix="/v1/recall"),
            serve.RunTarget(admin.bind(), name=ADMIN, route_prefix="/admin"),
        ]
    )


def _deployment(
    kind: type[Any],
    *,
    replicas: int,
    max_ongoing_requests: int = 1_000,
    graceful_shutdown_timeout_s: float = 5,
    routing: Mapping[str, Any] = DEFAULT_ROUTING,
) -> Any:
    return serve.deployment(
        kind,
        name=kind.__name__,
        num_replicas=replicas,
        max_ongoing_requests=max_ongoing_requests,
        graceful_shutdown_timeout_s=graceful_shutdown_timeout_s,
        health_check_period_s=5,
        ray_actor_options={"num_cpus": REPLICA_CPUS},
        request_router_config=dict(routing),
    )
