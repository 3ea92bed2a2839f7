"""Canonical JSON and the limits of callers' metadata."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

import rfc8785

from memplane.domain.errors import FieldIssue, InvalidError

MAX_METADATA_BYTES: Final = 16 * 1024
MAX_METADATA_DEPTH: Final = 5
MAX_EXACT_INTEGER: Final = 2**53 - 1
"""The greatest integer that is safe in JSON: RFC 8785 takes none beyond it."""


def canonical_json(value: Any) -> str:
    """``value`` as RFC 8785 JSON: one byte string for one value. Raises: InvalidError for what JSON cannot carry."""
    try:
        return rfc8785.dumps(value).decode()
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        raise InvalidError(f"not representable as canonical JSON: {error}") from error


def canonical_hash(value: Any) -> str:
    """SHA-256, in hex, of the canonical JSON of ``value``."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def check_metadata(metadata: Mapping[str, Any], *, path: str = "metadata") -> None:
    """Holds metadata to its limits: 16 KB, depth 5, no ``.`` in keys, no number beyond 2^53.

    Raises: InvalidError naming every place at fault.
    """
    check_json(metadata, path=path)


def check_json(value: Any, *, path: str) -> None:
    """Holds any JSON value to the limits of metadata. Raises: InvalidError naming every place at fault."""
    issues = list(_issues(value, path, 1))
    if not issues and len(canonical_json(value).encode()) > MAX_METADATA_BYTES:
        issues.append(FieldIssue(path=path, code="too_large", message=f"is over {MAX_METADATA_BYTES} bytes"))
    if issues:
        raise InvalidError(f"{issues[0].path}: {issues[0].message}", issues=issues)


def _issues(value: Any, path: str, depth: int) -> Iterator[FieldIssue]:
    if isinstance(value, Mapping | list) and depth > MAX_METADATA_DEPTH:
        yield FieldIssue(path=path, code="too_deep", message=f"is nested deeper than {MAX_METADATA_DEPTH} levels")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if "." in key:
                yield FieldIssue(path=path, code="bad_key", message=f"key {key[:64]!r} holds a '.'")
            yield from _issues(item, f"{path}.{key[:64]}", depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _issues(item, f"{path}.{index}", depth + 1)
    elif isinstance(value, int | float) and not isinstance(value, bool) and not abs(value) <= MAX_EXACT_INTEGER:
        yield FieldIssue(path=path, code="bad_number", message="is a number beyond 2^53")
    elif (
        isinstance(value, str) and not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value)
    ):
        yield FieldIssue(path=path, code="bad_text", message="holds half of a surrogate pair")
