"""The identity of an embedding space: stable, sensitive to every field, refused when malformed."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from memplane.domain.generations import (
    EmbeddingSpec,
    agrees,
    differences,
    is_generation_id,
    least_cosine,
    weights_fingerprint,
)

SPEC = EmbeddingSpec(
    model="acme/embedder",
    revision="r1",
    dim=384,
    dtype="int8",
    normalise=True,
    query_prompt="查询: ",
    document_prompt="passage: ",
    fingerprint="0123456789abcdef",
)

OTHER_VALUES = {
    "model": "acme/other",
    "revision": "r2",
    "dim": 768,
    "dtype": "float32",
    "normalise": False,
    "query_prompt": "query: ",
    "document_prompt": "",
    "fingerprint": "fedcba9876543210",
}


def test_generation_id_is_pinned() -> None:
    # Stored rows carry this value: a change of the derivation would orphan them.
    assert SPEC.generation_id == "g2bb57d1d4932"


def test_equal_specs_share_a_generation() -> None:
    assert replace(SPEC).generation_id == SPEC.generation_id
    assert is_generation_id(SPEC.generation_id)


def test_every_field_has_another_value_below() -> None:
    assert set(OTHER_VALUES) == {field.name for field in fields(EmbeddingSpec)}


@pytest.mark.parametrize(("name", "value"), OTHER_VALUES.items())
def test_each_field_changes_the_generation(name: str, value: object) -> None:
    changed = replace(SPEC, **{name: value})  # type: ignore[arg-type]
    assert changed.generation_id != SPEC.generation_id
    assert differences(SPEC, changed) == (f"{name} is {value!r}, expected {getattr(SPEC, name)!r}",)


def test_no_differences_between_equal_specs() -> None:
    assert differences(SPEC, replace(SPEC)) == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("model", ""),
        ("revision", ""),
        ("dtype", ""),
        ("dim", 0),
        ("dim", -1),
        ("fingerprint", ""),
        ("fingerprint", "XYZ"),
    ],
)
def test_malformed_specs_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        replace(SPEC, **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value", ["", "g", "gabc", "g" + "a" * 13, "h" + "a" * 12, "g" + "A" * 12, "g" + "a" * 12 + "\n"]
)
def test_other_strings_are_no_generation_ids(value: str) -> None:
    assert not is_generation_id(value)


def test_fingerprint_depends_on_weights_and_number_format() -> None:
    pairs = [(weights, dtype) for weights in ("a", "b") for dtype in ("int8", "float32")]
    found = {weights_fingerprint(weights_sha256=weights, dtype=dtype) for weights, dtype in pairs}
    assert len(found) == 4
    assert all(len(fingerprint) == 64 for fingerprint in found)


def test_least_cosine_is_that_of_the_worst_row() -> None:
    left = np.array([[1, 0], [0, 2]], np.float32)
    right = np.array([[3, 0], [1, 1]], np.float32)
    assert least_cosine(left, right) == pytest.approx(2**-0.5)
    assert not agrees(left, right)
    assert agrees(left, left * 5)


@pytest.mark.parametrize(
    "found",
    [np.ones((2, 3), np.float32), np.zeros((2, 2), np.float32), np.full((2, 2), np.nan, np.float32)],
    ids=["another shape", "no length", "not finite"],
)
def test_unusable_vectors_never_agree(found: np.ndarray) -> None:
    expected = np.ones((2, 2), np.float32)
    assert least_cosine(expected, found) == -1.0
    assert not agrees(expected, found)


def test_no_rows_are_no_agreement() -> None:
    nothing = np.empty((0, 2), np.float32)
    assert not agrees(nothing, nothing)
