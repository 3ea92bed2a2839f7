"""Deletions are exact, and what was forgotten stays forgotten."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.http_api import assert_problem, fresh
from tests.support.platform import Platform

TEXTS = {
    "zh": [f"用户的第{n}个收藏是编号 SC-{n:03} 的瓷器。" for n in range(6)],
    "en": [f"The user's favourite number {n} is the vase SC-{n:03}." for n in range(6)],
}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_deletions_leave_every_other_row(platform: Platform, language: str) -> None:
    api, other_tenant, user, neighbour = platform.agent, platform.new_tenant(), fresh(), fresh()
    mine = [api.remembered(user, text) for text in TEXTS[language]]
    for caller, owner in ((api, neighbour), (other_tenant, user)):
        for text in TEXTS[language]:
            caller.remembered(owner, text)
    for deleted, memory_id in enumerate(mine, start=1):
        assert api.forget(memory_id).status_code == 200
        assert api.contents(user) == sorted(TEXTS[language][deleted:])
    assert api.recalled(user, TEXTS[language][0], top_k=100) == []
    assert api.recalled(user, TEXTS[language][0], top_k=100, plan="index") == []
    assert api.contents(neighbour) == sorted(TEXTS[language])
    assert other_tenant.contents(user) == sorted(TEXTS[language])
    assert len(api.recalled(neighbour, TEXTS[language][0], top_k=100)) == len(TEXTS[language])


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("keyed", [True, False])
def test_the_same_event_again_does_not_revive_it(platform: Platform, language: str, keyed: bool) -> None:
    api, user = platform.agent, fresh()
    key = fresh("key") if keyed else None
    turns = [{"role": "user", "content": TEXTS[language][0], **({} if keyed else {"event_id": f"e-{user}"})}]
    first = api.events(user, turns, key=key)
    memory_id = first.json()["items"][0]["memory_ids"][0]
    assert api.forget(memory_id).status_code == 200
    again = api.events(user, turns, key=key)
    assert again.status_code == 200
    assert again.json()["items"] == first.json()["items"]
    assert_problem(api.memory(memory_id), 404, "not_found")
    assert api.contents(user) == []
    assert api.recalled(user, TEXTS[language][0]) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_saying_it_again_is_a_new_memory(platform: Platform, language: str) -> None:
    api, user = platform.agent, fresh()
    first = api.remembered(user, TEXTS[language][0])
    api.forget(first)
    second = api.remembered(user, TEXTS[language][0])
    assert second != first
    assert [memory["memory_id"] for memory in api.all_memories(user)] == [second]
    assert_problem(api.memory(first), 404, "not_found")


async def test_of_parallel_deletions_one_succeeds(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    memory_id = api.remembered(user, TEXTS["zh"][0])
    async with api.parallel() as http:
        answers = await asyncio.gather(*(http.delete(f"/v1/memories/{memory_id}") for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 7
    assert api.contents(user) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_forgotten_memories_are_in_no_listing(platform: Platform, language: str) -> None:
    api, user = platform.agent, fresh()
    api.forget(api.remembered(user, TEXTS[language][0]))
    for status in ("active", "superseded", "expired", "archived", "pending_review"):
        assert api.all_memories(user, status=status) == []
    assert_problem(api.listing(user_id=user, status="forgotten"), 422, "invalid")
