"""Keys: who may do what, and until when."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.http_api import Api, assert_problem, fresh
from tests.support.platform import Platform, eventually

TEXT = {"zh": "用户的血型是 O 型。", "en": "The blood group of the user is O."}
REVOKED_WITHIN_S = 2.0


def test_without_a_valid_key_nothing_opens(platform: Platform) -> None:
    for key in ("", "mp_nonsense", platform.agent_key[:-1], platform.agent_key + "a", platform.agent_key.upper()):
        caller = platform.api(key)
        for answer in (
            caller.listing(user_id="u"),
            caller.memory("mem_x"),
            caller.forget("mem_x"),
            caller.events("u", ["hello"]),
            caller.remember("u", "hello"),
            caller.recall("u", "hello"),
            caller.http.get("/v1/operations/op_x"),
            caller.post("/admin/v1/tenants", {"tenant_id": "x"}),
            caller.post("/admin/v1/keys", {"tenant_id": "default", "role": "operator"}),
        ):
            assert_problem(answer, 401, "unauthenticated")
            assert answer.headers["www-authenticate"] == "Bearer"


def test_other_schemes_are_no_key(platform: Platform) -> None:
    for header in (platform.agent_key, f"Basic {platform.agent_key}", f"Token {platform.agent_key}"):
        answer = platform.api("").http.get("/v1/memories", params={"user_id": "u"}, headers={"authorization": header})
        assert_problem(answer, 401, "unauthenticated")


def test_an_agent_cannot_administrate(platform: Platform) -> None:
    for path, body in (
        ("/admin/v1/tenants", {"tenant_id": fresh("t")}),
        ("/admin/v1/keys", {"tenant_id": platform.tenant_id, "role": "operator"}),
    ):
        assert_problem(platform.agent.post(path, body), 403, "forbidden")
    assert_problem(platform.agent.http.delete("/admin/v1/keys/key-x"), 403, "forbidden")


def test_a_tenants_operator_reaches_its_own_tenant_only(platform: Platform) -> None:
    tenant = platform.new_tenant()
    operator, _ = platform.new_key(tenant.tenant_id, role="operator")
    own = operator.post("/admin/v1/keys", {"tenant_id": tenant.tenant_id, "role": "agent"})
    assert own.status_code == 201
    assert_problem(operator.post("/admin/v1/tenants", {"tenant_id": fresh("t")}), 403, "forbidden")
    foreign = operator.post("/admin/v1/keys", {"tenant_id": platform.tenant_id, "role": "operator"})
    assert_problem(foreign, 403, "forbidden")
    _, key_id = platform.new_key(platform.tenant_id)
    assert_problem(operator.http.delete(f"/admin/v1/keys/{key_id}"), 404, "not_found")


def test_an_auditor_reads_no_memory(platform: Platform) -> None:
    user = fresh()
    memory_id = platform.agent.remembered(user, TEXT["zh"])
    auditor, _ = platform.new_key(platform.tenant_id, role="auditor")
    for answer in (
        auditor.listing(user_id=user),
        auditor.memory(memory_id),
        auditor.forget(memory_id),
        auditor.recall(user, TEXT["zh"]),
        auditor.events(user, [TEXT["en"]]),
        auditor.remember(user, TEXT["en"]),
    ):
        assert_problem(answer, 403, "forbidden")
    assert platform.agent.contents(user) == [TEXT["zh"]]


@pytest.mark.parametrize("role", ["user", "agent"])
def test_a_key_bound_to_a_user_reaches_that_user_only(platform: Platform, role: str) -> None:
    me, other = fresh(), fresh()
    theirs = platform.agent.remembered(other, TEXT["en"])
    bound, _ = platform.new_key(platform.tenant_id, role=role, user_ids=[me])
    mine = bound.remembered(me, TEXT["zh"])
    assert bound.contents(me) == [TEXT["zh"]]
    assert [row["memory_id"] for row in bound.recalled(me, TEXT["zh"])] == [mine]
    for answer in (
        bound.listing(user_id=other),
        bound.recall(other, TEXT["en"]),
        bound.events(other, [TEXT["zh"]]),
        bound.remember(other, TEXT["zh"]),
    ):
        assert_problem(answer, 403, "forbidden")
    assert_problem(bound.memory(theirs), 404, "not_found")
    assert_problem(bound.forget(theirs), 404, "not_found")
    assert platform.agent.contents(other) == [TEXT["en"]]


def test_a_user_key_names_its_user(platform: Platform) -> None:
    answer = platform.operator.post("/admin/v1/keys", {"tenant_id": platform.tenant_id, "role": "user"})
    assert_problem(answer, 422, "invalid")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_private_memories_show_to_their_agent_only(platform: Platform, language: str) -> None:
    user = fresh()
    travel, _ = platform.new_key(platform.tenant_id, agent_ids=["travel"])
    health, _ = platform.new_key(platform.tenant_id, agent_ids=["health"])
    memory_id = health.remembered(user, TEXT[language], visibility="private", wait="indexed")
    assert health.contents(user) == [TEXT[language]]
    assert [row["memory_id"] for row in health.recalled(user, TEXT[language])] == [memory_id]
    assert travel.all_memories(user) == []
    for plan in ("exact", "index"):
        assert travel.recalled(user, TEXT[language], plan=plan) == []
    assert_problem(travel.memory(memory_id), 404, "not_found")
    assert_problem(travel.forget(memory_id), 404, "not_found")
    assert_problem(travel.recall(user, TEXT[language], agent_id="health"), 403, "forbidden")
    assert_problem(travel.remember(user, TEXT[language], agent_id="health"), 403, "forbidden")
    assert health.memory(memory_id).status_code == 200


def test_a_revoked_key_closes_everywhere_within_two_seconds(platform: Platform) -> None:
    user = fresh()
    caller, key_id = platform.new_key(platform.tenant_id)
    caller.remembered(user, TEXT["zh"])
    revoked = platform.operator.http.delete(f"/admin/v1/keys/{key_id}")
    since = time.monotonic()
    assert revoked.status_code == 200, revoked.text
    assert revoked.json()["revoked_at"]
    assert "key" not in revoked.json()
    still_open = {"read", "recall", "write"}
    while still_open and time.monotonic() < since + REVOKED_WITHIN_S:
        still_open = open_doors(caller, user)
    assert still_open == set()
    assert_problem(caller.listing(user_id=user), 401, "unauthenticated")
    assert_problem(platform.operator.http.delete(f"/admin/v1/keys/{key_id}"), 404, "not_found")
    assert platform.agent.all_memories(user)


def open_doors(caller: Api, user: str) -> set[str]:
    answers = {
        "read": caller.listing(user_id=user),
        "recall": caller.recall(user, "x"),
        "write": caller.events(user, ["嗯嗯好的"]),
    }
    return {door for door, answer in answers.items() if answer.status_code != 401}


def test_a_key_ends_at_its_time(platform: Platform) -> None:
    ends = datetime.now(UTC) + timedelta(seconds=4)
    caller, _ = platform.new_key(platform.tenant_id, expires_at=ends.isoformat())
    assert caller.listing(user_id=fresh()).status_code == 200
    eventually(lambda: caller.listing(user_id="u").status_code == 401, timeout_s=10, what="the key has come to its end")
    assert datetime.now(UTC) >= ends


def test_a_tenant_is_made_once(platform: Platform) -> None:
    tenant_id = fresh("t")
    made = platform.operator.post("/admin/v1/tenants", {"tenant_id": tenant_id, "name": "甲方"})
    assert made.status_code == 201, made.text
    assert (made.json()["tenant_id"], made.json()["name"]) == (tenant_id, "甲方")
    assert "secret" not in made.text
    assert_problem(platform.operator.post("/admin/v1/tenants", {"tenant_id": tenant_id}), 409, "conflict")
    for bad in ("", "A", "a_b", "a/b", "-a", "a" * 64, "很"):
        assert_problem(platform.operator.post("/admin/v1/tenants", {"tenant_id": bad}), 422, "invalid")
    unknown = platform.operator.post("/admin/v1/keys", {"tenant_id": fresh("t"), "role": "agent"})
    assert_problem(unknown, 404, "not_found")


async def test_keys_are_made_in_parallel(platform: Platform) -> None:
    """Every one is made, none twice, and the platform is as well afterwards as before."""
    body = {"tenant_id": platform.tenant_id, "role": "agent"}
    async with platform.operator.parallel() as http:
        answers = await asyncio.gather(*(http.post("/admin/v1/keys", json=body) for _ in range(20)))
    assert [answer.text for answer in answers if answer.status_code != 201] == []
    made = [answer.json() for answer in answers]
    assert len({key["key_id"] for key in made}) == len({key["key"] for key in made}) == len(made)
    assert platform.wait_ready(timeout_s=10)["status"] == "ready"
