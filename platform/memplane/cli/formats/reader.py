"""From a file to batches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from memplane.cli.formats.conversation import ConversationBatch, Format, FormatError, Turn, batched
from memplane.cli.formats.jsonl import read_jsonl
from memplane.cli.formats.locomo import read_locomo
from memplane.cli.formats.openai import read_openai


def read_batches(file: Path, *, file_format: Format, user: str | None, batch_size: int) -> Iterator[ConversationBatch]:
    """The batches of ``file``, the same in every run. Raises: OSError, FormatError (a ValueError)."""
    yield from batched(_turns(file, file_format, user), batch_size)


def _turns(file: Path, file_format: Format, user: str | None) -> Iterator[Turn]:
    session = re.sub(r"[/\x00-\x1f]", "-", file.stem).lstrip("_.")[:100] or "import"
    try:
        if file_format is Format.JSONL:
            with file.open(encoding="utf-8-sig") as lines:
                yield from read_jsonl(lines, user=user, session=session)
            return
        text = file.read_text(encoding="utf-8-sig")
        if file_format is Format.OPENAI:
            yield from read_openai(text, user=user, session=session)
        else:
            yield from read_locomo(json.loads(text), user=user)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{file.name} is not UTF-8 JSON: {error}") from error
