"""The HTTP doors: the only code that knows FastAPI."""

from memplane.api.app import build_admin_app, build_ingest_app, build_retrieval_app
from memplane.api.services import AdminServices, ApiLimits, IngestServices, RetrievalServices

__all__ = [
    "AdminServices",
    "ApiLimits",
    "IngestServices",
    "RetrievalServices",
    "build_admin_app",
    "build_ingest_app",
    "build_retrieval_app",
]
