"""``PATCH /v1/memories/{memory_id}`` and its history, from request to store and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from memplane.api.schemas.answers import HistoryOut, ReceiptOut
from tests.support.written_api import WrittenApi, written_api


@pytest.fixture
async def api() -> AsyncIterator[WrittenApi]:
    async with written_api() as running:
        yield running


async def patch(api: WrittenApi, memory_id: str, key: str = "agent", **body: Any) -> httpx.Response:
    return await api.call("PATCH", f"/memories/{memory_id}", key=key, json=body)


async def history(api: WrittenApi, memory_id: str, query: str = "") -> list[dict[str, Any]]:
    answer = await api.call("GET", f"/memories/{memory_id}/history{query}")
    assert answer.status_code == 200, answer.text
    HistoryOut.model_validate(answer.json(), strict=True)
    versions: list[dict[str, Any]] = answer.json()["versions"]
    return versions


def refused(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


async def test_a_change_is_a_new_version_and_history_tells_who_and_why(api: WrittenApi) -> None:
    memory_id = await api.remembered("Mei drinks coffee.", expires_at="2030-01-01T00:00:00Z")
    api.bench.clock.advance(timedelta(minutes=1))
    answer = await patch(api, memory_id, "operator", content="用户喜欢乌龙茶", importance=0.9, expires_at=None)
    ReceiptOut.model_validate(answer.json(), strict=True)
    (item,) = answer.json()["items"]
    assert (answer.status_code, answer.json()["status"]) == (200, "completed")
    assert (item["outcome"], item["memory_ids"], item["reason"]) == (
        "superseded",
        [memory_id],
        "updated: content, importance, expires_at",
    )
    memory = (await api.call("GET", f"/memories/{memory_id}")).json()
    assert (memory["content"], memory["importance"], memory["expires_at"]) == ("用户喜欢乌龙茶", 0.9, None)
    newest, oldest = await history(api, memory_id)
    assert newest == memory | {
        "op": "update",
        "changed_by": newest["changed_by"],
        "reason": "updated: content, importance, expires_at",
    }
    assert (oldest["content"], oldest["op"], oldest["reason"]) == ("Mei drinks coffee.", "add", None)
    assert newest["changed_by"].startswith("key-")
    assert newest["changed_by"] != oldest["changed_by"]
    assert int(newest["version"]) > int(oldest["version"])


async def test_history_comes_in_pages_newest_first(api: WrittenApi) -> None:
    memory_id = await api.remembered("Mei drinks coffee.")
    for number in range(4):
        await patch(api, memory_id, importance=number / 10)
    whole = await history(api, memory_id)
    assert [version["importance"] for version in whole[:4]] == [0.3, 0.2, 0.1, 0.0]
    seen: list[Any] = []
    cursor = ""
    while True:
        page = (await api.call("GET", f"/memories/{memory_id}/history?limit=2{cursor}")).json()
        seen += page["versions"]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == whole
    other = await api.remembered("Mei drinks water.")
    refused(await api.call("GET", f"/memories/{other}/history?limit=2{cursor}"), 422, "bad_cursor")
    refused(await api.call("GET", f"/memories/{memory_id}/history?limit=0"), 422, "invalid")


async def test_the_history_of_a_fact_tells_its_values_and_ends(api: WrittenApi) -> None:
    path = "/users/u/facts/order/1/status"
    for value in ("open", "paid"):
        receipt = await api.call("PUT", path, json={"value": value})
    await api.call("DELETE", path)
    await api.call("PUT", path, json={"value": "again"})
    (memory_id,) = receipt.json()["items"][0]["memory_ids"]
    shown = [(version["op"], version["fact_value"], version["reason"]) for version in await history(api, memory_id)]
    assert shown == [
        ("add", "again", None),
        ("forget", "paid", "deleted by caller"),
        ("overwrite", "paid", None),
        ("add", "open", None),
    ]


async def test_what_is_not_there_has_neither_history_nor_changes(api: WrittenApi) -> None:
    gone = await api.remembered("Mei drinks coffee.")
    await api.call("DELETE", f"/memories/{gone}")
    private = await api.remembered("Secret of agent two.", agent_id="agent-2", visibility="private")
    foreign = await api.remembered("Of another user.", user_id="v")
    for memory_id, key in (
        (gone, "agent"),
        ("mem_x", "agent"),
        ("mem_aaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaa", "agent"),
        (private, "bound"),
        (foreign, "user"),
    ):
        refused(await patch(api, memory_id, key, pinned=True), 404, "not_found")
        refused(await api.call("GET", f"/memories/{memory_id}/history", key=key), 404, "not_found")
    assert len(await history(api, private)) == 1
    refused(await patch(api, foreign, "auditor", pinned=True), 403, "forbidden")
    events = (await api.call("GET", "/events?user_id=u")).json()["events"]
    assert len(events) == 2, "a refused change leaves no event"


@pytest.mark.parametrize(
    ("body", "place", "code"),
    [
        ({}, "", "missing"),
        ({"content": None}, "content", "wrong_type"),
        ({"content": " "}, "content", "blank"),
        ({"importance": None}, "importance", "wrong_type"),
        ({"importance": 1.5}, "importance", "out_of_range"),
        ({"category": "none"}, "category", "unknown_value"),
        ({"pinned": 1}, "pinned", "wrong_type"),
        ({"metadata": None}, "metadata", "wrong_type"),
        ({"metadata": {"a.b": 1}}, "metadata", "bad_key"),
        ({"expires_at": "2030-01-01"}, "expires_at", "bad_time"),
        ({"kind": "fact"}, "kind", "unknown_field"),
        ({"user_id": "v"}, "user_id", "unknown_field"),
    ],
)
async def test_faults_of_a_change_are_named(api: WrittenApi, body: dict[str, Any], place: str, code: str) -> None:
    memory_id = await api.remembered("Mei drinks coffee.")
    answer = await patch(api, memory_id, **body)
    refused(answer, 422, "invalid")
    assert (answer.json()["errors"][0]["path"], answer.json()["errors"][0]["code"]) == (place, code)
    assert len(await history(api, memory_id)) == 1


async def test_the_content_of_a_fact_is_changed_by_its_value_only(api: WrittenApi) -> None:
    receipt = await api.call("PUT", "/users/u/facts/order/1/status", json={"value": "open"})
    (memory_id,) = receipt.json()["items"][0]["memory_ids"]
    answer = await patch(api, memory_id, content="The status of order 1 is paid.")
    refused(answer, 422, "invalid")
    assert answer.json()["errors"][0]["path"] == "content"
    assert (await patch(api, memory_id, importance=0.4, pinned=True)).status_code == 200
    fact = (await api.call("GET", "/users/u/facts/order/1/status")).json()
    memory = (await api.call("GET", f"/memories/{memory_id}")).json()
    assert (fact["value"], memory["importance"], memory["pinned"]) == ("open", 0.4, True)


async def test_a_keyed_repeat_is_answered_from_the_first_also_when_the_memory_is_gone(api: WrittenApi) -> None:
    memory_id, other = await api.remembered("Mei drinks coffee."), await api.remembered("Mei drinks water.")
    headers = {"idempotency-key": "k"}

    async def keyed(memory_id: str, **body: Any) -> httpx.Response:
        return await api.call("PATCH", f"/memories/{memory_id}", json=body, headers=headers)

    first = await keyed(memory_id, importance=0.3)
    refused(await keyed(memory_id, importance=0.4), 409, "idempotency_conflict")
    refused(await keyed(other, importance=0.3), 409, "idempotency_conflict")
    await api.call("DELETE", f"/memories/{memory_id}")
    again = await keyed(memory_id, importance=0.3)
    assert (again.status_code, again.content) == (200, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    fresh = {"idempotency-key": "k2"}
    answer = await api.call("PATCH", f"/memories/{memory_id}", json={"importance": 0.3}, headers=fresh)
    refused(answer, 404, "not_found")


async def test_a_private_memory_stays_private_in_the_event_of_its_change(api: WrittenApi) -> None:
    memory_id = await api.remembered("Secret.", agent_id="agent-2", visibility="private")
    assert (await patch(api, memory_id, "operator", content="Another secret.")).status_code == 200
    memory = (await api.call("GET", f"/memories/{memory_id}")).json()
    assert (memory["visibility"], memory["agent_id"]) == ("private", "agent-2")
    assert (await api.call("GET", "/events?user_id=u", key="bound")).json()["events"] == []
    shown = (await api.call("GET", "/events?user_id=u&agent_id=agent-2")).json()["events"]
    assert [event["content"] for event in shown] == ["Another secret.", "Secret."]
