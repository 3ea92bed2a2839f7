"""The contract of ``Embedder``, without a model."""

from __future__ import annotations

import numpy as np
import pytest

from memplane.adapters.memory import HashingEmbedder
from memplane.ports.embedder import Embedder, TextKind
from tests.contract.embedder_contract import EmbedderContract, call_context

PINNED = (0.5573566, 0.6312115, 0.0509157, 0.5369667)
"""Of "绿茶 tea" in four dimensions."""


class TestHashingEmbedder(EmbedderContract):
    """The contract."""

    @pytest.fixture
    async def embedder(self) -> Embedder:
        return HashingEmbedder()


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("green tea", "The user prefers green tea", "Meetings are on Mondays"),
        ("绿茶", "用户偏好喝绿茶", "会议在星期一"),
    ],
)
async def test_shared_tokens_bring_texts_together(query: str, near: str, far: str) -> None:
    vectors = await HashingEmbedder().embed(texts=[query, near, far], kind=TextKind.QUERY, context=call_context())
    assert float(vectors[0] @ vectors[1]) > float(vectors[0] @ vectors[2]) + 0.2


async def test_vectors_are_the_same_for_ever() -> None:
    """Pinned: rows that were stored by one run must be found by the next."""
    vectors = await HashingEmbedder(dim=4).embed(texts=["绿茶 tea"], kind=TextKind.QUERY, context=call_context())
    np.testing.assert_allclose(vectors[0], PINNED, atol=1e-6)


async def test_dimensions_are_different_spaces() -> None:
    one, other = await HashingEmbedder(dim=8).spec(), await HashingEmbedder(dim=16).spec()
    assert one.generation_id != other.generation_id
