"""The identity of an embedding space.

A vector means something only beside vectors of the same space. `EmbeddingSpec` names everything that a space depends
on, and `EmbeddingSpec.generation_id` is a short digest of it that rows and collections carry.

Identity and agreement are two questions:

- *Identity* is declared: the spec, with a fingerprint of the weights and of the number format they are computed in,
  is written where the model is built, and travels with the model. It is a digest of bytes, so it is equal everywhere
  or not at all; a digest of computed vectors would differ in the last bit from one processor to the next.
- *Agreement* is measured: an engine embeds `PROBE_TEXTS` when it starts and compares with the reference vectors that
  the model carries. From a cosine of `AGREEMENT` upward (`agrees`) it serves the declared generation, whatever kind of
  engine it is; below, it is another generation and must not start under this name.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass, fields

import numpy as np
from numpy.typing import NDArray

from memplane.domain.canonical import canonical_hash
from memplane.domain.ids import GenerationId

AGREEMENT = 0.999
"""Least cosine, on every probe text, between two engines that serve one generation."""

PROBE_TEXTS = (
    "Prefers a window seat and is allergic to peanuts.",
    "订单 ORD-18842 已于3月2日付款，由顺丰发货。",
    "Deploys only after review, 但周五不发布 version 3.11.",
    "Ω",
)
"""Embedded as documents by every engine when it starts."""

_GENERATION_ID = re.compile(r"g[0-9a-f]{12}")
_FINGERPRINT = re.compile(r"[0-9a-f]{16,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSpec:
    """Everything that an embedding space depends on.

    Attributes:
        model: the model's public name.
        revision: which weights of that model, as their publisher calls them.
        dim: numbers in a vector.
        dtype: number format of the weights as computed, such as `int8` or `float32`; vectors are float32 in any case.
        normalise: whether vectors have length 1.
        query_prompt: put before a text that searches.
        document_prompt: put before a text that is found.
        fingerprint: lowercase hexadecimal digest of the weights and their number format.

    Raises:
        ValueError: an empty name, a dimension below 1, or a fingerprint of another form.
    """

    model: str
    revision: str
    dim: int
    dtype: str
    normalise: bool
    query_prompt: str
    document_prompt: str
    fingerprint: str

    def __post_init__(self) -> None:
        for name in ("model", "revision", "dtype"):
            if not getattr(self, name):
                raise ValueError(f"embedding spec has an empty {name}")
        if self.dim < 1:
            raise ValueError(f"embedding spec has dim {self.dim!r}; at least 1 is needed")
        if not _FINGERPRINT.fullmatch(self.fingerprint):
            raise ValueError(f"embedding spec has fingerprint {self.fingerprint[:80]!r}; 16-64 hex digits are needed")

    @property
    def generation_id(self) -> GenerationId:
        """`g` and 12 hexadecimal digits: a digest of all fields, the same in every process and release."""
        return GenerationId("g" + canonical_hash(asdict(self))[:12])


def is_generation_id(value: str) -> bool:
    """Whether a string has the form of a generation id."""
    return _GENERATION_ID.fullmatch(value) is not None


def weights_fingerprint(*, weights_sha256: str, dtype: str) -> str:
    """The fingerprint of weights in a number format: 64 hexadecimal digits.

    Args:
        weights_sha256: checksum of the weights as they were published, before any conversion.
        dtype: the number format that they are computed in.
    """
    return hashlib.sha256(f"{weights_sha256}\n{dtype}".encode()).hexdigest()


def differences(expected: EmbeddingSpec, found: EmbeddingSpec) -> tuple[str, ...]:
    """What sets two specs apart, a phrase for each field; empty for equal specs."""
    return tuple(
        f"{field.name} is {getattr(found, field.name)!r}, expected {getattr(expected, field.name)!r}"
        for field in fields(EmbeddingSpec)
        if getattr(expected, field.name) != getattr(found, field.name)
    )


def least_cosine(expected: NDArray[np.float32], found: NDArray[np.float32]) -> float:
    """The lowest cosine between rows of equal position.

    Args:
        expected: vectors (n, dim), n at least 1.
        found: vectors of the same texts (n, dim).

    Returns:
        A cosine, or -1.0 where the shapes differ, a row has no length, or a number is not finite.
    """
    if expected.shape != found.shape or expected.ndim != 2 or not expected.size:
        return -1.0
    wide_expected, wide_found = expected.astype(np.float64), found.astype(np.float64)
    lengths = np.linalg.norm(wide_expected, axis=1) * np.linalg.norm(wide_found, axis=1)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        return -1.0
    return float(((wide_expected * wide_found).sum(axis=1) / lengths).min())


def agrees(expected: NDArray[np.float32], found: NDArray[np.float32]) -> bool:
    """Whether two engines' vectors of the same texts, both (n, dim), may share a generation."""
    return least_cosine(expected, found) >= AGREEMENT
