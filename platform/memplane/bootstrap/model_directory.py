"""The embedding model on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from memplane.adapters.models.build import build_model
from memplane.adapters.models.manifest import read_manifest
from memplane.domain.generations import EmbeddingSpec
from memplane.settings import Settings

Progress = Callable[[str], None]


async def ensure_model(settings: Settings, *, progress: Progress | None = None) -> EmbeddingSpec:
    """Builds the packaged embedding model into ``embedding.model_dir`` unless it is there. Returns: its identity."""
    await asyncio.to_thread(build_model, settings.embedding.model_dir, progress=progress)
    return read_manifest(settings.embedding.model_dir).spec
