"""What every format becomes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from memplane.client import Message


class Format(StrEnum):
    """Formats of conversation files."""

    LOCOMO = "locomo"
    """The LoCoMo benchmark: a JSON list of conversations of two speakers in dated sessions."""
    JSONL = "jsonl"
    """One turn a line: ``{"role", "content", "at"?, "event_id"?, "session_id"?, "user_id"?, "metadata"?}``."""
    OPENAI = "openai"
    """Chat messages as OpenAI writes them: ``{"messages": […]}``, a list of these, or one a line."""


class FormatError(ValueError):
    """The file is not what its format says; the message names the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a file and where it belongs. ``message`` may still lack its ``event_id``."""

    user_id: str
    session_id: str
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationBatch:
    """Turns of one session, to be sent in one request."""

    user_id: str
    session_id: str
    messages: tuple[Message, ...]

    @property
    def idempotency_key(self) -> str:
        """Derived from the content, so that the same batch of a repeated import is answered, not written."""
        body = json.dumps([self.user_id, self.session_id, self.messages], sort_keys=True, ensure_ascii=True)
        return f"import-{sha256(body.encode()).hexdigest()[:40]}"


def derived_event_id(turn: Turn, index: int) -> str:
    """An id for the ``index``-th turn of its session that is the same in every run."""
    message = turn.message
    parts = [turn.user_id, turn.session_id, str(index), message["role"], message["content"], message.get("at", "")]
    return f"imp-{sha256(json.dumps(parts).encode()).hexdigest()[:32]}"


def batched(turns: Iterator[Turn], size: int) -> Iterator[ConversationBatch]:
    """Turns in batches of at most ``size``, each of one session, in their order; missing event ids are filled in.

    Holds at most one unfinished batch, so a session whose turns do not follow each other comes in smaller batches.
    """
    counts: dict[tuple[str, str], int] = {}
    pending: list[Message] = []
    place: tuple[str, str] | None = None
    for turn in turns:
        here = (turn.user_id, turn.session_id)
        if place is not None and pending and (here != place or len(pending) >= size):
            yield ConversationBatch(user_id=place[0], session_id=place[1], messages=tuple(pending))
            pending = []
        place = here
        index = counts.get(here, 0)
        counts[here] = index + 1
        message = turn.message
        pending.append(message if "event_id" in message else {**message, "event_id": derived_event_id(turn, index)})
    if place is not None and pending:
        yield ConversationBatch(user_id=place[0], session_id=place[1], messages=tuple(pending))
