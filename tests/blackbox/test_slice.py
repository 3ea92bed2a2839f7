"""The main job as a user sees it: turns go in, memories come out, and are gone when they are told to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http_api import assert_problem, fresh
from tests.support.platform import Platform, eventually

STORIES = {
    "zh": {
        "turns": ["我对花生过敏,点菜要避开花生。", "下周三我要去杭州出差三天。", "我的猫叫豆包,今年五岁。"],
        "question": "我对什么食物过敏?",
        "opening": "以下是关于用户的记忆片段,请参考但不编造",
        "mark": "[记忆-",
    },
    "en": {
        "turns": [
            "I am allergic to peanuts, so keep them out of every order.",
            "Next Wednesday I travel to Hamburg for three days.",
            "My cat is called Biscuit and is five years old.",
        ],
        "question": "Which food am I allergic to?",
        "opening": "Memory notes about the user; use them, do not invent more",
        "mark": "[memory-",
    },
}
STATEMENT = {"zh": "用户偏好在早上收到周报。", "en": "The user prefers to get the weekly report in the morning."}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_turns_become_memories_that_are_found_cited_listed_and_deleted(platform: Platform, language: str) -> None:
    api, user, story = platform.agent, fresh(), STORIES[language]
    written = api.events(user, story["turns"], agent_id="helper")
    assert written.status_code == 200, written.text
    receipt = written.json()
    assert receipt["status"] == "completed"
    assert [item["index"] for item in receipt["items"]] == [0, 1, 2]
    assert {item["outcome"] for item in receipt["items"]} == {"added"}
    assert len({item["event_id"] for item in receipt["items"]}) == 3
    memory_ids = [item["memory_ids"][0] for item in receipt["items"]]

    found = api.recalled(user, story["question"])
    best = found[0]
    assert best["memory_id"] == memory_ids[0]
    assert best["content"] == story["turns"][0]
    assert (best["tenant_id"], best["user_id"], best["agent_id"]) == (platform.tenant_id, user, "helper")
    assert best["source_event_ids"] == [receipt["items"][0]["event_id"]]
    assert best["arms"]
    assert all(0 <= part <= 1 for part in best["scores"].values())
    scores = [memory["score"] for memory in found]
    assert scores == sorted(scores, reverse=True)

    block = api.post("/v1/recall/context", {"user_id": user, "query": story["question"], "language": language}).json()
    assert block["context"].startswith(story["opening"])
    assert story["mark"] in block["context"]
    assert story["turns"][0] in block["context"]
    assert memory_ids[0] in {citation["memory_id"] for citation in block["citations"]}
    assert all(f"· {citation['ref']}]" in block["context"] for citation in block["citations"])
    assert block["advice"] == "ok"
    assert 0 < block["tokens"] <= 32_768 // 4

    assert api.contents(user) == sorted(story["turns"])
    got = api.memory(memory_ids[0])
    assert got.status_code == 200
    assert {name: got.json()[name] for name in got.json()} == {name: best[name] for name in got.json()}

    deleted = api.forget(memory_ids[0])
    assert deleted.status_code == 200, deleted.text
    assert deleted.json()["items"][0]["memory_ids"] == [memory_ids[0]]
    assert_problem(api.memory(memory_ids[0]), 404, "not_found")
    assert_problem(api.forget(memory_ids[0]), 404, "not_found")
    assert api.contents(user) == sorted(story["turns"][1:])
    assert memory_ids[0] not in {memory["memory_id"] for memory in api.recalled(user, story["question"])}
    again = api.post("/v1/recall/context", {"user_id": user, "query": story["question"]}).json()
    assert story["turns"][0] not in again["context"]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("wait", ["none", "committed", "indexed"])
def test_each_wait_ends_in_the_same_memory(platform: Platform, language: str, wait: str) -> None:
    api, user = platform.agent, fresh()
    written = api.remember(user, STATEMENT[language], wait=wait)
    assert written.status_code == (202 if wait == "none" else 200), written.text
    operation_id = written.json()["operation_id"]
    receipt: dict[str, Any] = eventually(
        lambda: (
            found := api.http.get(f"/v1/operations/{operation_id}").json(),
            found if found["status"] == "completed" else None,
        )[1],
        timeout_s=30,
        what="the operation is completed",
    )
    if wait != "none":
        assert receipt == written.json()
    assert receipt["items"][0]["outcome"] == "added"
    assert api.memory(receipt["items"][0]["memory_ids"][0]).json()["content"] == STATEMENT[language]
    assert api.contents(user) == [STATEMENT[language]]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_unacknowledged_wait_is_pending_and_says_what_it_took(platform: Platform, language: str) -> None:
    written = platform.agent.events(fresh(), STORIES[language]["turns"], wait="none")
    assert written.status_code == 202
    assert written.json()["status"] in {"pending", "completed"}
    assert len(written.json()["items"]) == 3


def test_what_is_not_worth_keeping_says_why(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    items = api.events(user, ["嗯嗯好的", "Thanks, bye!", "帮我查下今天的天气"]).json()["items"]
    assert [item["outcome"] for item in items] == ["rejected"] * 3
    assert all(item["reason"] for item in items)
    assert all(item["memory_ids"] == [] for item in items)
    assert api.contents(user) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_explicit_statement_keeps_what_its_caller_said_of_it(platform: Platform, language: str) -> None:
    api, user = platform.agent, fresh()
    said = {
        "kind": "semantic",
        "category": "preference",
        "importance": 0.85,
        "pinned": True,
        "session_id": "s-9",
        "agent_id": "helper",
        "metadata": {"source": "表单", "nested": {"n": 1.5, "none": None, "list": [True, "x"]}},
    }
    memory_id = api.remembered(user, STATEMENT[language], event_time="2025-06-12T09:30:00.123+08:00", **said)
    memory = api.memory(memory_id).json()
    assert {name: memory[name] for name in said} == said
    assert memory["event_time"] == "2025-06-12T01:30:00.123Z"
    assert memory["status"] == "active"
    assert memory["version"].isdecimal()
    assert memory["superseded_by"] is None
    assert len(memory["summary"]) <= 100


@pytest.mark.parametrize("language", ["zh", "en"])
def test_both_plans_agree(platform: Platform, language: str) -> None:
    api, user = platform.agent, fresh()
    topics = {
        "zh": ["红茶", "登山", "钢琴", "摄影", "围棋", "游泳", "书法", "烘焙", "滑雪", "园艺", "骑行", "观鸟"],
        "en": ["tea", "hiking", "piano", "photography", "chess", "swimming", "sewing", "baking", "skiing", "roses",
               "cycling", "birds"],
    }[language]  # fmt: skip
    form = {"zh": "用户每个周末都喜欢{},已经坚持了很多年。", "en": "The user has enjoyed {} every weekend for years."}
    turns = [form[language].format(topic) for topic in topics]
    assert api.events(user, turns, wait="indexed").status_code == 200
    for topic, turn in zip(topics, turns, strict=True):
        by_plan = {
            plan: api.recalled(user, topic, plan=plan, top_k=10, profile="relevance") for plan in ("exact", "index")
        }
        assert {plan: found[0]["content"] for plan, found in by_plan.items()} == {"exact": turn, "index": turn}
        exact, index = ({memory["memory_id"] for memory in found} for found in by_plan.values())
        assert len(exact & index) >= 0.9 * len(exact)
    said = {plan: api.recall(user, topics[0], plan=plan).json()["plan"] for plan in ("exact", "index", "auto")}
    assert said == {"exact": "exact", "index": "index", "auto": "exact"}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_messages_may_stand_for_the_query(platform: Platform, language: str) -> None:
    api, user, story = platform.agent, fresh(), STORIES[language]
    api.events(user, story["turns"])
    messages = [{"role": "user", "content": story["question"]}]
    answer = api.post("/v1/recall", {"user_id": user, "messages": messages, "top_k": 1})
    assert [memory["content"] for memory in answer.json()["memories"]] == [story["turns"][0]]


def test_an_honest_empty_answer(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    assert api.recalled(user, "anything at all") == []
    assert api.post("/v1/recall/context", {"user_id": user, "query": "什么都没有"}).json()["context"] == ""
    api.remembered(user, "用户的车是一辆蓝色的旅行车。")
    assert api.recalled(user, "quantum chromodynamics", min_relevance=1.0) == []


def test_the_time_window_is_honoured(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    days = {day: f"2025-03-{day:02}T12:00:00Z" for day in (1, 10, 20)}
    for day, moment in days.items():
        api.remembered(user, f"The user met the dentist on day {day}.", event_time=moment)
    window = {"from": "2025-03-02T00:00:00Z", "to": "2025-03-20T12:00:00Z"}
    found = api.recalled(user, "dentist", time=window)
    assert [memory["event_time"] for memory in found] == ["2025-03-10T12:00:00.000Z"]
    listed = api.all_memories(user, **window)
    assert [memory["event_time"] for memory in listed] == ["2025-03-10T12:00:00.000Z"]


def test_a_memory_is_gone_at_the_moment_it_expires(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    api.remembered(user, "用户的临时门禁码是 A7731。", expires_at="2025-01-01T00:00:00Z")
    api.remembered(user, "用户的工号是 B8842。", expires_at="2090-01-01T00:00:00Z")
    assert api.contents(user) == ["用户的工号是 B8842。"]
    assert [memory["content"] for memory in api.recalled(user, "A7731 B8842 门禁码 工号")] == ["用户的工号是 B8842。"]


def test_health_tells_the_state_and_details_only_to_operators(platform: Platform) -> None:
    live = platform.api("").http.get("/v1/health/live")
    assert (live.status_code, live.json()) == (200, {"status": "ok"})
    ready = platform.api("").http.get("/v1/health/ready")
    assert ready.status_code == 200
    assert ready.json()["status"] == "ready"
    assert {"clickhouse", "milvus", "embedder", "writer"} <= set(ready.json()["components"])
    assert ready.json()["generation"]
    assert not any("detail" in component for component in ready.json()["components"].values())


@pytest.mark.parametrize("prefix", ["/v1", "/v1/recall", "/admin"])
def test_the_interface_documents_itself(platform: Platform, prefix: str) -> None:
    anyone = platform.api("").http
    page = anyone.get(f"{prefix}/docs")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    description = anyone.get(f"{prefix}/openapi.json").json()
    assert description["openapi"].startswith("3.")
    assert description["paths"]


def test_every_answer_names_its_trace(platform: Platform) -> None:
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"
    answer = platform.agent.http.get(
        "/v1/memories", params={"user_id": fresh()}, headers={"traceparent": f"00-{trace_id}-00f067aa0ba902b7-01"}
    )
    assert answer.headers["x-trace-id"] == trace_id
    assert len(platform.agent.listing(user_id=fresh()).headers["x-trace-id"]) == 32
