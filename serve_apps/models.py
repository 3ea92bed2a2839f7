"""The Serve application ``models``: the embedder."""

from __future__ import annotations

from typing import Any

from memplane.bootstrap.models import EmbedderRuntime


class Embedder:
    """One embedding engine a replica."""

    def __init__(self) -> None:
        self._runtime = EmbedderRuntime()

    async def spec(self) -> Any:
        """The generation that this replica serves."""
        return self._runtime.spec

    async def embed(self, texts: list[str], kind: str, context: Any) -> Any:
        """Vectors (n, dim), float32, unit rows."""
        return await self._runtime.embed(texts, kind, context)
