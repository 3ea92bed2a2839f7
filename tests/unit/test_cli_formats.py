"""Conversation files of all three formats become the same batches in every run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memplane.cli.formats import ConversationBatch, Format, FormatError, read_batches

LOCOMO = [
    {
        "sample_id": "conv-26",
        "qa": [],
        "conversation": {
            "speaker_a": "Caroline",
            "speaker_b": "Melanie",
            "session_2_date_time": "10:04 am on 19 December, 2023",
            "session_2": [{"speaker": "Caroline", "dia_id": "D2:1", "text": "再见"}],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Caroline", "dia_id": "D1:1", "text": "Hey Mel!"},
                {"speaker": "Melanie", "dia_id": "D1:2", "text": "Look:", "blip_caption": "a sunset over a lake"},
            ],
            "session_3_date_time": "1:00 pm on 1 January, 2024",
        },
    }
]


def batches(file: Path, file_format: Format, user: str | None = "mei", size: int = 50) -> list[ConversationBatch]:
    return list(read_batches(file, file_format=file_format, user=user, batch_size=size))


def written(tmp_path: Path, text: str, name: str = "chat.json") -> Path:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_locomo(tmp_path: Path) -> None:
    file = written(tmp_path, json.dumps(LOCOMO))
    first, second = batches(file, Format.LOCOMO, user=None)
    assert (first.user_id, first.session_id, second.session_id) == ("conv-26", "session_1", "session_2")
    assert list(first.messages) == [
        {
            "role": "user",
            "content": "Caroline: Hey Mel!",
            "at": "2023-05-08T13:56:00+00:00",
            "event_id": "D1:1",
            "metadata": {"speaker": "Caroline"},
        },
        {
            "role": "assistant",
            "content": "Melanie: Look: [image: a sunset over a lake]",
            "at": "2023-05-08T13:56:05+00:00",
            "event_id": "D1:2",
            "metadata": {"speaker": "Melanie"},
        },
    ]
    assert second.messages[0]["at"] == "2023-12-19T10:04:00+00:00"
    assert {batch.user_id for batch in batches(file, Format.LOCOMO, user="fleet")} == {"fleet-conv-26"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"session_1_date_time": "8 May"}, "session_1_date_time is '8 May'"),
        ({"session_1_date_time": None}, "session_1_date_time is None"),
        ({"session_1": [{"speaker": "Caroline"}]}, r"session_1\[0\] needs speaker, dia_id and text"),
        ({"session_1": "hello"}, "session_1 is not a list"),
    ],
)
def test_locomo_says_where_it_is_wrong(tmp_path: Path, change: dict[str, object], words: str) -> None:
    sample = {**LOCOMO[0], "conversation": {**LOCOMO[0]["conversation"], **change}}  # type: ignore[dict-item]
    with pytest.raises(FormatError, match=f"conv-26: {words}"):
        batches(written(tmp_path, json.dumps([sample])), Format.LOCOMO)


def test_jsonl(tmp_path: Path) -> None:
    lines = [
        {
            "role": "user",
            "content": "我喜欢乌龙茶",
            "at": "2025-06-11T08:00:00+08:00",
            "event_id": "e1",
            "metadata": {"a": 1},
        },
        {"role": "assistant", "content": "记住了"},
        {"role": "assistant", "content": "记住了"},
        {"role": "user", "content": "hi", "user_id": "tom", "session_id": "s9"},
    ]
    file = written(tmp_path, "\ufeff" + "\n\n".join(json.dumps(line) for line in lines), "log one.jsonl")
    first, second = batches(file, Format.JSONL)
    assert (first.user_id, first.session_id) == ("mei", "log one")
    assert (second.user_id, second.session_id) == ("tom", "s9")
    assert first.messages[0] == {name: lines[0][name] for name in ("role", "content", "at", "event_id", "metadata")}
    ids = [message["event_id"] for message in first.messages]
    assert len(set(ids)) == 3, "the same words twice are two turns"
    assert batches(file, Format.JSONL) == [first, second], "the same file gives the same ids"


@pytest.mark.parametrize(
    ("line", "user", "words"),
    [
        ("{", "mei", "line 1 is not JSON"),
        ("[]", "mei", "line 1 is not an object"),
        ('{"role": "user"}', "mei", "line 1: 'content' must be a text"),
        ('{"role": "user", "content": "x", "colour": 1}', "mei", r"unknown fields \['colour'\]"),
        ('{"role": "user", "content": "x"}', None, "say --user"),
    ],
)
def test_jsonl_says_where_it_is_wrong(tmp_path: Path, line: str, user: str | None, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        batches(written(tmp_path, line), Format.JSONL, user=user)


CHAT = [
    {"role": "developer", "content": "Be kind."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "这是什么?"}, {"type": "image_url", "image_url": {"url": "x"}}],
    },
    {"role": "assistant", "content": None, "tool_calls": [{}]},
    {"role": "tool", "content": "茶壶", "name": "vision"},
]


@pytest.mark.parametrize(
    ("text", "sessions"),
    [
        (json.dumps({"messages": CHAT, "id": "c1"}), ["c1"]),
        (json.dumps(CHAT), ["chat-1"]),
        (json.dumps([{"messages": CHAT}, CHAT]), ["chat-1", "chat-2"]),
        ("\n".join(json.dumps({"messages": CHAT}) for _ in range(2)), ["chat-1", "chat-2"]),
    ],
)
def test_openai(tmp_path: Path, text: str, sessions: list[str]) -> None:
    found = batches(written(tmp_path, text), Format.OPENAI)
    assert [batch.session_id for batch in found] == sessions
    for batch in found:
        assert [message["role"] for message in batch.messages] == ["system", "user", "tool"]
        assert batch.messages[1]["content"] == "这是什么? [image]"
        assert batch.messages[2]["metadata"] == {"name": "vision"}
    ids = [message["event_id"] for batch in found for message in batch.messages]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("text", ['{"prompt": 1}', '"hi"', "not json", '[{"content": "x"}]', '{"messages": [1]}'])
def test_openai_says_what_is_wrong(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError):
        batches(written(tmp_path, text), Format.OPENAI)


def test_batches_keep_order_and_size_and_have_keys_of_their_own(tmp_path: Path) -> None:
    lines = [json.dumps({"role": "user", "content": f"第{n}句", "session_id": "s"}) for n in range(7)]
    file = written(tmp_path, "\n".join(lines))
    found = batches(file, Format.JSONL, size=3)
    assert [len(batch.messages) for batch in found] == [3, 3, 1]
    assert [m["content"] for batch in found for m in batch.messages] == [f"第{n}句" for n in range(7)]
    assert len({batch.idempotency_key for batch in found}) == 3
    other = batches(file, Format.JSONL, user="tom", size=3)
    assert found[0].idempotency_key != other[0].idempotency_key
    larger = batches(file, Format.JSONL, size=7)
    assert [m["event_id"] for m in larger[0].messages] == [m["event_id"] for batch in found for m in batch.messages]
