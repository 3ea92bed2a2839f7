"""Every write that was answered with success is there, once, at once, under any concurrency."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.http_api import fresh
from tests.support.platform import Platform

LINE = {
    "zh": "用户的第{n}份合同编号是 {marker},已经签字。",
    "en": "Contract number {n} of the user is {marker} and is signed.",
}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("writes", [8, 200])
async def test_parallel_writes_are_all_there(platform: Platform, language: str, writes: int) -> None:
    api, run = platform.agent, fresh("r").removeprefix("r-")
    users = [fresh() for _ in range(4)]
    lines = {
        f"CT-{run}-{n:04}": (users[n % len(users)], LINE[language].format(n=n, marker=f"CT-{run}-{n:04}"))
        for n in range(writes)
    }
    async with api.parallel(connections=64) as http:
        answers = await asyncio.gather(
            *(http.post("/v1/memories", json={"user_id": user, "content": text}) for user, text in lines.values())
        )
        assert {answer.status_code for answer in answers} == {200}
        memory_ids = [answer.json()["items"][0]["memory_ids"][0] for answer in answers]
        assert len(set(memory_ids)) == writes
        got = await asyncio.gather(*(http.get(f"/v1/memories/{memory_id}") for memory_id in memory_ids))
        assert [answer.json()["content"] for answer in got] == [text for _, text in lines.values()]
        recalls = await asyncio.gather(
            *(
                http.post("/v1/recall", json={"user_id": user, "query": marker, "deadline_ms": 30_000})
                for marker, (user, _) in lines.items()
            )
        )
    lost = [
        marker
        for (marker, (_, text)), answer in zip(lines.items(), recalls, strict=True)
        if text not in [memory["content"] for memory in answer.json()["memories"]]
    ]
    assert lost == []
    for user in users:
        assert api.contents(user) == sorted(text for owner, text in lines.values() if owner == user)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_one_users_parallel_turns_are_all_there(platform: Platform, language: str) -> None:
    """One scope, whose writes are put in order: none gets lost between the others."""
    api, user = platform.agent, fresh()
    texts = [LINE[language].format(n=n, marker=f"TT-{n:04}") for n in range(60)]
    async with api.parallel(connections=60) as http:
        bodies = [
            {"user_id": user, "session_id": f"s-{n % 5}", "messages": [{"role": "user", "content": text}]}
            for n, text in enumerate(texts)
        ]
        answers = await asyncio.gather(*(http.post("/v1/events", json=body) for body in bodies))
    assert {answer.status_code for answer in answers} == {200}
    assert api.contents(user) == sorted(texts)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("plan", ["auto", "exact", "index"])
def test_a_caller_reads_its_own_write_first(platform: Platform, language: str, plan: str) -> None:
    api, user = platform.agent, fresh()
    for n in range(5):
        text = LINE[language].format(n=n, marker=f"OWN-{n}{user[-6:]}")
        written = api.remembered(user, text, wait="indexed" if plan == "index" else "committed")
        assert api.recalled(user, text, plan=plan, profile="relevance")[0]["memory_id"] == written


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_batch_of_turns_keeps_its_order(platform: Platform, language: str) -> None:
    api, user = platform.agent, fresh()
    texts = [LINE[language].format(n=n, marker=f"OR-{n:03}") for n in range(120)]
    receipt = api.events(user, texts).json()
    assert [item["index"] for item in receipt["items"]] == list(range(120))
    by_id = {memory["memory_id"]: memory for memory in api.all_memories(user)}
    stored = [by_id[item["memory_ids"][0]] for item in receipt["items"]]
    assert [memory["content"] for memory in stored] == texts
    versions = [int(memory["version"]) for memory in stored]
    assert versions == sorted(set(versions))
