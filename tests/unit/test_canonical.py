"""Canonical JSON and the limits of metadata."""

import pytest

from memplane.domain.canonical import canonical_hash, canonical_json, check_metadata
from memplane.domain.errors import InvalidError


def test_one_value_has_one_text() -> None:
    assert canonical_json({"b": 1.0, "a": [True, None, "é"]}) == '{"a":[true,null,"é"],"b":1}'
    assert canonical_hash({"a": 1, "b": 2}) == canonical_hash({"b": 2.0, "a": 1})


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 2**60, "\ud800"])
def test_what_json_cannot_carry_is_invalid(bad: object) -> None:
    with pytest.raises(InvalidError):
        canonical_json({"x": bad})


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ({"a.b": 1}, "bad_key"),
        ({"a": {"b.c": 1}}, "bad_key"),
        ({"n": 2**53}, "bad_number"),
        ({"n": -(2**54)}, "bad_number"),
        ({"n": float("inf")}, "bad_number"),
        ({"n": float("nan")}, "bad_number"),
        ({"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}, "too_deep"),
        ({"a": "x" * 17_000}, "too_large"),
        ({"a": "\ud800"}, "bad_text"),
    ],
)
def test_metadata_limits_name_what_is_wrong(metadata: dict[str, object], code: str) -> None:
    with pytest.raises(InvalidError) as caught:
        check_metadata(metadata)
    assert caught.value.issues[0].code == code


def test_metadata_at_its_limits_is_taken() -> None:
    check_metadata({"a": {"b": {"c": {"d": {"e": 2**53 - 1}}}}, "空": [1, None, False], "x": "y" * 16_000})
