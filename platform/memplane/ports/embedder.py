"""Text to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memplane.domain.context import CallContext
from memplane.domain.generations import EmbeddingSpec


class TextKind(StrEnum):
    """Which of the model's two prompts a text gets."""

    QUERY = "query"
    DOCUMENT = "document"


class Embedder(Protocol):
    """One embedding model.

    Raises, every method: ModelUnavailableError (away, failing, or a result that is no vector), OverloadedError (its
    bounded queue is full), DeadlineExceededError.
    """

    async def spec(self) -> EmbeddingSpec:
        """The identity of the vectors that :meth:`embed` makes."""

    async def embed(self, *, texts: Sequence[str], kind: TextKind, context: CallContext) -> NDArray[np.float32]:
        """Vectors (len(texts), dim), unit rows, in order. Long texts are truncated by the model's window. Empty
        input: (0, dim).
        """
