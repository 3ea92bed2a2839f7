"""Measures which columns of a model's activations are large, on a fixed set of short texts in two languages.

`linear_layers.RowInt8Linear` divides those columns before it quantises. The outliers of a BERT encoder sit in the same
few columns for every text, so a handful of texts finds them; the divisors are powers of two, so small differences
between processors do not change them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Tokenizer

from memplane.adapters.models.bert_graph import ATTENTION_MASK, INPUT_IDS, SENTENCE_EMBEDDING
from memplane.adapters.models.runtime import run

CALIBRATION_TEXTS = (
    "The customer prefers window seats on long flights and never checks in luggage.",
    "Order ORD-18842 was paid on 2 March, shipped by courier, and the invoice for $1,299.00 is still open.",
    "She is allergic to peanuts; please never call before 10 am.",
    "Anna moved from Berlin to Lisbon last spring and now works as a nurse.",
    "We deploy only after the review. The API returned HTTP 503 for forty minutes, so the release was rolled back.",
    "favorite programming language: Rust",
    "def add(a, b): return a + b  # https://example.com/docs?id=42",
    "ok",
    "用户喜欢靠窗的座位，从不托运行李。",
    "订单 ORD-18842 已于3月2日付款，由顺丰发货，发票金额1299元尚未支付。",
    "她对花生过敏，请不要在上午十点之前打电话。",
    "小王去年春天从北京搬到了上海，现在是一名护士。",
    "我们只在评审之后发布。接口连续四十分钟返回503，所以版本被回滚了。",
    "最喜欢的编程语言是Rust",
    "好的",
    "Reset 账户 7731 的密码, twice.",
)


def column_maxima(
    session: ort.InferenceSession, tokenizer: Tokenizer, outputs: Mapping[str, str], texts: Iterable[str]
) -> dict[str, NDArray[np.float32]]:
    """The largest absolute value of each column of each watched value, over all tokens of all texts.

    Args:
        session: a graph that was built with `show_norms`.
        tokenizer: turns a text into token ids, special tokens included.
        outputs: name of a linear layer -> name of the graph output that shows its input.
        texts: complete texts, prompts included.
    """
    maxima: dict[str, NDArray[np.float32]] = {}
    for text in texts:
        for layer, values in zip(outputs, _run(session, tokenizer, text, list(outputs.values())), strict=True):
            largest = np.abs(values[0]).max(axis=0)
            maxima[layer] = np.maximum(maxima[layer], largest) if layer in maxima else largest
    return maxima


def embed_one_by_one(session: ort.InferenceSession, tokenizer: Tokenizer, texts: Iterable[str]) -> NDArray[np.float32]:
    """The vectors (n, dim) of complete texts, each computed alone."""
    return np.concatenate([_run(session, tokenizer, text, [SENTENCE_EMBEDDING])[0] for text in texts])


def _run(
    session: ort.InferenceSession, tokenizer: Tokenizer, text: str, outputs: list[str]
) -> list[NDArray[np.float32]]:
    ids = np.array([tokenizer.encode(text).ids], np.int64)
    return run(session, outputs, {INPUT_IDS: ids, ATTENTION_MASK: np.ones_like(ids)})
