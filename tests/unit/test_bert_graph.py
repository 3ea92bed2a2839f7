"""The encoder's graph against the same computation written in numpy, on a tiny random model."""

from __future__ import annotations

import numpy as np
import pytest

from memplane.adapters.models.bert_graph import (
    ATTENTION_MASK,
    INPUT_IDS,
    SENTENCE_EMBEDDING,
    TOKEN_EMBEDDINGS,
    build_bert_graph,
    norm_outputs,
)
from memplane.adapters.models.bert_weights import BertWeights, BlockQ4
from memplane.adapters.models.linear_layers import Float32Linear, LinearLayers, RowInt8Linear, column_divisors
from memplane.adapters.models.runtime import open_session, run
from memplane.adapters.models.token_batches import pad_tokens, plan_batches
from tests.support.bert_reference import HIDDEN, POSITIONS, VOCABULARY, Floats, random_weights, reference


@pytest.fixture(scope="module")
def weights() -> BertWeights:
    return random_weights()


@pytest.fixture(scope="module")
def texts() -> list[list[int]]:
    random = np.random.default_rng(8)
    return [random.integers(0, VOCABULARY, length).tolist() for length in (1, 2, 3, 7, 12, 23, POSITIONS)]


def embed(weights: BertWeights, linear: LinearLayers, batch: list[list[int]]) -> tuple[Floats, Floats]:
    session = open_session(build_bert_graph(weights, linear).SerializeToString(), threads=1)
    ids, mask = pad_tokens(batch, pad_id=1)
    sentences, tokens = run(session, [SENTENCE_EMBEDDING, TOKEN_EMBEDDINGS], {INPUT_IDS: ids, ATTENTION_MASK: mask})
    return sentences, tokens


def measured_int8(weights: BertWeights, texts: list[list[int]]) -> RowInt8Linear:
    """Int8 layers with column maxima measured on the texts themselves."""
    session = open_session(build_bert_graph(weights, Float32Linear(), show_norms=True).SerializeToString(), threads=1)
    names = norm_outputs(weights)
    maxima = {name: np.zeros(HIDDEN, np.float32) for name in names}
    for text in texts:
        ids = np.array([text], np.int64)
        values = run(session, list(names.values()), {INPUT_IDS: ids, ATTENTION_MASK: np.ones_like(ids)})
        for name, value in zip(names, values, strict=True):
            maxima[name] = np.maximum(maxima[name], np.abs(value[0]).max(axis=0))
    return RowInt8Linear(column_maxima=maxima)


def test_texts_of_the_tiny_model_are_far_apart(weights: BertWeights, texts: list[list[int]]) -> None:
    # Otherwise a cosine of 0.9999 below would prove nothing: here it is a hundredth of the least distance.
    rows = np.stack([reference(weights, text)[0] for text in texts])
    between = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    assert between.max() < 0.99


def test_float32_equals_numpy_alone_and_padded(weights: BertWeights, texts: list[list[int]]) -> None:
    sentences, tokens = embed(weights, Float32Linear(), texts)
    for row, text in enumerate(texts):
        expected_sentence, expected_tokens = reference(weights, text)
        (alone,), _ = embed(weights, Float32Linear(), [text])
        np.testing.assert_allclose(sentences[row], expected_sentence, atol=1e-5)
        np.testing.assert_allclose(alone, expected_sentence, atol=1e-5)
        np.testing.assert_allclose(tokens[row, : len(text)], expected_tokens, rtol=1e-3, atol=1e-4)


def test_int8_is_close_to_numpy(weights: BertWeights, texts: list[list[int]]) -> None:
    sentences, _ = embed(weights, measured_int8(weights, texts), texts)
    cosines = [float(sentences[row] @ reference(weights, text)[0]) for row, text in enumerate(texts)]
    assert min(cosines) > 0.9999


def test_int8_row_does_not_depend_on_its_batch(weights: BertWeights, texts: list[list[int]]) -> None:
    linear = measured_int8(weights, texts)
    together, _ = embed(weights, linear, texts)
    for row, text in enumerate(texts):
        (alone,), _ = embed(weights, linear, [text])
        np.testing.assert_allclose(alone, together[row], atol=1e-5)


def test_measured_columns_make_int8_better(weights: BertWeights, texts: list[list[int]]) -> None:
    expected = np.stack([reference(weights, text)[0] for text in texts])
    measured, _ = embed(weights, measured_int8(weights, texts), texts)
    plain, _ = embed(weights, RowInt8Linear(column_maxima={}), texts)
    assert (measured * expected).sum(axis=1).mean() > (plain * expected).sum(axis=1).mean()


def test_vectors_have_length_one(weights: BertWeights, texts: list[list[int]]) -> None:
    sentences, _ = embed(weights, Float32Linear(), texts)
    np.testing.assert_allclose(np.linalg.norm(sentences, axis=1), 1, atol=1e-6)


def test_blocks_are_read_in_order() -> None:
    low = np.arange(16, dtype=np.uint8)
    nibbles = (low | (low[::-1] << 4)).astype(np.uint8)
    matrix = BlockQ4(nibbles=nibbles.reshape(1, 1, 16), scales=np.array([[0.5]], np.float32))
    expected = np.empty(32, np.float32)
    expected[0::2] = (np.arange(16) - 8) * 0.5
    expected[1::2] = (np.arange(16)[::-1] - 8) * 0.5
    np.testing.assert_array_equal(matrix.dequantise(), expected[None])


def test_blocks_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        BlockQ4(nibbles=np.zeros((2, 1, 16), np.uint8), scales=np.zeros((1, 1), np.float32))


def test_divisors_are_powers_of_two_and_touch_only_large_columns() -> None:
    divisors = column_divisors(np.array([1, 1, 0.01, 0, 1, 1.1, 40], np.float32))
    np.testing.assert_array_equal(divisors[:6], 1)
    assert divisors[6] == 16  # 0.7 * log2(40) = 3.7, rounded to 4


def test_divisors_of_silent_columns_are_finite() -> None:
    assert np.isfinite(column_divisors(np.zeros(4, np.float32))).all()


@pytest.mark.parametrize("max_tokens", [1, 10, 64, 10_000])
def test_batches_hold_every_text_once_within_the_budget(max_tokens: int) -> None:
    lengths = np.random.default_rng(3).integers(1, 40, 200).tolist()
    batches = list(plan_batches(lengths, max_tokens))
    assert sorted(position for batch in batches for position in batch) == list(range(200))
    for batch in batches:
        longest = max(lengths[position] for position in batch)
        assert len(batch) == 1 or len(batch) * longest <= max_tokens


def test_no_texts_make_no_batches() -> None:
    assert list(plan_batches([], 100)) == []


def test_batches_of_equal_texts_are_filled() -> None:
    assert [len(batch) for batch in plan_batches([10] * 25, 100)] == [10, 10, 5]
