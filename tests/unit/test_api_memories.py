"""``/v1/memories`` by listing and by id."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from memplane.api.schemas.answers import MemoryOut, MemoryPageOut
from memplane.domain.commands import RememberStatement
from memplane.domain.ids import AgentId, UserId
from memplane.domain.memory import Kind, MemoryAccess, Status, Visibility
from memplane.ports.memory_store import MemoryRef
from tests.support.api_fakes import NOW, OTHER, Platform, start_platform


@pytest.fixture
async def platform() -> Platform:
    return await start_platform()


def _contents(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    MemoryPageOut.model_validate(answer.json(), strict=True)
    return [memory["content"] for memory in answer.json()["memories"]]


async def test_a_statement_is_remembered_listed_read_and_forgotten(platform: Platform) -> None:
    body = {"user_id": "u", "content": "用户偏好简洁回答", "kind": "semantic", "category": "preference", "pinned": True}
    receipt = (await platform.call("POST", "/v1/memories", json=body)).json()
    command = platform.writer.commands[0]
    assert isinstance(command, RememberStatement)
    assert (command.kind, command.category) == ("semantic", "preference")
    assert (command.pinned, command.importance) == (True, None)
    (memory_id,) = receipt["items"][0]["memory_ids"]
    path = f"/v1/memories/{memory_id}"
    assert _contents(await platform.call("GET", "/v1/memories?user_id=u")) == ["用户偏好简洁回答"]
    assert (await platform.call("GET", path)).json()["content"] == "用户偏好简洁回答"
    assert (await platform.call("DELETE", path)).status_code == 200
    for method in ("GET", "DELETE"):
        again = await platform.call(method, path)
        assert (again.status_code, again.json()["code"]) == (404, "not_found")
    assert _contents(await platform.call("GET", "/v1/memories?user_id=u")) == []


async def test_a_memory_is_shown_to_the_letter(platform: Platform) -> None:
    memory = await platform.store(
        "u",
        "订单ORD-1已付款",
        kind=Kind.FACT,
        fact_key="order/ORD-1/status",
        fact_value={"value": "paid"},
        version=2**63 + 1,
        rank=2**100 + 1,
        event_time=NOW.replace(microsecond=120_000),
    )
    used = MemoryAccess(access_count=3, last_accessed_at=NOW)
    ref = MemoryRef(tenant_id=memory.scope.tenant_id, scope_tag=memory.scope.tag, memory_id=memory.memory_id)
    platform.memories.record_use(ref=ref, access=used)
    shown = (await platform.call("GET", f"/v1/memories/{memory.memory_id}")).json()
    MemoryOut.model_validate(shown, strict=True)
    assert (shown["version"], shown["rank"]) == (str(2**63 + 1), str(2**100 + 1))
    assert (shown["event_time"], shown["last_accessed_at"]) == ("2026-06-16T09:00:00.120Z", "2026-06-16T09:00:00.000Z")
    assert (shown["access_count"], shown["fact_value"], shown["valid_to"]) == (3, {"value": "paid"}, None)
    assert not {"terms", "content_hash"} & shown.keys()


async def test_a_user_without_data_is_an_empty_page(platform: Platform) -> None:
    answer = await platform.call("GET", "/v1/memories?user_id=nobody")
    assert answer.json() == {"memories": [], "next_cursor": None}


async def test_pages_follow_each_other_newest_first_without_gap_or_repeat(platform: Platform) -> None:
    for index in range(7):
        await platform.store("u", f"m{index}", event_time=NOW + timedelta(minutes=index // 2))
    await platform.store("v", "foreign")
    seen: list[str] = []
    path = "/v1/memories?user_id=u&limit=3"
    while True:
        answer = await platform.call("GET", path)
        seen += _contents(answer)
        if answer.json()["next_cursor"] is None:
            break
        path = f"/v1/memories?user_id=u&limit=2&cursor={answer.json()['next_cursor']}"
    assert sorted(seen) == [f"m{index}" for index in range(7)]
    assert [int(name[1:]) // 2 for name in seen] == [3, 2, 2, 1, 1, 0, 0]


async def test_an_exact_last_page_has_no_cursor(platform: Platform) -> None:
    for index in range(2):
        await platform.store("u", f"m{index}")
    answer = await platform.call("GET", "/v1/memories?user_id=u&limit=2")
    assert (len(answer.json()["memories"]), answer.json()["next_cursor"]) == (2, None)


@pytest.mark.parametrize(
    "change",
    [
        "user_id=v",
        "user_id=u&kind=semantic",
        "user_id=u&status=archived",
        "user_id=u&category=event",
        "user_id=u&from=2020-01-01T00:00:00Z",
        "user_id=u&agent_id=agent-1",
    ],
)
async def test_a_cursor_is_bound_to_its_query(platform: Platform, change: str) -> None:
    for index in range(3):
        await platform.store("u", f"m{index}")
    cursor = (await platform.call("GET", "/v1/memories?user_id=u&limit=1")).json()["next_cursor"]
    answer = await platform.call("GET", f"/v1/memories?{change}&cursor={cursor}")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor")


async def test_a_cursor_of_another_tenant_or_of_ones_own_making_is_refused(platform: Platform) -> None:
    for tenant in ("default", "other"):
        for index in range(2):
            await platform.store("u", f"m{index}", tenant_id=tenant)  # type: ignore[arg-type]
    cursor = (await platform.call("GET", "/v1/memories?user_id=u&limit=1")).json()["next_cursor"]
    raw = bytearray(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    raw[-3] ^= 1
    forged = base64.urlsafe_b64encode(bytes(raw)).decode().rstrip("=")
    tries = [("other", cursor), ("agent", forged)]
    tries += [("agent", made_up) for made_up in ("x", "", "é", "A" * 9000)]
    for key, tried in tries:
        answer = await platform.call("GET", "/v1/memories", key=key, params={"user_id": "u", "cursor": tried})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor")


async def test_listings_are_narrowed_by_kind_category_status_and_time(platform: Platform) -> None:
    await platform.store("u", "old", event_time=NOW - timedelta(days=9), kind=Kind.SEMANTIC, category="preference")
    await platform.store("u", "new", category="event")
    await platform.store("u", "cold", status=Status.ARCHIVED)
    await platform.store("u", "gone", status=Status.FORGOTTEN)
    await platform.store("u", "expired", expires_at=NOW)
    cases = {
        "": ["new", "old"],
        "&kind=semantic": ["old"],
        "&kind=semantic&kind=episodic": ["new", "old"],
        "&category=event": ["new"],
        "&status=archived": ["cold"],
        "&status=archived&status=active": ["cold", "new", "old"],
        "&from=2026-06-10T00:00:00Z": ["new"],
        "&to=2026-06-10T00:00:00%2B08:00": ["old"],
    }
    for query, expected in cases.items():
        answer = await platform.call("GET", f"/v1/memories?user_id=u{query}")
        assert sorted(_contents(answer)) == sorted(expected), query


@pytest.mark.parametrize(
    ("query", "path", "code"),
    [
        ("", "user_id", "missing"),
        ("user_id=", "user_id", "bad_id"),
        ("user_id=_control", "user_id", "bad_id"),
        ("user_id=a%00", "user_id", "bad_id"),
        ("user_id=u&user_id=v", "user_id", "repeated"),
        ("user_id=u&limit=0", "limit", "out_of_range"),
        ("user_id=u&limit=201", "limit", "out_of_range"),
        ("user_id=u&limit=many", "limit", "wrong_type"),
        ("user_id=u&limit=" + "9" * 5000, "limit", "wrong_type"),
        ("user_id=u&kind=any", "kind.0", "unknown_value"),
        ("user_id=u&status=forgotten", "status.0", "unknown_value"),
        ("user_id=u&from=2026-06-10", "from", "bad_time"),
        ("user_id=u&from=2026-06-10T00:00:00+08:00", "from", "bad_time"),
        ("user_id=u&from=2026-06-10T00:00:00Z&to=2026-06-10T00:00:00Z", "", "out_of_range"),
        ("user_id=u&filter={}", "filter", "not_supported"),
        ("user_id=u&order=importance", "order", "unknown_value"),
        ("user_id=u&tenant_id=other", "tenant_id", "unknown_field"),
    ],
)
async def test_faults_of_a_listing_are_named(platform: Platform, query: str, path: str, code: str) -> None:
    answer = await platform.call("GET", f"/v1/memories?{query}")
    assert answer.status_code == 422
    assert (answer.json()["errors"][0]["path"], answer.json()["errors"][0]["code"]) == (path, code)


@pytest.mark.parametrize(
    "user_id", ['x" or user_id != "', "*", "}|{", "'; --", "%", "{t:String}", "\\", "$$", "u\u202e", "名"]
)
async def test_strange_users_see_nothing_of_others(platform: Platform, user_id: str) -> None:
    await platform.store("u", "secret")
    assert _contents(await platform.call("GET", "/v1/memories", params={"user_id": user_id})) == []


async def test_foreign_ids_are_not_found_and_stay(platform: Platform) -> None:
    memory = await platform.store("u", "mine", tenant_id=OTHER)
    for method in ("GET", "DELETE"):
        answer = await platform.call(method, f"/v1/memories/{memory.memory_id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    stored = await platform.stored(memory)
    assert stored is not None
    assert stored.memory.status is Status.ACTIVE


async def test_a_tag_that_two_users_share_gives_each_only_their_own(platform: Platform) -> None:
    """Tags are short: the full user id decides."""
    memory = await platform.store("u", "of v")
    scope = replace(memory.scope, user_id=UserId("v"))
    newer = replace(memory, scope=scope, version=memory.version + 1, rank=memory.rank + 1)
    await platform.memories.commit(versions=[newer])
    for method in ("GET", "DELETE"):
        assert (await platform.call(method, f"/v1/memories/{memory.memory_id}", key="user")).status_code == 404


@pytest.mark.parametrize(
    "memory_id", ["mem_x", "x", "%00", "..%2f..", "mem_" + "a" * 4000, "op_aaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaa", "名"]
)
async def test_ids_that_are_none_are_not_found(platform: Platform, memory_id: str) -> None:
    for method in ("GET", "DELETE"):
        answer = await platform.call(method, f"/v1/memories/{memory_id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.FORGOTTEN])
async def test_memories_that_are_not_forgotten_are_read_by_id(platform: Platform, status: Status) -> None:
    memory = await platform.store("u", "x", status=status)
    assert (await platform.call("GET", f"/v1/memories/{memory.memory_id}")).json()["status"] == status.value


PRIVATE: list[tuple[str, str, int, list[str]]] = [
    ("agent", "", 200, ["of-1", "shared"]),
    ("agent", "&agent_id=agent-1", 200, ["of-1", "shared"]),
    ("agent", "&agent_id=agent-2", 200, ["shared"]),
    ("bound", "", 200, ["of-1", "shared"]),
    ("bound-2", "", 404, ["shared"]),
    ("several", "", 200, ["shared"]),
    ("several", "&agent_id=agent-1", 200, ["of-1", "shared"]),
    ("user", "", 200, ["of-1", "shared"]),
    ("operator", "", 200, ["of-1", "shared"]),
]


@pytest.mark.parametrize(("key", "query", "by_id", "listed"), PRIVATE)
async def test_private_memories_show_to_their_agent(
    platform: Platform, key: str, query: str, by_id: int, listed: list[str]
) -> None:
    await platform.add_key("bound-2", agent_ids=[AgentId("agent-2")])
    fields: dict[str, Any] = {"visibility": Visibility.PRIVATE, "agent_id": AgentId("agent-1")}
    memory = await platform.store("u", "of-1", **fields)
    await platform.store("u", "shared", agent_id=AgentId("agent-1"))
    assert sorted(_contents(await platform.call("GET", f"/v1/memories?user_id=u{query}", key=key))) == listed
    assert (await platform.call("GET", f"/v1/memories/{memory.memory_id}", key=key)).status_code == by_id
    assert (await platform.call("DELETE", f"/v1/memories/{memory.memory_id}", key=key)).status_code == by_id


async def test_an_agent_that_the_key_is_not_bound_to_cannot_be_named(platform: Platform) -> None:
    answer = await platform.call("GET", "/v1/memories?user_id=u&agent_id=agent-2", key="bound")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
