"""Bad input is refused with a stable code and a place, and nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.http_api import Api, assert_problem, fresh
from tests.support.platform import Platform

USER = fresh("bad")
TURN = {"role": "user", "content": "用户的座右铭是知行合一。"}
EVENTS = {"user_id": USER, "session_id": "s", "messages": [TURN]}
MEMORY = {"user_id": USER, "content": "The motto of the user is: know and act."}
RECALL = {"user_id": USER, "query": "motto"}


@pytest.fixture(scope="module", autouse=True)
def nothing_changes(platform: Platform) -> Iterator[None]:
    """One good row before; the same row, and no event more, after everything in this file."""
    memory_id = platform.agent.remembered(USER, "用户的车牌是川A12345。")
    yield
    (memory,) = platform.agent.all_memories(USER)
    assert (memory["memory_id"], memory["content"]) == (memory_id, "用户的车牌是川A12345。")
    if platform.data_dir is not None:
        counted = platform.clickhouse(
            "SELECT count() AS n FROM events FINAL WHERE tenant_id = {t:String} AND user_id = {u:String}",
            t=platform.tenant_id,
            u=USER,
        )
        assert int(counted[0]["n"]) == 1


@pytest.fixture
def api(platform: Platform) -> Api:
    return platform.agent


def changed(body: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {name: value for name, value in {**body, **fields}.items() if value is not ...}


def turn(**fields: Any) -> dict[str, Any]:
    return changed(EVENTS, messages=[changed(TURN, **fields)])


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"x": 1}
    for _ in range(levels):
        value = {"x": value}
    return value


BODIES: dict[str, tuple[str, Any, str]] = {
    "events: no user": ("/v1/events", changed(EVENTS, user_id=...), "user_id"),
    "events: no session": ("/v1/events", changed(EVENTS, session_id=...), "session_id"),
    "events: no messages": ("/v1/events", changed(EVENTS, messages=...), "messages"),
    "events: empty messages": ("/v1/events", changed(EVENTS, messages=[]), "messages"),
    "events: messages no list": ("/v1/events", changed(EVENTS, messages="hello"), "messages"),
    "events: turn no object": ("/v1/events", changed(EVENTS, messages=["hello"]), "messages.0"),
    "events: unknown field": ("/v1/events", changed(EVENTS, tenant_id="other"), "tenant_id"),
    "events: unknown field in a turn": ("/v1/events", turn(user_id="other"), "messages.0.user_id"),
    "events: unknown role": ("/v1/events", turn(role="root"), "messages.0.role"),
    "events: no role": ("/v1/events", turn(role=...), "messages.0.role"),
    "events: empty content": ("/v1/events", turn(content=""), "messages.0.content"),
    "events: blank content": ("/v1/events", turn(content=" \n\t\u3000"), "messages.0.content"),
    "events: content a number": ("/v1/events", turn(content=5), "messages.0.content"),
    "events: content null": ("/v1/events", turn(content=None), "messages.0.content"),
    "events: huge content": ("/v1/events", turn(content="很" * 32_001), "messages.0.content"),
    "events: one bad turn of three": (
        "/v1/events", changed(EVENTS, messages=[TURN, changed(TURN, content=""), TURN]), "messages.1.content",
    ),
    "events: too many turns": ("/v1/events", changed(EVENTS, messages=[TURN] * 1_001), "messages"),
    "events: time without offset": ("/v1/events", turn(at="2025-06-12T09:30:00"), "messages.0.at"),
    "events: time a number": ("/v1/events", turn(at=1_750_000_000), "messages.0.at"),
    "events: no such day": ("/v1/events", turn(at="2025-02-30T00:00:00Z"), "messages.0.at"),
    "events: year 1899": ("/v1/events", turn(at="1899-12-31T23:59:59Z"), "messages.0.at"),
    "events: year 9999": ("/v1/events", turn(at="9999-12-31T23:59:59Z"), "messages.0.at"),
    "events: year 0": ("/v1/events", turn(at="0000-01-01T00:00:00Z"), "messages.0.at"),
    "events: far future": ("/v1/events", turn(at="2060-01-01T00:00:00Z"), "messages.0.at"),
    "events: event id with a slash": ("/v1/events", turn(event_id="a/b"), "messages.0.event_id"),
    "events: unknown wait": ("/v1/events", changed(EVENTS, wait="forever"), "wait"),
    "memory: no content": ("/v1/memories", changed(MEMORY, content=...), "content"),
    "memory: empty content": ("/v1/memories", changed(MEMORY, content=""), "content"),
    "memory: huge content": ("/v1/memories", changed(MEMORY, content="x" * 32_001), "content"),
    "memory: content a list": ("/v1/memories", changed(MEMORY, content=["a"]), "content"),
    "memory: unknown field": ("/v1/memories", changed(MEMORY, status="forgotten"), "status"),
    "memory: unknown kind": ("/v1/memories", changed(MEMORY, kind="chunk"), "kind"),
    "memory: unknown category": ("/v1/memories", changed(MEMORY, category="gossip"), "category"),
    "memory: importance above one": ("/v1/memories", changed(MEMORY, importance=1.01), "importance"),
    "memory: importance below zero": ("/v1/memories", changed(MEMORY, importance=-0.1), "importance"),
    "memory: importance a string": ("/v1/memories", changed(MEMORY, importance="0.5"), "importance"),
    "memory: importance true": ("/v1/memories", changed(MEMORY, importance=True), "importance"),
    "memory: pinned a number": ("/v1/memories", changed(MEMORY, pinned=1), "pinned"),
    "memory: absurd event time": ("/v1/memories", changed(MEMORY, event_time="1066-10-14T09:00:00Z"), "event_time"),
    "memory: no time at all": ("/v1/memories", changed(MEMORY, event_time="yesterday"), "event_time"),
    "memory: private of nobody": ("/v1/memories", changed(MEMORY, visibility="private"), "agent_id"),
    "memory: metadata a string": ("/v1/memories", changed(MEMORY, metadata="x"), "metadata"),
    "memory: metadata too deep": ("/v1/memories", changed(MEMORY, metadata=deep(6)), "metadata"),
    "memory: metadata too large": ("/v1/memories", changed(MEMORY, metadata={"x": "很" * 6_000}), "metadata"),
    "memory: dot in a key": ("/v1/memories", changed(MEMORY, metadata={"a.b": 1}), "metadata"),
    "memory: number too great": ("/v1/memories", changed(MEMORY, metadata={"n": 2**53 + 1}), "metadata"),
    "recall: no query": ("/v1/recall", changed(RECALL, query=...), ""),
    "recall: empty query": ("/v1/recall", changed(RECALL, query=""), "query"),
    "recall: huge query": ("/v1/recall", changed(RECALL, query="x" * 8_001), ""),
    "recall: no user": ("/v1/recall", changed(RECALL, user_id=...), "user_id"),
    "recall: top_k zero": ("/v1/recall", changed(RECALL, top_k=0), "top_k"),
    "recall: top_k huge": ("/v1/recall", changed(RECALL, top_k=10**9), "top_k"),
    "recall: top_k a string": ("/v1/recall", changed(RECALL, top_k="5"), "top_k"),
    "recall: unknown plan": ("/v1/recall", changed(RECALL, plan="magic"), "plan"),
    "recall: unknown profile": ("/v1/recall", changed(RECALL, profile="best"), "profile"),
    "recall: unknown kind": ("/v1/recall", changed(RECALL, kinds=["secret"]), "kinds.0"),
    "recall: unknown field": ("/v1/recall", changed(RECALL, tenant_id="other"), "tenant_id"),
    "recall: window backwards": (
        "/v1/recall", changed(RECALL, time={"from": "2025-02-01T00:00:00Z", "to": "2025-01-01T00:00:00Z"}), "time",
    ),
    "recall: query and messages": (
        "/v1/recall", changed(RECALL, messages=[{"role": "user", "content": "x"}]), "",
    ),
    "context: no budget": ("/v1/recall/context", changed(RECALL, budget_tokens=0), "budget_tokens"),
    "context: unknown language": ("/v1/recall/context", changed(RECALL, language="tlh"), "language"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "body", "place"), BODIES.values(), ids=BODIES.keys())
def test_a_body_against_the_contract_names_its_place(api: Api, path: str, body: Any, place: str) -> None:
    document = assert_problem(api.post(path, body), 422, "invalid")
    places = [issue["path"] for issue in document["errors"]]
    assert any(found == place or found.startswith(f"{place}.") for found in places), places
    assert all(issue["code"] and issue["message"] for issue in document["errors"])


BAD_IDS = ["", "/", "a/b", ".", "..", "_control", "_knowledge", "x" * 129, "a\u0000", "a\nb", "\u0085", 5, None, ["a"]]


@pytest.mark.parametrize("bad", BAD_IDS, ids=ascii)
def test_a_user_id_that_is_none_is_refused_everywhere(api: Api, bad: Any) -> None:
    for path, body in (("/v1/events", EVENTS), ("/v1/memories", MEMORY), ("/v1/recall", RECALL)):
        document = assert_problem(api.post(path, changed(body, user_id=bad)), 422, "invalid")
        assert [issue["path"] for issue in document["errors"]] == ["user_id"]
    if isinstance(bad, str):
        assert_problem(api.listing(user_id=bad), 422, "invalid")


RAW = {
    "not JSON": b"{",
    "empty": b"",
    "prose": b"hello",
    "two values": b"{} {}",
    "NaN": b'{"user_id": "u", "content": "c", "importance": NaN}',
    "a name twice": b'{"user_id": "u", "user_id": "v", "content": "c"}',
    "half a surrogate": b'{"user_id": "u", "content": "\\ud800"}',
    "not UTF-8": '{"user_id": "u", "content": "很"}'.encode("gb18030"),
    "a bomb of brackets": b"[" * 100_000,
}


@pytest.mark.parametrize("raw", RAW.values(), ids=RAW.keys())
@pytest.mark.parametrize("path", ["/v1/events", "/v1/memories", "/v1/recall"])
def test_what_does_not_parse_is_bad_json(api: Api, path: str, raw: bytes) -> None:
    answer = api.http.post(path, content=raw, headers={"content-type": "application/json"})
    assert_problem(answer, 400, "bad_json")


@pytest.mark.parametrize("raw", [b"[]", b'"text"', b"5", b"null", b"true"])
@pytest.mark.parametrize("path", ["/v1/events", "/v1/memories", "/v1/recall"])
def test_a_body_that_is_no_object_is_invalid(api: Api, path: str, raw: bytes) -> None:
    assert_problem(api.http.post(path, content=raw, headers={"content-type": "application/json"}), 422, "invalid")


@pytest.mark.parametrize("path", ["/v1/events", "/v1/memories", "/v1/recall"])
def test_other_media_types_are_refused(api: Api, path: str) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "application/json; charset=gbk", ""):
        answer = api.http.post(path, content=b"{}", headers={"content-type": media_type})
        assert_problem(answer, 415, "unsupported_media_type")
    zipped = {"content-type": "application/json", "content-encoding": "gzip"}
    assert_problem(api.http.post(path, content=b"{}", headers=zipped), 415, "unsupported_media_type")


@pytest.mark.parametrize(("path", "size"), [("/v1/events", 9 * 2**20), ("/v1/recall", 2 * 2**20)])
def test_a_huge_body_is_too_large(api: Api, path: str, size: int) -> None:
    answer = api.http.post(path, content=b" " * size, headers={"content-type": "application/json"})
    assert_problem(answer, 413, "too_large")


def test_errors_come_in_their_order(platform: Platform, api: Api) -> None:
    """401 before 413 before 415 before 400 before 422."""
    anyone, huge = platform.api("").http, b"{" * (9 * 2**20)
    assert_problem(anyone.post("/v1/events", content=huge[:1000]), 401, "unauthenticated")
    assert_problem(api.http.post("/v1/events", content=huge, headers={"content-type": "text/plain"}), 413, "too_large")
    answer = api.http.post("/v1/events", content=b"{", headers={"content-type": "text/plain"})
    assert_problem(answer, 415, "unsupported_media_type")


QUERIES: dict[str, dict[str, Any]] = {
    "no user": {},
    "limit 0": {"user_id": USER, "limit": 0},
    "limit 201": {"user_id": USER, "limit": 201},
    "limit a word": {"user_id": USER, "limit": "many"},
    "unknown parameter": {"user_id": USER, "tenant_id": "other"},
    "user twice": {"user_id": [USER, "other"]},
    "unknown kind": {"user_id": USER, "kind": "secret"},
    "unknown order": {"user_id": USER, "order": "random"},
    "bad time": {"user_id": USER, "from": "today"},
    "backwards": {"user_id": USER, "from": "2025-02-01T00:00:00Z", "to": "2025-01-01T00:00:00Z"},
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_a_listing_against_the_contract_is_invalid(api: Api, query: dict[str, Any]) -> None:
    assert_problem(api.http.get("/v1/memories", params=query), 422, "invalid")


def test_addresses_and_methods_that_are_none(api: Api) -> None:
    for path in ("/v1/nothing", "/v1/recall/nothing", "/admin/nothing", "/v1/memories/"):
        assert_problem(api.http.get(path), 404, "not_found")
    assert_problem(api.http.put("/v1/events", json={}), 405, "method_not_allowed")
    assert_problem(api.http.get("/v1/recall"), 405, "method_not_allowed")
    assert_problem(api.http.get("/v1/operations/x", params={"a": "b"}), 422, "invalid")
