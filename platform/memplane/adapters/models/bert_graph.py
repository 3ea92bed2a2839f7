"""Builds the ONNX graph of a BERT sentence encoder from its weights: no tracing, so nothing is baked in.

Inputs: `input_ids` and `attention_mask`, int64 (batch, sequence), any batch and any sequence up to the position
table. Outputs: `sentence_embedding`, float32 (batch, hidden), the mean of the token vectors that the mask keeps,
scaled to length 1; and `token_embeddings`, float32 (batch, sequence, hidden), the last hidden states, of which only
those that the mask keeps mean anything.

Attention and the word table use ONNX Runtime's own operators. Residual sums and layer normalisations are kept apart
on purpose: the fused `SkipLayerNormalization` of ONNX Runtime's CPU provider was measured eight times slower than the
two, so sessions must not fuse them again (`GraphOptimizationLevel.ORT_ENABLE_BASIC`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from onnx import TensorProto, helper

from memplane.adapters.models.bert_weights import BLOCK, BertWeights, Dense, EncoderLayer, Norm
from memplane.adapters.models.graph_writer import MICROSOFT, GraphWriter
from memplane.adapters.models.linear_layers import LinearLayers, Source

INPUT_IDS = "input_ids"
ATTENTION_MASK = "attention_mask"
SENTENCE_EMBEDDING = "sentence_embedding"
TOKEN_EMBEDDINGS = "token_embeddings"  # noqa: S105 - an output of the graph, no password

WORD_NIBBLES = "words.nibbles"
WORD_SCALES = "words.scales"


def build_bert_graph(weights: BertWeights, linear: LinearLayers, *, show_norms: bool = False) -> onnx.ModelProto:
    """The graph of an encoder.

    Args:
        weights: the encoder.
        linear: how the linear layers are computed.
        show_norms: also output every layer-normalised input of a linear layer, for calibration, under the names of
            `norm_outputs`.
    """
    return _Encoder(weights, linear, norm_outputs(weights) if show_norms else {}).build()


def norm_outputs(weights: BertWeights) -> dict[str, str]:
    """The extra outputs of a calibration graph: name of the linear layer that reads the value -> output name."""
    names = [f"layer{index}.{part}" for index in range(len(weights.layers)) for part in ("attention", "intermediate")]
    return {name: f"{name}.input" for name in names}


def _value(name: str, kind: int, *shape: str | int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, list(shape))


class _Encoder:
    """Writes one encoder's graph, from the token ids down to the outputs."""

    def __init__(self, weights: BertWeights, linear: LinearLayers, shown: Mapping[str, str]) -> None:
        self._graph = GraphWriter()
        self._weights = weights
        self._linear = linear
        self._shown = shown
        self._mask = self._graph.add("Cast", ATTENTION_MASK, to=TensorProto.INT32)

    def build(self) -> onnx.ModelProto:
        state = self._embed_tokens()
        for index, layer in enumerate(self._weights.layers):
            state = self._feed_forward(layer, f"layer{index}", self._attend(layer, f"layer{index}", state))
        self._graph.add("Identity", state, name=TOKEN_EMBEDDINGS)
        self._pool()
        hidden = self._weights.hidden
        tokens = (TOKEN_EMBEDDINGS, *self._shown.values())
        return self._graph.close(
            "bert_sentence_encoder",
            [_value(name, TensorProto.INT64, "batch", "sequence") for name in (INPUT_IDS, ATTENTION_MASK)],
            [
                _value(SENTENCE_EMBEDDING, TensorProto.FLOAT, "batch", hidden),
                *(_value(name, TensorProto.FLOAT, "batch", "sequence", hidden) for name in tokens),
            ],
        )

    def _embed_tokens(self) -> str:
        """Sum of word, position and type embeddings, normalised. Words stay 4-bit: only gathered rows are expanded."""
        graph, weights = self._graph, self._weights
        vocabulary, _ = weights.words.shape
        words = graph.add(
            "GatherBlockQuantized",
            graph.constant(WORD_NIBBLES, weights.words.nibbles.reshape(vocabulary, -1)),
            INPUT_IDS,
            graph.constant(WORD_SCALES, weights.words.scales),
            domain=MICROSOFT,
            bits=4,
            block_size=BLOCK,
            gather_axis=0,
            quantize_axis=1,
        )
        table = graph.constant("positions", (weights.positions + weights.token_type).astype(np.float32))
        length = graph.add("Shape", INPUT_IDS, start=1, end=2)
        positions = graph.add("Slice", table, graph.axes(0), length, graph.axes(0))
        return self._normalise("embedding_norm", graph.add("Add", words, positions), weights.embedding_norm)

    def _attend(self, layer: EncoderLayer, prefix: str, state: str) -> str:
        graph, heads = self._graph, [layer.query, layer.key, layer.value]
        joined = self._linear.product(graph, self._show(f"{prefix}.attention", state), state, heads, source="norm")
        bias = graph.constant(f"{prefix}.attention.bias", np.concatenate([part.bias for part in heads]))
        inputs = (*graph.split(joined, 3), bias, self._mask)
        context = graph.add("MultiHeadAttention", *inputs, domain=MICROSOFT, num_heads=self._weights.heads)
        output = self._dense(f"{prefix}.attention_output", context, layer.attention_output, "attention")
        return self._normalise(f"{prefix}.attention_norm", graph.add("Add", output, state), layer.attention_norm)

    def _feed_forward(self, layer: EncoderLayer, prefix: str, state: str) -> str:
        graph, name = self._graph, self._show(f"{prefix}.intermediate", state)
        inner = graph.add("Gelu", self._dense(name, state, layer.intermediate, "norm"))
        output = self._dense(f"{prefix}.output", inner, layer.output, "gelu")
        return self._normalise(f"{prefix}.output_norm", graph.add("Add", output, state), layer.output_norm)

    def _pool(self) -> None:
        """Mean over the kept tokens, scaled to length 1. The sum has the mean's direction, so it is not divided."""
        graph = self._graph
        mask = graph.add("Unsqueeze", graph.add("Cast", ATTENTION_MASK, to=TensorProto.FLOAT), graph.axes(1))
        total = graph.add("Squeeze", graph.add("MatMul", mask, TOKEN_EMBEDDINGS), graph.axes(1))
        graph.add("LpNormalization", total, name=SENTENCE_EMBEDDING, axis=-1, p=2)

    def _dense(self, name: str, value: str, layer: Dense, source: Source) -> str:
        product = self._linear.product(self._graph, name, value, [layer], source=source)
        return self._graph.add("Add", product, self._graph.constant(f"{name}.bias", layer.bias))

    def _normalise(self, name: str, value: str, norm: Norm) -> str:
        gain = self._graph.constant(f"{name}.gain", norm.gain)
        offset = self._graph.constant(f"{name}.offset", norm.offset)
        return self._graph.add("LayerNormalization", value, gain, offset, axis=-1, epsilon=self._weights.epsilon)

    def _show(self, name: str, value: str) -> str:
        """Make the input of a linear layer an output where that is asked for; returns the layer's name."""
        if name in self._shown:
            self._graph.add("Identity", value, name=self._shown[name])
        return name
