"""A write that is sent again happens once, whatever became of the first answer."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.http_api import Api, assert_problem, fresh
from tests.support.platform import Platform, eventually

TURNS = {
    "zh": ["我对青霉素过敏,请记在病历里。", "我决定以后都坐高铁出差。"],
    "en": ["I am allergic to penicillin, keep that on file.", "I decided to travel by train from now on."],
}


def events_body(user: str, turns: list[str], **fields: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": turn} for turn in turns]
    return {"user_id": user, "session_id": "s-1", "messages": messages, **fields}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_second_telling_gets_the_first_receipt_byte_for_byte(platform: Platform, language: str) -> None:
    api, user, key = platform.agent, fresh(), fresh("key")
    first = api.events(user, TURNS[language], key=key)
    second = api.events(user, TURNS[language], key=key)
    assert first.status_code == second.status_code == 200
    assert second.content == first.content
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert api.contents(user) == sorted(TURNS[language])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_statements_too(platform: Platform, language: str) -> None:
    api, user, key = platform.agent, fresh(), fresh("key")
    answers = [api.remember(user, TURNS[language][0], key=key) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert [answer.headers.get("idempotent-replayed") for answer in answers] == [None, "true", "true"]
    assert api.contents(user) == [TURNS[language][0]]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_parallel_tellings_have_one_effect_and_one_receipt(platform: Platform, language: str) -> None:
    user, key = fresh(), fresh("key")
    async with platform.agent.parallel() as http:
        answers = await asyncio.gather(
            *(
                http.post("/v1/events", json=events_body(user, TURNS[language]), headers={"idempotency-key": key})
                for _ in range(12)
            )
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    assert platform.agent.contents(user) == sorted(TURNS[language])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_another_body_is_refused_and_changes_nothing(platform: Platform, language: str) -> None:
    api, user, key = platform.agent, fresh(), fresh("key")
    first = api.events(user, TURNS[language], key=key)
    assert_problem(api.events(user, TURNS[language][:1], key=key), 409, "idempotency_conflict")
    assert_problem(api.events(user, TURNS[language], key=key, agent_id="other"), 409, "idempotency_conflict")
    assert api.contents(user) == sorted(TURNS[language])
    assert api.events(user, TURNS[language], key=key).content == first.content


async def test_each_of_parallel_tellings_waits_as_far_as_it_asks(platform: Platform) -> None:
    """One that waits for nothing comes first; those that wait for the commit, or the index, get what they wait for."""
    waits = ["none", "committed", "indexed"] * 4
    async with platform.agent.parallel() as http:
        for user, key in [(fresh(), fresh("key")) for _ in range(5)]:
            answers = await asyncio.gather(
                *(
                    http.post(
                        "/v1/events",
                        json=events_body(user, TURNS["zh"], wait=wait),
                        headers={"idempotency-key": key},
                    )
                    for wait in waits
                )
            )
            waited = [answer for wait, answer in zip(waits, answers, strict=True) if wait != "none"]
            assert {answer.status_code for answer in waited} == {200}
            assert {answer.json()["status"] for answer in waited} == {"completed"}
            assert platform.agent.contents(user) == sorted(TURNS["zh"])


async def test_of_two_bodies_at_the_same_time_one_wins(platform: Platform) -> None:
    user, key = fresh(), fresh("key")
    bodies = [events_body(user, [turn]) for turn in TURNS["zh"]]
    async with platform.agent.parallel() as http:
        answers = await asyncio.gather(
            *(http.post("/v1/events", json=bodies[n % 2], headers={"idempotency-key": key}) for n in range(10))
        )
    won = {answer.content for answer in answers if answer.status_code == 200}
    assert len(won) == 1
    assert {answer.status_code for answer in answers} == {200, 409}
    assert len(platform.agent.contents(user)) == 1


def test_the_same_body_in_another_spelling_is_the_same(platform: Platform) -> None:
    api, user, key = platform.agent, fresh(), fresh("key")
    body = events_body(user, TURNS["zh"])
    first = api.post("/v1/events", body, key=key)
    spelled = json.dumps(dict(reversed(body.items())), ensure_ascii=True, indent=3)
    headers = {"idempotency-key": key, "content-type": "application/json"}
    second = api.http.post("/v1/events", content=spelled, headers=headers)
    assert second.content == first.content
    third = api.post("/v1/events", {**body, "wait": "indexed"}, key=key)
    assert (third.status_code, third.content) == (200, first.content)
    assert api.contents(user) == sorted(TURNS["zh"])


def test_a_key_belongs_to_one_user_and_one_route(platform: Platform) -> None:
    api, one, other, key = platform.agent, fresh(), fresh(), fresh("key")
    answers = [
        api.events(one, TURNS["en"][:1], key=key),
        api.events(other, TURNS["en"][:1], key=key),
        api.remember(one, TURNS["en"][1], key=key),
    ]
    assert {answer.status_code for answer in answers} == {200}
    assert not any("idempotent-replayed" in answer.headers for answer in answers)
    assert api.contents(one) == sorted(TURNS["en"])
    assert api.contents(other) == TURNS["en"][:1]


def test_another_tenants_key_is_another_key(platform: Platform) -> None:
    mine, theirs, user, key = platform.agent, platform.new_tenant(), fresh(), fresh("key")
    first, second = mine.events(user, TURNS["zh"], key=key), theirs.events(user, TURNS["en"], key=key)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json()["operation_id"] != second.json()["operation_id"]
    assert mine.contents(user) == sorted(TURNS["zh"])
    assert theirs.contents(user) == sorted(TURNS["en"])


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("pause_s", [0.0, 0.005, 0.05])
def test_a_retry_after_a_dropped_answer_has_one_effect(platform: Platform, language: str, pause_s: float) -> None:
    api, user, key = platform.agent, fresh(), fresh("key")
    body = events_body(user, TURNS[language])
    with connection(api) as caller:
        caller.sendall(raw_request(api, body, key))
        time.sleep(pause_s)
    answer = api.post("/v1/events", body, key=key)
    assert answer.status_code == 200, answer.text
    assert [item["outcome"] for item in answer.json()["items"]] == ["added", "added"]
    assert api.contents(user) == sorted(TURNS[language])
    assert api.post("/v1/events", body, key=key).content == answer.content


def test_half_a_request_has_no_effect(platform: Platform) -> None:
    api, user, key = platform.agent, fresh(), fresh("key")
    body = events_body(user, TURNS["zh"])
    with connection(api) as caller:
        caller.sendall(raw_request(api, body, key)[:-20])
        time.sleep(0.05)
    time.sleep(0.5)
    assert api.contents(user) == []
    other = events_body(user, TURNS["en"])
    assert api.post("/v1/events", other, key=key).status_code == 200
    assert api.contents(user) == sorted(TURNS["en"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_callers_own_event_ids_make_repeats_safe_without_a_key(platform: Platform, language: str) -> None:
    api, user = platform.agent, fresh()
    turns = [
        {"role": "user", "content": turn, "event_id": f"turn-{n}-{user}"} for n, turn in enumerate(TURNS[language])
    ]
    first, second = api.events(user, turns), api.events(user, turns)
    assert first.status_code == second.status_code == 200
    assert second.json()["items"] == first.json()["items"]
    assert api.contents(user) == sorted(TURNS[language])
    third = api.events(user, [*turns, {"role": "user", "content": "用户的生日是 5 月 4 日。"}])
    assert third.json()["items"][:2] == first.json()["items"]
    assert len(api.contents(user)) == 3


def test_a_pending_write_is_completed_under_its_key(platform: Platform) -> None:
    api, user, key = platform.agent, fresh(), fresh("key")
    first = api.events(user, TURNS["zh"], key=key, wait="none")
    assert first.status_code == 202
    final = eventually(
        lambda: (
            answer := api.events(user, TURNS["zh"], key=key, wait="none"),
            answer if answer.status_code == 200 else None,
        )[1],
        timeout_s=30,
        what="the repeat is final",
    )
    assert final.json()["operation_id"] == first.json()["operation_id"]
    assert final.json() == api.http.get(f"/v1/operations/{first.json()['operation_id']}").json()
    assert api.contents(user) == sorted(TURNS["zh"])


@pytest.mark.parametrize("bad", ["", "a b", "x" * 256, "schlüssel", "a\tb"])
def test_a_key_that_is_none_is_refused(platform: Platform, bad: str) -> None:
    user = fresh()
    body = events_body(user, TURNS["en"])
    answer = platform.agent.http.post("/v1/events", json=body, headers=[(b"idempotency-key", bad.encode("latin-1"))])
    assert_problem(answer, 422, "invalid")
    assert platform.agent.contents(user) == []


def connection(api: Api) -> socket.socket:
    address = urlsplit(api.url)
    return socket.create_connection((address.hostname or "", address.port or 80), timeout=10)


def raw_request(api: Api, body: dict[str, Any], key: str) -> bytes:
    content = json.dumps(body).encode()
    head = (
        f"POST /v1/events HTTP/1.1\r\nHost: {urlsplit(api.url).netloc}\r\nAuthorization: Bearer {api.key}\r\n"
        f"Content-Type: application/json\r\nIdempotency-Key: {key}\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content
