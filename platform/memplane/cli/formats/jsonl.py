"""One turn a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from memplane.cli.formats.conversation import FormatError, Turn
from memplane.client import Message

_FIELDS = {"role", "content", "at", "event_id", "metadata", "session_id", "user_id"}


def read_jsonl(lines: Iterable[str], *, user: str | None, session: str) -> Iterator[Turn]:
    """The turns of a file. ``user`` and ``session`` stand in where a line names none. Raises: FormatError."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _turn(json_line(line, number), number, user, session)


def json_line(line: str, number: int) -> dict[str, Any]:
    """The object in a line. Raises: FormatError."""
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise FormatError(f"line {number} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise FormatError(f"line {number} is not an object")
    return value


def _turn(entry: dict[str, Any], number: int, user: str | None, session: str) -> Turn:
    unknown = sorted(set(entry) - _FIELDS)
    if unknown:
        raise FormatError(f"line {number}: unknown fields {unknown}; known: {sorted(_FIELDS)}")
    for name in ("role", "content"):
        if not isinstance(entry.get(name), str):
            raise FormatError(f"line {number}: {name!r} must be a text")
    user_id = entry.get("user_id") or user
    if not isinstance(user_id, str):
        raise FormatError(f"line {number} names no user_id; say --user")
    message: Message = {"role": entry["role"], "content": entry["content"]}
    for name in ("at", "event_id", "metadata"):
        if entry.get(name) is not None:
            message[name] = entry[name]  # type: ignore[literal-required]
    return Turn(user_id=user_id, session_id=str(entry.get("session_id") or session), message=message)
