"""The weights of a BERT encoder as values: what a graph is built from, whatever file they came from.

Matrices are kept as 4-bit blocks of 32 (`BlockQ4`), the form in which they are packaged, so that nothing is lost
between the package and the graph. Vectors and position tables are float32.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
"""Weights that share one scale."""

ZERO_POINT = 8
"""The nibble that stands for 0: a nibble `q` with scale `s` is the weight `(q - 8) * s`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlockQ4:
    """A matrix (rows, columns) as signed 4-bit blocks of 32 along the columns.

    Attributes:
        nibbles: uint8 (rows, columns / 32, 16); byte `j` of a block holds weight `2j` low and weight `2j + 1` high,
            the order of ONNX Runtime's `MatMulNBits` and `GatherBlockQuantized`.
        scales: float32 (rows, columns / 32).
    """

    nibbles: NDArray[np.uint8]
    scales: NDArray[np.float32]

    def __post_init__(self) -> None:
        rows, blocks = self.scales.shape
        if self.nibbles.shape != (rows, blocks, BLOCK // 2):
            raise ValueError(f"nibbles {self.nibbles.shape} do not fit scales {self.scales.shape}")

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the matrix."""
        return self.scales.shape[0], self.scales.shape[1] * BLOCK

    def dequantise(self) -> NDArray[np.float32]:
        """The matrix as float32 (rows, columns): exactly what the blocks stand for."""
        weights = np.empty((*self.scales.shape, BLOCK), np.float32)
        weights[..., 0::2] = self.nibbles & 0x0F
        weights[..., 1::2] = self.nibbles >> 4
        weights -= ZERO_POINT
        weights *= self.scales[..., None]
        return weights.reshape(self.shape)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dense:
    """A linear layer `y = x @ weight.T + bias`: weight (outputs, inputs), bias (outputs,)."""

    weight: BlockQ4
    bias: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Norm:
    """Gain and offset of a layer normalisation, both (hidden,)."""

    gain: NDArray[np.float32]
    offset: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncoderLayer:
    """One transformer layer of BERT (post-norm): attention, norm, feed-forward with exact GELU, norm."""

    query: Dense
    key: Dense
    value: Dense
    attention_output: Dense
    attention_norm: Norm
    intermediate: Dense
    output: Dense
    output_norm: Norm

    def dense(self) -> Mapping[str, Dense]:
        """The linear layers by name, in the order of computation."""
        return {
            "query": self.query,
            "key": self.key,
            "value": self.value,
            "attention_output": self.attention_output,
            "intermediate": self.intermediate,
            "output": self.output,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BertWeights:
    """A whole encoder.

    Attributes:
        heads: attention heads of every layer.
        epsilon: added to the variance in layer normalisations.
        words: word embeddings (vocabulary, hidden).
        positions: position embeddings (positions, hidden); the first token of a text has position 0.
        token_type: the embedding of token type 0 (hidden,), added to every token.
        embedding_norm: the normalisation after the sum of embeddings.
        layers: the transformer layers, first to last.
    """

    heads: int
    epsilon: float
    words: BlockQ4
    positions: NDArray[np.float32]
    token_type: NDArray[np.float32]
    embedding_norm: Norm
    layers: tuple[EncoderLayer, ...]

    @property
    def hidden(self) -> int:
        """Width of a token vector."""
        return self.words.shape[1]

    def matrices(self) -> Iterator[BlockQ4]:
        """Every matrix, the word embeddings first."""
        yield self.words
        for layer in self.layers:
            for dense in layer.dense().values():
                yield dense.weight
