"""Nobody reads, finds, changes or counts what is not theirs, whatever they send."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.support.http_api import Api, assert_problem, fresh
from tests.support.platform import Platform

SECRET = {"zh": "用户的保险箱密码提示是奶奶的生日。", "en": "The user's safe hint is grandmother's birthday."}
LINE = {"zh": "用户的第{n}条记录,编号 RC-{n:03}。", "en": "Record number {n} of the user, RC-{n:03}."}

HOSTILE = [
    'x" or user_id != "',
    "*",
    "}|{",
    "'; --",
    "' OR 1=1 --",
    "%",
    "_%",
    "{t:String}",
    "{tenant_id:String}",
    "{{database}}",
    "\\",
    "\\' or ''='",
    '"]}',
    "a\u0000b",
    "\u202eabc",
    "%00",
    "..%2f..",
    "$(id)",
    "`id`",
    "<script>alert(1)</script>",
    "user_id in ['a']",
    "用户' 或 '1'='1",
    "😀" * 20,
    "\ufeff",
    "a\nb\r\nc",
]
LONG = "x" * 100_000


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_concurrent_tenants_see_their_own(platform: Platform, language: str) -> None:
    """Same user id, same text, interleaved: fifty each, and the ids have nothing in common."""
    tenants, user = [platform.new_tenant(), platform.new_tenant()], fresh()
    texts = [LINE[language].format(n=n) for n in range(50)]
    async with tenants[0].parallel(connections=50) as one, tenants[1].parallel(connections=50) as two:

        async def write(http: httpx.AsyncClient, text: str) -> httpx.Response:
            return await http.post("/v1/memories", json={"user_id": user, "content": text})

        answers = await asyncio.gather(*(write(http, text) for text in texts for http in (one, two)))
    assert {answer.status_code for answer in answers} == {200}
    rows = [tenant.all_memories(user) for tenant in tenants]
    for tenant, own in zip(tenants, rows, strict=True):
        assert sorted(memory["content"] for memory in own) == sorted(texts)
        assert {memory["tenant_id"] for memory in own} == {tenant.tenant_id}
        found = [*tenant.recalled(user, texts[7], top_k=100), *tenant.recalled(user, texts[7], top_k=100, plan="index")]
        assert {memory["tenant_id"] for memory in found} == {tenant.tenant_id}
        assert {memory["content"] for memory in found} <= set(texts)
    ids = [{memory["memory_id"] for memory in own} for own in rows]
    assert ids[0].isdisjoint(ids[1])
    assert {memory["scope_tag"] for memory in rows[0]} != {memory["scope_tag"] for memory in rows[1]}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("plan", ["exact", "index"])
def test_the_scope_is_honoured(platform: Platform, language: str, plan: str) -> None:
    api, user, other = platform.agent, fresh(), fresh()
    api.remembered(user, SECRET[language], wait="indexed")
    api.remembered(other, LINE[language].format(n=1), wait="indexed")
    assert [memory["user_id"] for memory in api.recalled(user, SECRET[language], plan=plan)] == [user]
    assert {memory["user_id"] for memory in api.recalled(other, SECRET[language], plan=plan)} == {other}
    assert api.recalled(fresh(), SECRET[language], plan=plan) == []
    for near in (user.upper(), user + " ", " " + user, user[:-1], user + "\u200b"):
        assert api.recalled(near, SECRET[language], plan=plan) == []
        assert api.all_memories(near) == []
    assert platform.new_tenant().recalled(user, SECRET[language], plan=plan) == []


def test_unknown_ids_in_a_path_are_404(platform: Platform) -> None:
    api = platform.agent
    known = api.remembered(fresh(), SECRET["en"])
    tag = known.split("_")[1]
    for unknown in ("mem_x", f"mem_{tag}_{'a' * 24}", f"evt_{tag}_{'a' * 24}", known.upper(), known + "a", "m" * 500):
        assert_problem(api.memory(unknown), 404, "not_found")
        assert_problem(api.forget(unknown), 404, "not_found")
        assert_problem(api.http.get(f"/v1/operations/{unknown}"), 404, "not_found")
    assert api.memory(known).status_code == 200


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_id_opens_nothing_for_another_tenant(platform: Platform, language: str) -> None:
    mine, theirs, user = platform.agent, platform.new_tenant(), fresh()
    theirs.remembered(user, LINE[language].format(n=1))
    written = mine.remember(user, SECRET[language]).json()
    memory_id = written["items"][0]["memory_ids"][0]
    assert_problem(theirs.memory(memory_id), 404, "not_found")
    assert_problem(theirs.forget(memory_id), 404, "not_found")
    assert_problem(theirs.http.get(f"/v1/operations/{written['operation_id']}"), 404, "not_found")
    assert mine.memory(memory_id).json()["content"] == SECRET[language]
    assert mine.contents(user) == [SECRET[language]]


def test_another_tenants_event_ids_are_its_own(platform: Platform) -> None:
    mine, theirs, user = platform.agent, platform.new_tenant(), fresh()
    turn = {"role": "user", "event_id": f"shared-{user}"}
    mine.events(user, [{**turn, "content": SECRET["zh"]}])
    answer = theirs.events(user, [{**turn, "content": SECRET["en"]}])
    assert answer.json()["items"][0]["outcome"] == "added"
    assert (mine.contents(user), theirs.contents(user)) == ([SECRET["zh"]], [SECRET["en"]])
    neighbour = fresh()
    assert mine.events(neighbour, [{**turn, "content": SECRET["en"]}]).json()["items"][0]["outcome"] == "added"
    assert (mine.contents(user), mine.contents(neighbour)) == ([SECRET["zh"]], [SECRET["en"]])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_metadata_cannot_move_a_row(platform: Platform, language: str) -> None:
    api, user, victim = platform.agent, fresh(), fresh()
    metadata: dict[str, Any] = {
        "user_id": victim, "tenant_id": "other", "agent_id": "x", "memory_id": "mem_x", "status": "forgotten",
        "scope_tag": "aaaaaaaaaa", "visibility": "private", "version": "1", "kind": "fact",
    }  # fmt: skip
    memory_id = api.remembered(user, SECRET[language], metadata=metadata)
    api.events(user, [{"role": "user", "content": LINE[language].format(n=3), "metadata": metadata}])
    memory = api.memory(memory_id).json()
    assert (memory["tenant_id"], memory["user_id"], memory["memory_id"]) == (platform.tenant_id, user, memory_id)
    assert (memory["agent_id"], memory["kind"], memory["status"]) == (None, "semantic", "active")
    assert memory["metadata"] == metadata
    assert len(api.contents(user)) == 2
    assert api.all_memories(victim) == []
    assert api.recalled(victim, SECRET[language]) == []
    assert platform.new_tenant().all_memories(victim) == []


@pytest.fixture(scope="module")
def bystander(platform: Platform) -> tuple[Api, str]:
    """Somebody else's rows, in both languages, that no hostile request may bring out."""
    user = fresh("bystander")
    for text in SECRET.values():
        platform.agent.remembered(user, text, wait="indexed")
    return platform.agent, user


@pytest.mark.parametrize("text", [*HOSTILE, LONG], ids=lambda text: ascii(text)[1:24])
def test_hostile_ids_open_nothing(bystander: tuple[Api, str], text: str) -> None:
    api, _ = bystander
    bodies = [
        ("/v1/recall", {"user_id": text, "query": SECRET["en"]}),
        ("/v1/recall", {"user_id": text, "query": SECRET["zh"], "plan": "index"}),
        ("/v1/recall", {"user_id": fresh(), "query": SECRET["en"], "session_id": text, "agent_id": text}),
        ("/v1/recall/context", {"user_id": text, "query": SECRET["en"]}),
    ]
    for path, body in bodies:
        answer = api.post(path, body)
        assert answer.status_code in {200, 422}, f"{answer.status_code} {answer.text[:300]}"
        if answer.status_code == 422:
            assert_problem(answer, 422, "invalid")
        assert answer.json().get("memories", []) == []
        assert answer.json().get("context", "") == ""
    if len(text) < 1_000:  # an address has its own limits
        for query in ({"user_id": text}, {"user_id": fresh(), "agent_id": text}):
            listed = api.listing(**query)
            assert listed.status_code in {200, 422}, listed.text[:300]
            assert listed.json().get("memories", []) == []
        for answer in (api.memory(text), api.http.get("/v1/operations/" + text.encode().hex())):
            assert answer.status_code in {404, 422}, answer.text[:300]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[1:24])
def test_a_hostile_id_is_a_name_or_refused(bystander: tuple[Api, str], text: str) -> None:
    """Where it is accepted it names exactly its own scope, in every store."""
    api, _ = bystander
    user = f"{text}{fresh()}"
    written = api.remember(user, SECRET["en"], session_id=text, agent_id=text, wait="indexed")
    if written.status_code == 422:
        assert_problem(written, 422, "invalid")
        return
    assert written.status_code == 200, written.text
    for plan in ("exact", "index"):
        assert [memory["user_id"] for memory in api.recalled(user, SECRET["en"], plan=plan)] == [user]
    (memory,) = api.all_memories(user)
    assert (memory["user_id"], memory["session_id"], memory["agent_id"]) == (user, text, text)


@pytest.mark.parametrize("text", [*HOSTILE, LONG], ids=lambda text: ascii(text)[1:24])
def test_hostile_queries_bring_nobody_elses_rows(bystander: tuple[Api, str], text: str) -> None:
    api, somebody = bystander
    user = fresh()
    api.remembered(user, SECRET["en"], wait="indexed")
    for plan in ("exact", "index"):
        answer = api.recall(user, text, plan=plan, top_k=100)
        assert answer.status_code in {200, 422}, f"{answer.status_code} {answer.text[:300]}"
        assert {memory["user_id"] for memory in answer.json().get("memories", [])} <= {user}
        assert somebody not in answer.text


@pytest.mark.parametrize("text", [*HOSTILE, LONG[:2_000]], ids=lambda text: ascii(text)[1:24])
def test_hostile_cursors_and_keys_are_refused(bystander: tuple[Api, str], text: str) -> None:
    api, somebody = bystander
    assert_problem(api.listing(user_id=somebody, cursor=text), 422, "bad_cursor")
    refused = platform_key(api, text)
    assert_problem(refused, 401, "unauthenticated")


def platform_key(api: Api, text: str) -> httpx.Response:
    """A request with ``text`` as its key, as far as a header can carry it."""
    bearer = text.encode().hex() if any(ord(character) < 32 for character in text) else text
    headers = [(b"authorization", b"Bearer " + bearer.encode())]
    return httpx.get(f"{api.url}/v1/memories", params={"user_id": "x"}, headers=headers, trust_env=False)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[1:24])
def test_hostile_content_is_kept_as_it_came(bystander: tuple[Api, str], text: str) -> None:
    api, _ = bystander
    user = fresh()
    content = f"备注 note: {text} end"
    memory_id = api.remembered(user, content, metadata={"note": text}, wait="indexed")
    memory = api.memory(memory_id).json()
    assert memory["content"] == content
    assert memory["metadata"] == {"note": text}
    for plan in ("exact", "index"):
        assert [found["content"] for found in api.recalled(user, content, plan=plan)] == [content]
