"""An embedder without a model, for tests only: texts that share tokens are near each other; it knows no more."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memplane.domain.context import CallContext
from memplane.domain.generations import EmbeddingSpec, weights_fingerprint
from memplane.domain.text import term_weight, tokenize
from memplane.ports.embedder import TextKind

_SCHEME: Final = "hashed tokens, version 1"
_FLOOR: Final = 0.05
"""Weight of the whole text's own direction: keeps every vector off zero, the empty text's too."""


class HashingEmbedder:
    """The port :class:`Embedder`. Each token adds a fixed random direction; the sum is brought to unit length.

    The same everywhere and for ever, for both kinds of text. Knows no meaning: not for use outside tests.
    """

    def __init__(self, *, dim: int = 64) -> None:
        self._spec = EmbeddingSpec(
            model="test-only-hashing",
            revision="1",
            dim=dim,
            dtype="float32",
            normalise=True,
            query_prompt="",
            document_prompt="",
            fingerprint=weights_fingerprint(
                weights_sha256=hashlib.sha256(_SCHEME.encode()).hexdigest(), dtype="float32"
            ),
        )

    async def spec(self) -> EmbeddingSpec:
        """The identity of these vectors; it depends on the dimension only."""
        return self._spec

    async def embed(
        self,
        *,
        texts: Sequence[str],
        kind: TextKind,  # noqa: ARG002  both kinds of text are alike here
        context: CallContext,
    ) -> NDArray[np.float32]:
        """Vectors (len(texts), dim). Raises: DeadlineExceededError when the context's deadline has passed."""
        context.remaining_s()
        vectors = np.empty((len(texts), self._spec.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            total = _FLOOR * _direction(f"text:{text}", self._spec.dim)
            for token in tokenize(text):
                total += term_weight(token) * _direction(f"token:{token}", self._spec.dim)
            vectors[row] = total / np.linalg.norm(total)
        return vectors


def _direction(name: str, dim: int) -> NDArray[np.float64]:
    """A unit vector that depends on ``name`` alone."""
    raw = hashlib.shake_128(name.encode("utf-8", "surrogatepass")).digest(2 * dim)
    numbers = np.frombuffer(raw, dtype="<u2").astype(np.float64) - 32_767.5
    return numbers / np.linalg.norm(numbers)
