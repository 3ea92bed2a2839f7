"""The index from settings; apart from the other stores, since its driver is large and few processes need it."""

from __future__ import annotations

from memplane.adapters.milvus import MilvusConfig, MilvusVectorIndex
from memplane.settings import Settings


def milvus(settings: Settings) -> MilvusVectorIndex:
    """The index. Connects on its first call."""
    section = settings.milvus
    return MilvusVectorIndex(
        MilvusConfig(uri=section.uri, token=section.token.get_secret_value(), write_timeout_s=section.timeout_s)
    )
