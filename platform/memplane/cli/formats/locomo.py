"""LoCoMo: a JSON list of conversations between two speakers.

``conversation`` holds ``speaker_a``, ``speaker_b`` and, for each n, ``session_n`` (turns with ``dia_id``, ``speaker``,
``text`` and sometimes ``blip_caption``, the caption of a shared image) and ``session_n_date_time``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from memplane.cli.formats.conversation import FormatError, Turn
from memplane.client import Message

SECONDS_PER_TURN = 5
"""Sessions are dated, turns are not: this keeps their order."""

_DATE = "%I:%M %p on %d %B, %Y"
_SESSION = re.compile(r"session_(\d+)")


def read_locomo(document: Any, *, user: str | None) -> Iterator[Turn]:
    """The turns of all conversations, one user each: ``<user>-<sample_id>`` or its sample id. Raises: FormatError."""
    samples = document if isinstance(document, list) else [document]
    for number, sample in enumerate(samples):
        if not isinstance(sample, dict) or not isinstance(sample.get("conversation"), dict):
            raise FormatError(f"entry {number} has no 'conversation'; is the file really LoCoMo?")
        sample_id = str(sample.get("sample_id") or f"conv-{number}")
        yield from _conversation(sample["conversation"], f"{user}-{sample_id}" if user else sample_id, sample_id)


def _conversation(conversation: Mapping[str, Any], user_id: str, sample_id: str) -> Iterator[Turn]:
    sessions = sorted(int(found[1]) for name in conversation if (found := _SESSION.fullmatch(name)))
    for session in sessions:
        name = f"session_{session}"
        turns = conversation[name]
        if not isinstance(turns, list):
            raise FormatError(f"{sample_id}: {name} is not a list of turns")
        began = _session_time(conversation.get(f"{name}_date_time"), f"{sample_id}: {name}_date_time")
        for index, turn in enumerate(turns):
            at = began + timedelta(seconds=SECONDS_PER_TURN * index)
            yield Turn(
                user_id=user_id,
                session_id=name,
                message=_message(
                    turn, at, first_speaker=conversation.get("speaker_a"), place=f"{sample_id}: {name}[{index}]"
                ),
            )


def _message(turn: Any, at: datetime, *, first_speaker: Any, place: str) -> Message:
    try:
        speaker, event_id, text = str(turn["speaker"]), str(turn["dia_id"]), str(turn["text"])
    except (KeyError, TypeError) as error:
        raise FormatError(f"{place} needs speaker, dia_id and text") from error
    caption = turn.get("blip_caption")
    image = f" [image: {caption}]" if caption else ""
    return {
        "role": "user" if speaker == first_speaker else "assistant",
        "content": f"{speaker}: {text}{image}",
        "at": at.isoformat(),
        "event_id": event_id,
        "metadata": {"speaker": speaker},
    }


def _session_time(value: Any, place: str) -> datetime:
    try:
        return datetime.strptime(str(value), _DATE).replace(tzinfo=UTC)
    except ValueError as error:
        raise FormatError(f"{place} is {value!r}; expected a time like '1:56 pm on 8 May, 2023'") from error
