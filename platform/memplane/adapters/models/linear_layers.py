"""How a graph multiplies by weights: in float32, or in int8 with one scale per row of activations.

The int8 form is made so that a text's vector never depends on the texts beside it in a batch. The usual dynamic
quantisation takes one scale for a whole batch of activations; here every token has its own:

    r      = 127 / max |x|                   per token
    q      = round(x * r) + 128              uint8, zero point 128
    y      = (q - 128) @ W8 * s / r          int32 products, s a scale per output column

Two refinements keep the result at a cosine above 0.999 to float32:

- A few hidden columns after a layer normalisation are ten to fifty times larger than the rest and would take the
  whole range of a token. They are divided by powers of two, and the rows of the weights multiplied by the same
  ("SmoothQuant", Xiao et al. 2023, https://arxiv.org/abs/2211.10438, with migration strength 0.7).
- GELU is never below -0.17, so half of a symmetric range would be wasted: its zero point is 32, not 128.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.models.bert_weights import Dense
from memplane.adapters.models.graph_writer import MICROSOFT, GraphWriter

Source = Literal["norm", "attention", "gelu"]
"""What computed the input of a linear layer; it decides how the input is quantised."""

_WEIGHT_LIMIT = 127
_SYMMETRIC_ZERO = 128
_GELU_ZERO = 32
_GELU_LOWEST = 0.17
_SMALLEST = 1e-12
_MIGRATION = 0.7


class LinearLayers(Protocol):
    """Adds `x @ W.T` to a graph. The bias is left to the caller, who can often add it for nothing."""

    def product(self, graph: GraphWriter, name: str, value: str, layers: Sequence[Dense], *, source: Source) -> str:
        """Multiply by the weights of one or more layers, outputs side by side.

        Args:
            graph: where the nodes go.
            name: prefix of the constants' names, unique in the graph.
            value: the input (..., inputs).
            layers: layers that share the input.
            source: what computed the input.
        """


def _joined_weight(layers: Sequence[Dense]) -> NDArray[np.float32]:
    """The weights of layers that share an input, (inputs, outputs of all)."""
    return np.ascontiguousarray(np.concatenate([layer.weight.dequantise() for layer in layers]).T)


class Float32Linear:
    """Plain float32: exactly what the 4-bit blocks stand for."""

    def product(
        self,
        graph: GraphWriter,
        name: str,
        value: str,
        layers: Sequence[Dense],
        *,
        source: Source,  # noqa: ARG002 - float32 does not care
    ) -> str:
        """See `LinearLayers.product`."""
        return graph.add("MatMul", value, graph.constant(f"{name}.weight", _joined_weight(layers)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RowInt8Linear:
    """Int8 weights with a scale per output column, uint8 activations with a scale per token.

    Attributes:
        column_maxima: for each input that a layer normalisation computes, by the name given to `product`, the largest
            absolute value seen in each column (inputs,). An input without maxima is quantised as it is.
    """

    column_maxima: Mapping[str, NDArray[np.float32]]

    def product(self, graph: GraphWriter, name: str, value: str, layers: Sequence[Dense], *, source: Source) -> str:
        """See `LinearLayers.product`."""
        weight = _joined_weight(layers)
        maxima = self.column_maxima.get(name)
        if maxima is not None:
            divisors = column_divisors(maxima)
            weight *= divisors[:, None]
            value = graph.add("Mul", value, graph.constant(f"{name}.shrink", 1 / divisors))
        quantised, row_scale, zero_point = self._quantise_rows(graph, value, source)
        column_scale = np.maximum(np.abs(weight).max(axis=0) / _WEIGHT_LIMIT, _SMALLEST).astype(np.float32)
        whole = np.clip(np.rint(weight / column_scale), -_WEIGHT_LIMIT, _WEIGHT_LIMIT).astype(np.int8)
        product = graph.add(
            "MatMulIntegerToFloat",
            quantised,
            graph.constant(f"{name}.weight", whole),
            graph.scalar(1.0),
            graph.constant(f"{name}.scale", column_scale),
            zero_point,
            domain=MICROSOFT,
        )
        return graph.add("Mul", product, row_scale)

    @staticmethod
    def _quantise_rows(graph: GraphWriter, value: str, source: Source) -> tuple[str, str, str]:
        """The value as uint8 rows, the scale of each row (..., 1), and the zero point."""
        last = graph.axes(-1)
        if source == "gelu":
            zero, room = _GELU_ZERO, 255 - _GELU_ZERO
            largest = graph.add("ReduceMax", value, last, keepdims=1)
            # Below this maximum the lower end of GELU, not the upper, decides the scale.
            floor = _GELU_LOWEST * room / zero
        else:
            zero, room = _SYMMETRIC_ZERO, 255 - _SYMMETRIC_ZERO
            largest = graph.add("ReduceMax", graph.add("Abs", value), last, keepdims=1)
            floor = _SMALLEST
        largest = graph.add("Max", largest, graph.scalar(floor))
        steps = graph.add("Div", graph.scalar(float(room)), largest)
        zero_point = graph.scalar(zero, np.uint8)
        quantised = graph.add("QuantizeLinear", graph.add("Mul", value, steps), graph.scalar(1.0), zero_point)
        return quantised, graph.add("Reciprocal", steps), zero_point


def column_divisors(maxima: NDArray[np.float32]) -> NDArray[np.float32]:
    """Powers of two, at least 1, by which columns that are larger than the median are divided.

    Powers of two, because dividing by one and multiplying by it again loses no bit.
    """
    ratio = np.maximum(maxima / max(float(np.median(maxima)), _SMALLEST), 1.0)
    divisors: NDArray[np.float32] = np.exp2(np.rint(_MIGRATION * np.log2(ratio))).astype(np.float32)
    return divisors
