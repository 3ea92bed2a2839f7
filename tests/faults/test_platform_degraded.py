"""A part of a running platform is away or hangs: reads go on with less, writes are safe or refused, nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.support.http_api import assert_problem, fresh
from tests.support.platform import Platform, eventually

pytestmark = pytest.mark.timeout(400)

TEXT = {
    "zh": "用户的急诊联系人是王芳,电话尾号 5521。",
    "en": "The emergency contact of the user is Dana, extension 5521.",
}
MORE = {"zh": "用户的备用钥匙放在邻居陈叔家里。", "en": "The spare key of the user is with the neighbour Carl."}


@pytest.fixture(autouse=True)
def local(platform: Platform) -> None:
    """Only a local platform may be broken; each test begins with a whole one."""
    if platform.data_dir is None:
        pytest.skip("the platform of this run is not ours to break")
    platform.wait_ready()


def health(platform: Platform) -> tuple[int, dict[str, str], str]:
    answer = httpx.get(f"{platform.url}/v1/health/ready", timeout=20, trust_env=False)
    components = {name: part["status"] for name, part in answer.json()["components"].items()}
    return answer.status_code, components, answer.json()["status"]


@contextmanager
def hanging(platform: Platform, name: str) -> Iterator[None]:
    """A watched process is there and does not answer."""
    process = platform.process(name)
    process.suspend()
    try:
        yield
    finally:
        if process.is_running():  # the supervisor may have replaced it
            process.resume()
    platform.wait_ready()


def test_milvus_down(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    for text in TEXT.values():
        api.remembered(user, text, wait="indexed")
    with platform.held_down("milvus"):
        for language, text in TEXT.items():
            found = api.recalled(user, text, profile="relevance")
            assert found[0]["content"] == text
            forced = api.recall(user, text, plan="index", profile="relevance").json()
            assert (forced["plan"], forced["degraded"]) == ("exact", ["milvus"])
            assert forced["memories"][0]["content"] == text
            assert api.remember(user, MORE[language]).status_code == 200
            assert api.recalled(user, MORE[language], profile="relevance")[0]["content"] == MORE[language]
        late = api.remember(user, "用户的门禁卡编号是 C-9917。", wait="indexed")
        assert (late.status_code, late.json()["status"]) == (202, "pending")
        deleted = api.remembered(user, "用户的旧门禁卡编号是 C-0001。")
        assert api.forget(deleted).status_code == 200
        code, components, status = health(platform)
        assert (code, components["milvus"], status) == (200, "down", "degraded")
    for text in (*MORE.values(), "用户的门禁卡编号是 C-9917。"):
        eventually(
            lambda text=text: [
                memory["content"] for memory in api.recalled(user, text, plan="index", profile="relevance")
            ][:1] == [text],
            timeout_s=60,
            what=f"the index has caught up with {text}",
        )  # fmt: skip
    assert deleted not in {memory["memory_id"] for memory in api.recalled(user, "门禁卡", plan="index", top_k=50)}
    assert api.http.get(f"/v1/operations/{late.json()['operation_id']}").json()["status"] == "completed"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_milvus_hangs(platform: Platform, language: str) -> None:
    """Each arm has its own share of the deadline: one that hangs leaves the others their time."""
    api, user = platform.agent, fresh()
    api.remembered(user, TEXT[language], wait="indexed")
    with hanging(platform, "milvus"):
        assert api.recalled(user, TEXT[language])[0]["content"] == TEXT[language]
        assert api.remember(user, MORE[language]).status_code == 200
        body = {"user_id": user, "query": TEXT[language], "plan": "index", "deadline_ms": 4_000}
        answer = api.post("/v1/recall", body)
        assert answer.status_code == 200
        assert answer.json()["degraded"] == ["milvus"]
        assert answer.json()["took_ms"] <= 4_000
        assert answer.json()["memories"][0]["content"] == TEXT[language]
    assert api.contents(user) == sorted([TEXT[language], MORE[language]])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_clickhouse_down(platform: Platform, language: str) -> None:
    api, user, key = platform.agent, fresh(), fresh("key")
    memory_id = api.remembered(user, TEXT[language])
    with platform.held_down("clickhouse"):
        for refused in (
            api.remember(user, MORE[language], key=key),
            api.events(user, [MORE[language]]),
            api.events(user, [MORE[language]], wait="none"),
            api.forget(memory_id),
            api.memory(memory_id),
            api.listing(user_id=user),
        ):
            document = assert_problem(refused, 503, "unavailable")
            assert int(refused.headers["retry-after"]) >= 1
            assert "127.0.0.1" not in document["detail"]
        answer = api.recall(user, TEXT[language])
        assert (answer.status_code, answer.json()["memories"]) == (200, [])
        assert "clickhouse" in answer.json()["degraded"]
        assert_problem(platform.api("mp_nobody").listing(user_id=user), 401, "unauthenticated")
        assert httpx.get(f"{platform.url}/v1/health/live", trust_env=False).status_code == 200
        code, components, status = health(platform)
        assert (code, components["clickhouse"], status) == (503, "down", "down")
    assert api.contents(user) == [TEXT[language]]
    assert api.recalled(user, TEXT[language])[0]["memory_id"] == memory_id
    assert api.remember(user, MORE[language], key=key).status_code == 200
    assert api.contents(user) == sorted([TEXT[language], MORE[language]])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_embedder_is_killed(platform: Platform, language: str) -> None:
    api, user = platform.agent, fresh()
    kept = api.remembered(user, TEXT[language])
    platform.replica("models:Embedder").kill()
    written = api.events(user, [MORE[language]])
    answer = api.post("/v1/recall", {"user_id": user, "query": TEXT[language], "deadline_ms": 2_000})
    assert answer.status_code == 200
    assert set(answer.json()["degraded"]) <= {"embedder"}
    assert answer.json()["memories"][0]["memory_id"] == kept
    assert written.status_code in {200, 202}, written.text
    platform.wait_ready()
    receipt = eventually(
        lambda: (
            found := api.http.get(f"/v1/operations/{written.json()['operation_id']}").json(),
            found if found["status"] == "completed" else None,
        )[1],
        timeout_s=90,
        what="the sweep has finished the write",
    )
    assert [item["outcome"] for item in receipt["items"]] == ["added"]
    assert api.contents(user) == sorted([TEXT[language], MORE[language]])
    best = api.recalled(user, MORE[language], profile="relevance")[0]
    assert best["content"] == MORE[language]
    assert {"dense", "keyword"} <= set(best["arms"])


def test_the_retriever_is_killed(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    memory_id = api.remembered(user, TEXT["zh"])
    platform.replica("retrieval:Retriever").kill()
    assert api.remember(user, TEXT["en"]).status_code == 200
    eventually(lambda: api.recall(user, TEXT["zh"]).status_code == 200, timeout_s=90, what="recall answers again")
    assert api.recalled(user, TEXT["zh"])[0]["memory_id"] == memory_id
