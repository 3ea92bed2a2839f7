"""Chat messages as OpenAI's API and fine-tuning files hold them.

Accepted: one ``{"messages": […]}``, a bare list of messages, a list of either, or one such object a line. Messages
without text (tool calls) are left out; other parts of a message than text become ``[image]``, ``[audio]``, ….
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memplane.cli.formats.conversation import FormatError, Turn
from memplane.cli.formats.jsonl import json_line
from memplane.client import Message

_ROLES = {"developer": "system", "function": "tool"}
_TEXT_PARTS = {"text", "input_text", "output_text"}


def read_openai(text: str, *, user: str | None, session: str) -> Iterator[Turn]:
    """The turns of all conversations in ``text``; one without an id is ``<session>-<number>``. Raises: FormatError."""
    if user is None:
        raise FormatError("chat messages name no user; say --user")
    for number, (session_id, messages) in enumerate(_conversations(text), start=1):
        for index, entry in enumerate(messages):
            message = _message(entry, f"conversation {number}, message {index}")
            if message is not None:
                yield Turn(user_id=user, session_id=session_id or f"{session}-{number}", message=message)


def _conversations(text: str) -> Iterator[tuple[str | None, list[Any]]]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        lines = enumerate(text.splitlines(), start=1)
        document = [json_line(line, number) for number, line in lines if line.strip()]
    if (
        isinstance(document, list)
        and document
        and all(isinstance(entry, dict) and "role" in entry for entry in document)
    ):
        document = [document]
    for entry in document if isinstance(document, list) else [document]:
        yield _conversation(entry)


def _conversation(entry: Any) -> tuple[str | None, list[Any]]:
    if isinstance(entry, list):
        return None, entry
    messages = entry.get("messages") if isinstance(entry, dict) else None
    if not isinstance(messages, list):
        raise FormatError("expected {'messages': […]}, a list of messages, or a list of these")
    session_id = entry.get("session_id") or entry.get("conversation_id") or entry.get("id")
    return (str(session_id) if session_id else None), messages


def _message(entry: Any, place: str) -> Message | None:
    role = entry.get("role") if isinstance(entry, dict) else None
    if not isinstance(role, str):
        raise FormatError(f"{place} has no role")
    content = _text(entry.get("content"), place)
    if not content.strip():
        return None
    message: Message = {"role": _ROLES.get(role, role), "content": content}
    if isinstance(entry.get("name"), str):
        message["metadata"] = {"name": entry["name"]}
    return message


def _text(content: Any, place: str) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise FormatError(f"{place}: content must be a text or a list of parts")
    return " ".join(
        str(part.get("text", "")) if part.get("type") in _TEXT_PARTS else f"[{_part_name(part)}]" for part in content
    )


def _part_name(part: dict[str, Any]) -> str:
    return str(part.get("type", "part")).removeprefix("input_").removesuffix("_url")
