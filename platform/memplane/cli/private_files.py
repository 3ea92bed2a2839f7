"""Files that only their owner may read, replaced as a whole."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def write_private(file: Path, text: str) -> None:
    """Writes ``text`` to ``file`` (0600); a reader sees the old content or the new."""
    draft = file.with_name(f".{file.name}.new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    draft.replace(file)


def write_private_json(file: Path, value: Any) -> None:
    """Writes a JSON document to ``file`` (0600)."""
    write_private(file, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def read_json_object(file: Path) -> dict[str, Any]:
    """The JSON object in ``file``; empty when there is no such file or it holds something else."""
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return value if isinstance(value, dict) else {}
