"""``/v1/users/{user_id}/facts`` from request to store and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from memplane.api.schemas.answers import FactOut, FactPageOut, ReceiptOut
from tests.support.in_process_writer import START
from tests.support.written_api import WrittenApi, written_api

ONE = "/users/u/facts/order/ORD-1/status"


@pytest.fixture
async def api() -> AsyncIterator[WrittenApi]:
    async with written_api(language="zh") as running:
        yield running


def at(minutes: float) -> str:
    return (START + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


async def put(api: WrittenApi, value: Any, path: str = ONE, **fields: Any) -> httpx.Response:
    answer = await api.call("PUT", path, json={"value": value, **fields})
    assert answer.status_code == 200, answer.text
    ReceiptOut.model_validate(answer.json(), strict=True)
    return answer


async def values(api: WrittenApi, query: str = "", path: str = "/users/u/facts") -> list[Any]:
    answer = await api.call("GET", f"{path}{query}")
    assert answer.status_code == 200, answer.text
    FactPageOut.model_validate(answer.json(), strict=True)
    return [fact["value"] for fact in answer.json()["facts"]]


def refused(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


async def test_a_fact_is_set_read_listed_and_deleted(api: WrittenApi) -> None:
    receipt = (await put(api, "已付款")).json()
    (item,) = receipt["items"]
    assert (receipt["status"], item["outcome"]) == ("completed", "fact_set")
    fact = (await api.call("GET", ONE)).json()
    FactOut.model_validate(fact, strict=True)
    (memory_id,) = item["memory_ids"]
    memory = (await api.call("GET", f"/memories/{memory_id}")).json()
    assert fact == {
        "entity_type": "order",
        "entity": "ORD-1",
        "attribute": "status",
        "value": "已付款",
        "memory_id": memory_id,
        "version": memory["version"],
        "valid_from": "2025-06-12T08:00:00.000Z",
        "valid_to": None,
        "recorded_at": "2025-06-12T08:00:00.000Z",
    }
    assert (memory["kind"], memory["category"], memory["fact_key"]) == ("fact", "state", "order/ORD-1/status")
    assert (memory["fact_value"], memory["content"]) == ("已付款", "订单ORD-1的状态为已付款。")
    assert (await api.call("GET", "/users/u/facts")).json() == {"facts": [fact], "next_cursor": None}
    deleted = await api.call("DELETE", ONE)
    assert deleted.status_code == 200
    assert deleted.json()["items"][0]["memory_ids"] == [memory_id]
    for method in ("GET", "DELETE"):
        refused(await api.call(method, ONE), 404, "not_found")
    refused(await api.call("GET", f"/memories/{memory_id}"), 404, "not_found")
    assert await values(api) == []
    await put(api, "again")
    assert await values(api) == ["again"]


@pytest.mark.parametrize("value", ["", "文", 0, -1.5, True, False, None, [], [1, "a", None], {"a": {"b": [{}]}}])
async def test_values_keep_their_type(api: WrittenApi, value: Any) -> None:
    await put(api, value)
    found = (await api.call("GET", ONE)).json()["value"]
    assert found == value
    assert type(found) is type(value)


async def test_a_fact_may_come_as_a_memory(api: WrittenApi) -> None:
    body = {
        "user_id": "u",
        "fact": {"entity_type": "order", "entity": "ORD-1", "attribute": "status", "value": 45},
        "event_time": at(-60),
        "expires_at": at(60),
        "importance": 0.95,
        "pinned": True,
        "session_id": "s",
        "metadata": {"source": "erp"},
    }
    answer = await api.call("POST", "/memories", json=body)
    assert answer.json()["items"][0]["outcome"] == "fact_set"
    (memory_id,) = answer.json()["items"][0]["memory_ids"]
    assert (await api.call("GET", ONE)).json()["valid_from"] == at(-60).replace("Z", ".000Z")
    memory = (await api.call("GET", f"/memories/{memory_id}")).json()
    assert (memory["importance"], memory["pinned"], memory["session_id"]) == (0.95, True, "s")
    assert memory["metadata"] == {"source": "erp"}
    api.bench.clock.advance(timedelta(minutes=60))
    refused(await api.call("GET", ONE), 404, "not_found")
    assert await values(api) == []
    assert await values(api, f"?as_of={at(30)}") == [45]


async def test_both_times_are_asked_for(api: WrittenApi) -> None:
    await put(api, "open")
    api.bench.clock.advance(timedelta(minutes=20))
    await put(api, "paid", valid_from=at(10))
    api.bench.clock.advance(timedelta(minutes=20))
    await api.call("DELETE", ONE)
    cases: list[tuple[str, Any]] = [
        (f"?as_of={at(5)}", "open"),
        (f"?as_of={at(15)}", "paid"),
        (f"?as_of={at(15)}&known_at={at(15)}", "open"),
        (f"?known_at={at(15)}", "open"),
        (f"?known_at={at(25)}", "paid"),
        (f"?as_of={at(39)}", "paid"),
        (f"?as_of={at(40)}", None),
        (f"?as_of={at(-1)}", None),
        (f"?known_at={at(-1)}", None),
        ("?as_of=" + quote("2025-06-12T16:15:00+08:00"), "paid"),
    ]
    for query, expected in cases:
        answer = await api.call("GET", f"{ONE}{query}")
        if expected is None:
            refused(answer, 404, "not_found")
            assert await values(api, query) == []
        else:
            assert answer.json()["value"] == expected, query
            assert await values(api, query) == [expected]
    then = (await api.call("GET", f"{ONE}?as_of={at(5)}")).json()
    assert (then["valid_from"], then["valid_to"]) == (at(0).replace("Z", ".000Z"), at(10).replace("Z", ".000Z"))


async def test_a_late_older_value_says_that_it_is_history(api: WrittenApi) -> None:
    await put(api, "paid")
    late = (await put(api, "open", valid_from=at(-60))).json()["items"][0]
    assert (late["outcome"], late["reason"]) == ("fact_set", "kept as history: a newer value was known already")
    assert (await api.call("GET", ONE)).json()["value"] == "paid"
    assert (await api.call("GET", f"{ONE}?as_of={at(-1)}")).json()["value"] == "open"


@pytest.mark.parametrize(("minutes", "status"), [(5, 200), (5.01, 422), (600, 422), (-600_000, 200)])
async def test_a_fact_may_lie_five_minutes_ahead(api: WrittenApi, minutes: float, status: int) -> None:
    answer = await api.call("PUT", ONE, json={"value": 1, "valid_from": at(minutes)})
    assert answer.status_code == status, answer.text
    fact = {"entity_type": "o", "entity": "1", "attribute": "s", "value": 1}
    body = {"user_id": "u", "fact": fact, "event_time": at(minutes)}
    assert (await api.call("POST", "/memories", json=body)).status_code == status


async def test_facts_are_listed_by_type_newest_first_in_pages(api: WrittenApi) -> None:
    for number in range(5):
        await put(api, number, f"/users/u/facts/order/{number}/status", valid_from=at(-number))
    await put(api, "other", "/users/u/facts/orders/1/status")
    await put(api, "foreign", "/users/v/facts/order/1/status")
    assert await values(api, "?entity_type=order") == [0, 1, 2, 3, 4]
    for moment in ("", f"&as_of={at(9)}"):
        seen: list[Any] = []
        cursor = ""
        while True:
            page = (await api.call("GET", f"/users/u/facts?entity_type=order&limit=2{moment}{cursor}")).json()
            seen += [fact["value"] for fact in page["facts"]]
            if page["next_cursor"] is None:
                break
            cursor = f"&cursor={page['next_cursor']}"
        assert seen == [0, 1, 2, 3, 4]
        for query in ("?limit=2", "?entity_type=orders", f"?entity_type=order&known_at={at(8)}"):
            refused(await api.call("GET", f"/users/u/facts{query}{cursor}"), 422, "bad_cursor")
        refused(await api.call("GET", f"/users/v/facts?entity_type=order{moment}{cursor}"), 422, "bad_cursor")


async def test_a_user_without_facts_has_an_empty_list_and_no_fact(api: WrittenApi) -> None:
    assert (await api.call("GET", "/users/nobody/facts")).json() == {"facts": [], "next_cursor": None}
    refused(await api.call("GET", "/users/nobody/facts/a/b/c"), 404, "not_found")
    refused(await api.call("DELETE", "/users/nobody/facts/a/b/c"), 404, "not_found")


@pytest.mark.parametrize("part", ["名 字", "a b", "%", "{t:String}", "'; --", "a\\b", "😀", "x" * 128, "NULL"])
async def test_parts_of_a_key_are_opaque(api: WrittenApi, part: str) -> None:
    quoted = quote(part, safe="")
    await put(api, part, f"/users/{quoted}/facts/{quoted}/{quoted}/{quoted}")
    fact = (await api.call("GET", f"/users/{quoted}/facts/{quoted}/{quoted}/{quoted}")).json()
    assert [fact[name] for name in ("entity_type", "entity", "attribute", "value")] == [part] * 4
    assert await values(api, path=f"/users/{quoted}/facts", query=f"?entity_type={quoted}") == [part]
    assert await values(api) == []


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/users/_control/facts/a/b/c", "user_id"),
        ("/users/u%00/facts/a/b/c", "user_id"),
        ("/users/u/facts/_a/b/c", "entity_type"),
        ("/users/u/facts/a/b%0A/c", "entity"),
        (f"/users/u/facts/a/b/{'c' * 129}", "attribute"),
    ],
)
async def test_parts_that_are_no_ids_are_named(api: WrittenApi, path: str, place: str) -> None:
    for method, how in (("GET", {}), ("DELETE", {}), ("PUT", {"json": {"value": 1}})):
        answer = await api.call(method, path, **how)
        refused(answer, 422, "invalid")
        assert (answer.json()["errors"][0]["path"], answer.json()["errors"][0]["code"]) == (place, "bad_id")


@pytest.mark.parametrize("path", ["/users/u/facts/a/b", "/users/u/facts/a/b/c/d", "/users/u/facts/a%2Fb/c/d"])
async def test_keys_of_other_lengths_are_no_address(api: WrittenApi, path: str) -> None:
    assert (await api.call("PUT", path, json={"value": 1})).status_code == 404


@pytest.mark.parametrize(
    ("body", "place", "code"),
    [
        ({}, "value", "missing"),
        ({"value": 2**53}, "value", "bad_number"),
        ({"value": {"a.b": 1}}, "value", "bad_key"),
        ({"value": [[[[[[1]]]]]]}, "value", "too_deep"),
        ({"value": "x" * 17_000}, "value", "too_large"),
        ({"value": 1, "valid_from": "2025-06-12"}, "valid_from", "bad_time"),
        ({"value": 1, "expires_at": "soon"}, "expires_at", "bad_time"),
        ({"value": 1, "agent_id": "_a"}, "agent_id", "bad_id"),
        ({"value": 1, "metadata": None}, "metadata", "wrong_type"),
        ({"value": 1, "wait": "x"}, "wait", "unknown_value"),
        ({"value": 1, "importance": 1}, "importance", "unknown_field"),
    ],
)
async def test_faults_of_a_value_are_named(api: WrittenApi, body: dict[str, Any], place: str, code: str) -> None:
    answer = await api.call("PUT", ONE, json=body)
    refused(answer, 422, "invalid")
    assert (answer.json()["errors"][0]["path"], answer.json()["errors"][0]["code"]) == (place, code)
    assert await values(api) == []


async def test_repeats_with_a_key_are_answered_from_the_first(api: WrittenApi) -> None:
    headers = {"idempotency-key": "k"}
    first = await api.call("PUT", ONE, json={"value": 1}, headers=headers)
    again = await api.call("PUT", ONE, json={"value": 1, "wait": "indexed"}, headers=headers)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    refused(await api.call("PUT", ONE, json={"value": 2}, headers=headers), 409, "idempotency_conflict")
    other = "/users/u/facts/order/ORD-2/status"
    refused(await api.call("PUT", other, json={"value": 1}, headers=headers), 409, "idempotency_conflict")
    deleted = await api.call("DELETE", ONE, headers=headers)
    repeated = await api.call("DELETE", ONE, headers=headers)
    assert (repeated.status_code, repeated.content) == (200, deleted.content)
    assert (await api.call("PUT", other, json={"value": 3}, headers={"idempotency-key": "k2"})).status_code == 200


async def test_keys_reach_their_own_users_and_agents(api: WrittenApi) -> None:
    await put(api, 1)
    await put(api, 2, "/users/v/facts/order/ORD-1/status")
    assert (await api.call("GET", ONE, key="user")).json()["value"] == 1
    for method, how in (("GET", {}), ("DELETE", {}), ("PUT", {"json": {"value": 1}})):
        refused(await api.call(method, "/users/v/facts/order/ORD-1/status", key="user", **how), 403, "forbidden")
        refused(await api.call(method, ONE, key="auditor", **how), 403, "forbidden")
    refused(await api.call("GET", "/users/v/facts", key="user"), 403, "forbidden")
    refused(await api.call("PUT", ONE, key="bound", json={"value": 1, "agent_id": "agent-2"}), 403, "forbidden")
    assert (await api.call("PUT", ONE, key="bound", json={"value": 3})).status_code == 200
    (event,) = (await api.call("GET", "/events?user_id=u&limit=1")).json()["events"]
    assert event["agent_id"] == "agent-1"
    assert (await api.call("GET", ONE)).json()["value"] == 3
