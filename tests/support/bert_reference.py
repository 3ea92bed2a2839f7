"""A BERT sentence encoder in plain numpy, and a tiny random one to compare with."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.models.bert_weights import BertWeights, BlockQ4, Dense, EncoderLayer, Norm

HIDDEN, INNER, HEADS, VOCABULARY, POSITIONS, LAYERS = 64, 128, 4, 50, 24, 2

Floats = NDArray[np.float32]


def random_matrix(random: np.random.Generator, rows: int, columns: int, size: float = 1.0) -> BlockQ4:
    nibbles = random.integers(0, 256, (rows, columns // 32, 16), np.uint8)
    scales = size * random.uniform(0.005, 0.03, (rows, columns // 32))
    return BlockQ4(nibbles=nibbles, scales=scales.astype(np.float32))


def random_weights(seed: int = 5) -> BertWeights:
    random = np.random.default_rng(seed)

    def vector(size: int, mean: float = 0.0) -> Floats:
        return random.normal(mean, 0.2, size).astype(np.float32)

    def dense(outputs: int, inputs: int) -> Dense:
        return Dense(weight=random_matrix(random, outputs, inputs), bias=vector(outputs))

    def norm(outlier: float = 1.0) -> Norm:
        gain = vector(HIDDEN, 1.0)
        gain[3] *= outlier
        return Norm(gain=gain, offset=vector(HIDDEN))

    layers = tuple(
        EncoderLayer(
            query=dense(HIDDEN, HIDDEN),
            key=dense(HIDDEN, HIDDEN),
            value=dense(HIDDEN, HIDDEN),
            attention_output=dense(HIDDEN, HIDDEN),
            attention_norm=norm(8.0),  # trained encoders have such columns too
            intermediate=dense(INNER, HIDDEN),
            output=dense(HIDDEN, INNER),
            output_norm=norm(),
        )
        for _ in range(LAYERS)
    )
    return BertWeights(
        heads=HEADS,
        epsilon=1e-12,
        words=random_matrix(random, VOCABULARY, HIDDEN, size=20.0),
        positions=random.normal(0, 0.2, (POSITIONS, HIDDEN)).astype(np.float32),
        token_type=vector(HIDDEN),
        embedding_norm=norm(),
        layers=layers,
    )


def reference(weights: BertWeights, ids: list[int]) -> tuple[Floats, Floats]:
    """Sentence vector and token vectors of one text, in float64 and without padding."""

    def linear(value: NDArray[np.float64], layer: Dense) -> NDArray[np.float64]:
        product: NDArray[np.float64] = value @ layer.weight.dequantise().astype(np.float64).T
        return product + layer.bias

    def normalise(value: NDArray[np.float64], norm: Norm) -> NDArray[np.float64]:
        centred = value - value.mean(-1, keepdims=True)
        scaled: NDArray[np.float64] = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + weights.epsilon)
        return scaled * norm.gain + norm.offset

    def heads(value: NDArray[np.float64]) -> NDArray[np.float64]:
        return value.reshape(len(ids), weights.heads, -1).transpose(1, 0, 2)

    erf = np.vectorize(math.erf, otypes=[np.float64])
    rows = BlockQ4(nibbles=weights.words.nibbles[ids], scales=weights.words.scales[ids])
    words = rows.dequantise().astype(np.float64)
    state = normalise(words + weights.positions[: len(ids)] + weights.token_type, weights.embedding_norm)
    for layer in weights.layers:
        query, key, value = (heads(linear(state, part)) for part in (layer.query, layer.key, layer.value))
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(weights.hidden // weights.heads)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        context = (scores @ value).transpose(1, 0, 2).reshape(len(ids), -1)
        state = normalise(state + linear(context, layer.attention_output), layer.attention_norm)
        inner = linear(state, layer.intermediate)
        inner *= 0.5 * (1 + erf(inner / math.sqrt(2)))
        state = normalise(state + linear(inner, layer.output), layer.output_norm)
    mean = state.mean(axis=0)
    return (mean / np.linalg.norm(mean)).astype(np.float32), state.astype(np.float32)
