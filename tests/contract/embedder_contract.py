"""What every ``ports.embedder.Embedder`` does, whatever its model."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import numpy as np
import pytest

from memplane.domain.context import CallContext, Principal, Role
from memplane.domain.errors import DeadlineExceededError
from memplane.domain.generations import AGREEMENT, PROBE_TEXTS, agrees, is_generation_id
from memplane.domain.ids import KeyId, TenantId
from memplane.ports.embedder import Embedder, TextKind

TEXTS = [
    "The user prefers green tea in the morning.",
    "用户偏好在早上喝绿茶。",
    "Order ORD-20250611-003 was paid.",
    "订单 ORD-20250611-003 已付款。",
]
AWKWARD = [
    "", " ", "\n", "\x00", "🧠🍵", "x" * 50_000, "长文本，" * 10_000, "\u202eتجربة", "e\u0301", "<|endoftext|>",
    "[CLS]",
]  # fmt: skip


def call_context(*, seconds: float = 60.0) -> CallContext:
    principal = Principal(key_id=KeyId("key_1"), tenant_id=TenantId("acme"), role=Role.AGENT)
    return CallContext(principal=principal, traceparent="", deadline=time.time() + seconds)


class EmbedderContract:
    """Override ``embedder``."""

    @pytest.fixture
    async def embedder(self) -> Embedder:
        raise NotImplementedError

    async def test_the_spec_names_one_space(self, embedder: Embedder) -> None:
        spec = await embedder.spec()
        assert spec == await embedder.spec()
        assert is_generation_id(spec.generation_id)
        assert spec.normalise

    async def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        vectors = await embedder.embed(texts=[], kind=TextKind.DOCUMENT, context=call_context())
        assert vectors.shape == (0, (await embedder.spec()).dim)
        assert vectors.dtype == np.float32

    @pytest.mark.parametrize("kind", list(TextKind))
    async def test_rows_are_unit_vectors_of_the_dimension(self, embedder: Embedder, kind: TextKind) -> None:
        vectors = await embedder.embed(texts=TEXTS, kind=kind, context=call_context())
        assert vectors.shape == (len(TEXTS), (await embedder.spec()).dim)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-3)

    @pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
    async def test_any_text_has_a_vector(self, embedder: Embedder, text: str) -> None:
        vectors = await embedder.embed(texts=[text], kind=TextKind.DOCUMENT, context=call_context())
        assert np.isfinite(vectors).all()
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-3)

    async def test_rows_are_in_the_order_of_the_texts_whatever_stands_beside_them(self, embedder: Embedder) -> None:
        together = await embedder.embed(texts=[*TEXTS, "x" * 2_000], kind=TextKind.DOCUMENT, context=call_context())
        backwards = await embedder.embed(texts=TEXTS[::-1], kind=TextKind.DOCUMENT, context=call_context())
        assert agrees(together[: len(TEXTS)], backwards[::-1])
        for text, vector in zip(TEXTS, together, strict=False):
            alone = await embedder.embed(texts=[text], kind=TextKind.DOCUMENT, context=call_context())
            assert float(alone[0] @ vector) >= AGREEMENT

    async def test_the_same_text_has_the_same_vector(self, embedder: Embedder) -> None:
        once = await embedder.embed(texts=list(PROBE_TEXTS), kind=TextKind.DOCUMENT, context=call_context())
        again = await embedder.embed(texts=list(PROBE_TEXTS) * 2, kind=TextKind.DOCUMENT, context=call_context())
        assert agrees(once, again[: len(PROBE_TEXTS)])
        assert agrees(once, again[len(PROBE_TEXTS) :])

    async def test_a_query_is_nearest_to_the_document_of_the_same_words(self, embedder: Embedder) -> None:
        documents = await embedder.embed(texts=TEXTS, kind=TextKind.DOCUMENT, context=call_context())
        queries = await embedder.embed(texts=TEXTS, kind=TextKind.QUERY, context=call_context())
        assert (queries @ documents.T).argmax(axis=1).tolist() == list(range(len(TEXTS)))

    async def test_calls_at_once_do_not_mix(self, embedder: Embedder) -> None:
        texts = [f"{text} {number}" for number in range(6) for text in TEXTS]
        expected = await embedder.embed(texts=texts, kind=TextKind.DOCUMENT, context=call_context())
        calls = [embedder.embed(texts=[text], kind=TextKind.DOCUMENT, context=call_context()) for text in texts]
        found = np.concatenate(await asyncio.gather(*calls))
        assert agrees(expected, found)

    async def test_answers_are_the_callers_to_change(self, embedder: Embedder) -> None:
        first = await embedder.embed(texts=TEXTS[:1], kind=TextKind.QUERY, context=call_context())
        kept = first.copy()
        first *= 0
        again = await embedder.embed(texts=TEXTS[:1], kind=TextKind.QUERY, context=call_context())
        assert agrees(kept, again)

    async def test_a_passed_deadline_is_an_error(self, embedder: Embedder) -> None:
        late = replace(call_context(), deadline=time.time() - 1.0)
        with pytest.raises(DeadlineExceededError):
            await embedder.embed(texts=TEXTS, kind=TextKind.QUERY, context=late)
