"""The composition root: settings in, running parts out. The only package that knows every other."""

from memplane.bootstrap.admin import AdminRuntime
from memplane.bootstrap.ingest import IngestRuntime
from memplane.bootstrap.models import EmbedderRuntime
from memplane.bootstrap.recorder import RecorderRuntime
from memplane.bootstrap.retrieval import RetrievalRuntime
from memplane.bootstrap.setup import ensure_default_tenant, ensure_generation, ensure_model, migrate_database
from memplane.bootstrap.writer import WriterRuntime
from memplane.settings import Settings, load_settings

__all__ = [
    "AdminRuntime",
    "EmbedderRuntime",
    "IngestRuntime",
    "RecorderRuntime",
    "RetrievalRuntime",
    "Settings",
    "WriterRuntime",
    "ensure_default_tenant",
    "ensure_generation",
    "ensure_model",
    "load_settings",
    "migrate_database",
]
