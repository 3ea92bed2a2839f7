"""The manifest of a model directory: what the model is, which files it has, and the vectors it must reproduce.

`manifest.json` holds `format`, `spec` (the fields of `EmbeddingSpec`), `max_tokens`, `pad_id`, `model_file`,
`tokenizer_file`, `files` (name -> `sha256`, `size_bytes`), `licence`, and `probe`: the vectors of `PROBE_TEXTS`
embedded as documents, in float32 and rounded to five decimals.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.models.errors import ModelDirectoryError
from memplane.domain.generations import EmbeddingSpec

MANIFEST_FILE = "manifest.json"
MANIFEST_FORMAT = 1

_REBUILD = "build it again with `memplane models build`"
_CHUNK_BYTES = 1 << 20
_PROBE_DECIMALS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """Checksum (SHA-256, hexadecimal) and size of a file."""

    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Manifest:
    """See the module's docstring for the file; `probe` is float32 (probe texts, dim)."""

    spec: EmbeddingSpec
    max_tokens: int
    pad_id: int
    model_file: str
    tokenizer_file: str
    licence: str
    files: Mapping[str, FileRecord]
    probe: NDArray[np.float32]


def record_file(path: Path) -> FileRecord:
    """Checksum and size of a file, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            digest.update(chunk)
    return FileRecord(sha256=digest.hexdigest(), size_bytes=path.stat().st_size)


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Write a directory's manifest."""
    content = {
        "format": MANIFEST_FORMAT,
        "spec": asdict(manifest.spec),
        "max_tokens": manifest.max_tokens,
        "pad_id": manifest.pad_id,
        "model_file": manifest.model_file,
        "tokenizer_file": manifest.tokenizer_file,
        "licence": manifest.licence,
        "files": {name: asdict(record) for name, record in sorted(manifest.files.items())},
        "probe": [[round(float(x), _PROBE_DECIMALS) for x in row] for row in manifest.probe],
    }
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    (directory / MANIFEST_FILE).write_text(text, encoding="utf-8")


def read_manifest(directory: Path) -> Manifest:
    """Read a directory's manifest.

    Raises:
        ModelDirectoryError: there is no such directory, it has no manifest, or the manifest is of another format.
    """
    if not directory.is_dir():
        raise ModelDirectoryError(f"model directory {str(directory)!r} does not exist: {_REBUILD}")
    path = directory / MANIFEST_FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelDirectoryError(f"model directory {str(directory)!r} has no {MANIFEST_FILE}: {_REBUILD}") from error
    except (OSError, ValueError) as error:
        raise ModelDirectoryError(f"manifest {str(path)!r} cannot be read: {error}: {_REBUILD}") from error
    try:
        return _parse(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelDirectoryError(f"manifest {str(path)!r} is not of format {MANIFEST_FORMAT}: {error}") from error


def verify_files(directory: Path, manifest: Manifest) -> None:
    """Compare every file of a directory with its record.

    Raises:
        ModelDirectoryError: a file is missing or differs.
    """
    for name, expected in manifest.files.items():
        path = directory / name
        try:
            found = record_file(path)
        except OSError as error:
            raise ModelDirectoryError(f"model file {str(path)!r} cannot be read: {error}: {_REBUILD}") from error
        if found != expected:
            raise ModelDirectoryError(
                f"model file {str(path)!r} changed since it was built: {found.size_bytes} bytes, SHA-256 "
                f"{found.sha256}; recorded {expected.size_bytes} bytes, {expected.sha256}: {_REBUILD}"
            )


def _parse(content: Any) -> Manifest:
    if content["format"] != MANIFEST_FORMAT:
        raise ValueError(f"it is of format {content['format']!r}")
    files = {name: FileRecord(**record) for name, record in content["files"].items()}
    for name in (*files, content["model_file"], content["tokenizer_file"]):
        if Path(name).name != name:
            raise ValueError(f"file {name!r} is not in the directory itself")
    spec = EmbeddingSpec(**content["spec"])
    probe = np.array(content["probe"], np.float32)
    if probe.ndim != 2 or probe.shape[1] != spec.dim:
        raise ValueError(f"its probe vectors have shape {probe.shape}, dim is {spec.dim}")
    return Manifest(
        spec=spec,
        max_tokens=int(content["max_tokens"]),
        pad_id=int(content["pad_id"]),
        model_file=content["model_file"],
        tokenizer_file=content["tokenizer_file"],
        licence=content["licence"],
        files=files,
        probe=probe,
    )
