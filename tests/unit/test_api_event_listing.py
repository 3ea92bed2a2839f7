"""``GET /v1/events`` from what was written."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from memplane.api.schemas.answers import EventPageOut
from memplane.domain.errors import StoreUnavailableError
from tests.support.written_api import WrittenApi, written_api


@pytest.fixture
async def api() -> AsyncIterator[WrittenApi]:
    async with written_api() as running:
        yield running


async def say(api: WrittenApi, *messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"user_id": "u", "session_id": "s1", "messages": list(messages), **fields}
    answer = await api.call("POST", "/events", json=body)
    assert answer.status_code in {200, 202}, answer.text
    receipt: dict[str, Any] = answer.json()
    return receipt


async def listed(api: WrittenApi, query: str = "", key: str = "agent") -> list[dict[str, Any]]:
    answer = await api.call("GET", f"/events?user_id=u{query}", key=key)
    assert answer.status_code == 200, answer.text
    EventPageOut.model_validate(answer.json(), strict=True)
    events: list[dict[str, Any]] = answer.json()["events"]
    return events


async def test_an_event_is_shown_with_what_became_of_it(api: WrittenApi) -> None:
    turn = {
        "role": "user",
        "content": "我下周三要去成都出差",
        "at": "2025-06-12T09:30:00.5+08:00",
        "event_id": "D1:1",
        "metadata": {"k": None},
    }
    receipt = await say(api, turn, {"role": "user", "content": "好的"}, agent_id="agent-1")
    later, first = await listed(api)
    assert first == {
        "event_id": "D1:1",
        "role": "user",
        "content": "我下周三要去成都出差",
        "at": "2025-06-12T01:30:00.500Z",
        "received_at": "2025-06-12T08:00:00.000Z",
        "session_id": "s1",
        "agent_id": "agent-1",
        "metadata": {"k": None},
        "outcome": "added",
        "reason": None,
        "memory_ids": receipt["items"][0]["memory_ids"],
    }
    assert (later["outcome"], later["memory_ids"]) == ("rejected", [])
    assert later["reason"].startswith("gate:")


async def test_an_event_without_an_outcome_is_pending(api: WrittenApi) -> None:
    api.bench.memories.broken["commit"] = StoreUnavailableError("away", retry_after_s=1)
    receipt = await say(api, {"role": "user", "content": "我住在杭州"}, wait="none")
    assert receipt["status"] == "pending"
    (event,) = await listed(api)
    assert (event["outcome"], event["memory_ids"]) == ("pending", [])


async def test_every_write_is_an_event(api: WrittenApi) -> None:
    memory_id = await api.remembered("Mei drinks coffee.")
    api.bench.clock.advance(timedelta(seconds=1))
    await api.call("PATCH", f"/memories/{memory_id}", json={"importance": 0.9, "pinned": True})
    api.bench.clock.advance(timedelta(seconds=1))
    await api.call("PUT", "/users/u/facts/order/1/status", json={"value": "open", "metadata": {"by": "erp"}})
    api.bench.clock.advance(timedelta(seconds=1))
    await api.call("DELETE", "/users/u/facts/order/1/status")
    shown = [(event["role"], event["content"], event["outcome"], event["reason"]) for event in await listed(api)]
    assert shown == [
        ("event", "Delete the status of order 1.", "superseded", "forgotten: deleted by caller"),
        ("event", "The status of order 1 is open.", "fact_set", None),
        ("event", "updated: importance, pinned", "superseded", "updated: importance, pinned"),
        ("user", "Mei drinks coffee.", "added", None),
    ]


async def test_a_listing_narrows_by_session_role_and_time(api: WrittenApi) -> None:
    await say(
        api,
        {"role": "user", "content": "my flight is at nine", "at": "2025-06-01T09:00:00Z"},
        {"role": "assistant", "content": "noted: flight at nine", "at": "2025-06-01T09:01:00Z"},
    )
    await say(api, {"role": "tool", "content": "booked hotel Lu", "at": "2025-06-02T09:00:00Z"}, session_id="s2")
    contents = ["booked hotel Lu", "noted: flight at nine", "my flight is at nine"]
    cases: list[tuple[str, list[str]]] = [
        ("", contents),
        ("&session_id=s1", contents[1:]),
        ("&session_id=none", []),
        ("&role=user", contents[2:]),
        ("&role=user&role=tool", [contents[0], contents[2]]),
        ("&from=2025-06-01T09:01:00Z", contents[:2]),
        ("&to=2025-06-01T09:01:00Z", contents[2:]),
        ("&from=2025-06-01T17:01:00%2B08:00&to=2025-06-02T09:00:00Z", [contents[1]]),
    ]
    for query, expected in cases:
        assert [event["content"] for event in await listed(api, query)] == expected, query
    assert (await api.call("GET", "/events?user_id=nobody")).json() == {"events": [], "next_cursor": None}


async def test_pages_follow_each_other_newest_first_also_within_one_time(api: WrittenApi) -> None:
    await say(api, *({"role": "user", "content": f"note number {n}"} for n in range(7)))
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await api.call("GET", f"/events?user_id=u&limit=3{cursor}")).json()
        seen += [event["content"] for event in page["events"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == [f"note number {n}" for n in reversed(range(7))]
    for query in ("user_id=v", "user_id=u&role=user", "user_id=u&session_id=s1", "user_id=u&agent_id=a"):
        answer = await api.call("GET", f"/events?{query}{cursor}")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor")


@pytest.mark.parametrize(
    ("query", "place", "code"),
    [
        ("", "user_id", "missing"),
        ("user_id=_control", "user_id", "bad_id"),
        ("user_id=u&role=root", "role.0", "unknown_value"),
        ("user_id=u&limit=201", "limit", "out_of_range"),
        ("user_id=u&from=2025-06-01", "from", "bad_time"),
        ("user_id=u&from=2025-06-01T00:00:00Z&to=2025-06-01T00:00:00Z", "", "out_of_range"),
        ("user_id=u&kind=fact", "kind", "unknown_field"),
    ],
)
async def test_faults_of_a_listing_are_named(api: WrittenApi, query: str, place: str, code: str) -> None:
    answer = await api.call("GET", f"/events?{query}")
    assert answer.status_code == 422
    assert (answer.json()["errors"][0]["path"], answer.json()["errors"][0]["code"]) == (place, code)


async def test_keys_see_the_events_that_their_memories_may_be_seen_from(api: WrittenApi) -> None:
    await api.remembered("Secret of agent one.", agent_id="agent-1", visibility="private")
    await api.remembered("For everyone.", agent_id="agent-2")
    both = ["For everyone.", "Secret of agent one."]
    cases = [("agent", "", both), ("bound", "", both), ("user", "", both), ("operator", "", both)]
    cases += [("agent", "&agent_id=agent-2", both[:1]), ("agent", "&agent_id=agent-1", both)]
    for key, query, expected in cases:
        assert [event["content"] for event in await listed(api, query, key)] == expected, (key, query)
    for key, query in (("user", "user_id=v"), ("bound", "user_id=u&agent_id=agent-2"), ("auditor", "user_id=u")):
        answer = await api.call("GET", f"/events?{query}", key=key)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
