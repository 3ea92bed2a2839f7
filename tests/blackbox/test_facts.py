"""Exact facts, changes with their history, and the events behind them, over HTTP."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.support.http_api import Api, assert_problem, fresh
from tests.support.platform import Platform, eventually

STATUS = "order/ORD-20250611-003/status"
WORDS = {"zh": ("待付款", "已付款", "已取消"), "en": ("open", "paid", "cancelled")}


@pytest.fixture
def api(platform: Platform) -> Api:
    return platform.agent


def at(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def put(api: Api, user: str, value: Any, name: str = STATUS, **fields: Any) -> dict[str, Any]:
    answer = api.http.put(f"/v1/users/{user}/facts/{name}", json={"value": value, **fields})
    assert answer.status_code in {200, 202}, answer.text
    receipt: dict[str, Any] = answer.json()
    return receipt


def get(api: Api, user: str, name: str = STATUS, **query: str) -> httpx.Response:
    return api.http.get(f"/v1/users/{user}/facts/{name}", params=query)


def history(api: Api, memory_id: str) -> list[dict[str, Any]]:
    answer = api.http.get(f"/v1/memories/{memory_id}/history", params={"limit": 200})
    assert answer.status_code == 200, answer.text
    versions: list[dict[str, Any]] = answer.json()["versions"]
    return versions


def events(api: Api, user: str, **query: Any) -> list[dict[str, Any]]:
    answer = api.http.get("/v1/events", params={"user_id": user, "limit": 200, **query})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["events"]
    return found


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_fact_tells_what_was_true_and_what_was_known(api: Api, language: str) -> None:
    user, (first, second, third) = fresh(), WORDS[language]
    now = datetime.now(UTC)
    put(api, user, third, valid_from=at(now - timedelta(days=1)))
    known = at(datetime.now(UTC))
    late = put(api, user, first, valid_from=at(now - timedelta(days=30)))
    put(api, user, second, valid_from=at(now - timedelta(days=10)))
    assert late["items"][0]["outcome"] == "fact_set"
    assert get(api, user).json()["value"] == third
    assert get(api, user, as_of=at(now - timedelta(days=5))).json()["value"] == second
    then = get(api, user, as_of=at(now - timedelta(days=20))).json()
    assert (then["value"], then["valid_to"]) == (first, at(now - timedelta(days=10)))
    assert_problem(get(api, user, as_of=at(now - timedelta(days=20)), known_at=known), 404, "not_found")
    assert_problem(get(api, user, as_of=at(now - timedelta(days=31))), 404, "not_found")
    api.http.delete(f"/v1/users/{user}/facts/{STATUS}")
    assert_problem(get(api, user), 404, "not_found")
    assert get(api, user, as_of=at(now)).json()["value"] == third
    put(api, user, first)
    assert get(api, user).json()["value"] == first
    listed = api.http.get(f"/v1/users/{user}/facts", params={"entity_type": "order"}).json()
    assert [fact["value"] for fact in listed["facts"]] == [first]
    ops = [version["op"] for version in history(api, late["items"][0]["memory_ids"][0])]
    assert ops == ["add", "forget", "overwrite", "overwrite", "add"]


async def test_parallel_values_are_all_kept_and_one_wins_for_all(api: Api) -> None:
    user = fresh()
    async with api.parallel() as http:
        answers = await asyncio.gather(
            *(http.put(f"/v1/users/{user}/facts/{STATUS}", json={"value": number}) for number in range(24))
        )
    assert {answer.status_code for answer in answers} == {200}
    (memory_id,) = {answer.json()["items"][0]["memory_ids"][0] for answer in answers}
    versions = history(api, memory_id)
    assert sorted(version["fact_value"] for version in versions) == list(range(24))
    assert len({version["version"] for version in versions}) == 24
    greatest = max(versions, key=lambda version: int(version["rank"]))
    assert get(api, user).json()["value"] == greatest["fact_value"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_corrected_memory_is_found_by_its_new_words_only(api: Api, language: str) -> None:
    user = fresh()
    said, corrected, word = {
        "zh": ("用户的车停在负二层蓝区。", "用户的车停在屋顶花园。", "屋顶花园"),
        "en": ("The user parks in the blue basement.", "The user parks on the rooftop garden.", "rooftop garden"),
    }[language]
    memory_id = api.remembered(user, said)
    answer = api.http.patch(f"/v1/memories/{memory_id}", json={"content": corrected, "metadata": {"by": "me"}})
    assert answer.status_code == 200, answer.text
    assert answer.json()["items"][0]["memory_ids"] == [memory_id]
    assert api.contents(user) == [corrected]
    found = api.recalled(user, word)
    assert [(memory["memory_id"], memory["content"]) for memory in found] == [(memory_id, corrected)]
    newest, oldest = history(api, memory_id)
    assert (newest["content"], newest["op"], newest["metadata"]) == (corrected, "update", {"by": "me"})
    assert (oldest["content"], oldest["op"]) == (said, "add")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_events_list_every_write_with_what_became_of_it(api: Api, language: str) -> None:
    user = fresh()
    say = {"zh": ["用户对花生过敏。", "好的"], "en": ["The user is allergic to peanuts.", "ok"]}[language]
    receipt = api.events(user, say, session_id="s-9").json()
    put(api, user, WORDS[language][0])
    fact, thanks, said = events(api, user)
    assert (fact["role"], fact["outcome"], fact["session_id"]) == ("event", "fact_set", None)
    assert WORDS[language][0] in fact["content"]
    assert (thanks["content"], thanks["outcome"], thanks["memory_ids"]) == (say[1], "rejected", [])
    assert (said["content"], said["outcome"], said["session_id"]) == (say[0], "added", "s-9")
    assert said["event_id"] == receipt["items"][0]["event_id"]
    assert said["memory_ids"] == receipt["items"][0]["memory_ids"]
    assert [event["content"] for event in events(api, user, session_id="s-9", role="user")] == say[::-1]
    assert events(api, fresh()) == []


def test_other_tenants_and_users_reach_none_of_it(platform: Platform, api: Api) -> None:
    user, stranger = fresh(), platform.new_tenant()
    memory_id = put(api, user, 1)["items"][0]["memory_ids"][0]
    assert_problem(get(stranger, user), 404, "not_found")
    assert_problem(stranger.http.patch(f"/v1/memories/{memory_id}", json={"pinned": True}), 404, "not_found")
    assert_problem(stranger.http.get(f"/v1/memories/{memory_id}/history"), 404, "not_found")
    assert events(stranger, user) == []
    put(stranger, user, 2)
    assert get(api, user).json()["value"] == 1
    assert_problem(get(api, fresh()), 404, "not_found")


def test_facts_that_were_taken_on_survive_their_writer(platform: Platform, api: Api) -> None:
    if platform.data_dir is None:
        pytest.skip("needs a local platform")
    user = fresh()
    put(api, user, "before")
    for number in range(20):
        put(api, user, number, f"n/{number}/v", wait="none")
    platform.replica("ingest:Writer").kill()
    eventually(
        lambda: len(api.http.get(f"/v1/users/{user}/facts", params={"limit": 200}).json().get("facts", [])) == 21,
        timeout_s=90,
        what="every fact is there",
    )
    platform.wait_ready()
    platform.wait_for_leases()
    versions = history(api, api.http.get(f"/v1/users/{user}/facts/n/7/v").json()["memory_id"])
    assert [version["fact_value"] for version in versions] == [7]
