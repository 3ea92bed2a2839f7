"""Where deployments find each other. Applications start side by side, so handles are looked up on the replica."""

from __future__ import annotations

from typing import Any, Final

from ray import serve

MODELS: Final = "models"
INGEST: Final = "ingest"
RETRIEVAL: Final = "retrieval"
ADMIN: Final = "admin"


def embedder() -> Any:
    """The handle of the ``Embedder`` deployment."""
    return serve.get_deployment_handle("Embedder", app_name=MODELS)


def writer() -> Any:
    """The handle of the ``Writer`` deployment."""
    return serve.get_deployment_handle("Writer", app_name=INGEST)


def recorder() -> Any:
    """The handle of the ``Recorder`` deployment."""
    return serve.get_deployment_handle("Recorder", app_name=INGEST)
