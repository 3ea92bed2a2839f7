"""The embedder of one replica."""

from __future__ import annotations

from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.models.batching import BatchingEmbedder
from memplane.adapters.models.onnx_engine import OnnxEmbeddingEngine
from memplane.domain.context import CallContext
from memplane.domain.generations import EmbeddingSpec
from memplane.settings import Settings, load_settings
from memplane.telemetry import configure_logging


class EmbedderRuntime:
    """Loads the configured engine, warmed up, and serves it in small batches."""

    def __init__(self, settings: Settings | None = None) -> None:
        configure_logging()
        section = (settings or load_settings()).embedding
        engine = OnnxEmbeddingEngine.load(
            section.model_dir, threads=section.threads, max_tokens_per_batch=section.max_batch_tokens
        )
        self._batching = BatchingEmbedder(engine, max_queued_texts=section.max_queued_texts)

    @property
    def spec(self) -> EmbeddingSpec:
        """The generation that this replica serves."""
        return self._batching.spec

    async def embed(self, texts: list[str], kind: str, context: CallContext) -> NDArray[np.float32]:
        """See ``ports.embedder``. Raises: DeadlineExceededError for work that nobody waits for any more."""
        context.remaining_s()
        return await self._batching.embed(texts, kind=cast(Literal["query", "document"], kind))
