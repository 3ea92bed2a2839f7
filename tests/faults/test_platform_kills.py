"""Processes of a running platform are killed in the middle of work: what was acknowledged is there, once."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import psutil
import pytest

from memplane.client import AsyncMemoryClient, ClientError, RetryPolicy
from tests.support.http_api import fresh
from tests.support.platform import Platform, eventually

pytestmark = pytest.mark.timeout(400)

BATCHES = 60
TURNS_EACH = 5
IN_FLIGHT = 6
KILL_AFTER = 15
LONGEST_IMPORT_S = 150
PATIENT = RetryPolicy(attempts=200, longest_wait_s=1.0, attempt_timeout_s=20.0, through_restart=True)
ONCE = RetryPolicy(attempts=1)
LINES = (
    "用户的第{n}张发票编号是 {marker},抬头是成都分公司。",
    "Invoice number {n} of the user is {marker}, for the Hamburg branch.",
)


@pytest.fixture(autouse=True)
def local(platform: Platform) -> None:
    """Only a local platform may be broken; each test begins with a whole one."""
    if platform.data_dir is None:
        pytest.skip("the platform of this run is not ours to break")
    platform.wait_ready()


@dataclass(kw_only=True)
class Import:
    """Batches of turns, Chinese and English in turn, with what became of each."""

    user: str = field(default_factory=fresh)
    acknowledged: dict[int, str] = field(default_factory=dict)
    unanswered: set[int] = field(default_factory=set)
    enough: asyncio.Event = field(default_factory=asyncio.Event)

    def marker(self, number: int) -> str:
        return f"INV-{self.user[2:8]}-{number:04}"

    def texts(self, batch: int) -> list[str]:
        numbers = range(batch * TURNS_EACH, (batch + 1) * TURNS_EACH)
        return [LINES[number % 2].format(n=number, marker=self.marker(number)) for number in numbers]

    async def run(self, platform: Platform, *, retries: RetryPolicy, victim: psutil.Process) -> None:
        """Sends all batches, several at a time, and kills a process once enough have been acknowledged."""
        waiting = list(reversed(range(BATCHES)))
        async with AsyncMemoryClient(platform.url, platform.agent_key, timeout_s=180, retries=retries) as client:

            async def send() -> None:
                while waiting:
                    await self._one(client, waiting.pop())

            async def strike() -> None:
                await self.enough.wait()
                assert waiting, "the kill came too late to disturb anything"
                victim.kill()

            async with asyncio.timeout(LONGEST_IMPORT_S), asyncio.TaskGroup() as group:
                group.create_task(strike())
                for _ in range(IN_FLIGHT):
                    group.create_task(send())

    async def _one(self, client: AsyncMemoryClient, batch: int) -> None:
        messages = [{"role": "user", "content": text} for text in self.texts(batch)]
        try:
            receipt = await client.add_events(
                self.user, messages, session_id=f"s-{batch % 4}", idempotency_key=f"{self.user}-{batch}"
            )
        except ClientError:
            self.unanswered.add(batch)
            await asyncio.sleep(0.2)
        else:
            self.acknowledged[batch] = receipt["operation_id"]
        if len(self.acknowledged) >= KILL_AFTER:
            self.enough.set()

    def expected(self, batches: Sequence[int]) -> list[str]:
        return sorted(text for batch in batches for text in self.texts(batch))


def wait_completed(platform: Platform, work: Import) -> None:
    """Waits until every acknowledged operation has its final receipt, with a memory for each turn."""

    def completed() -> bool:
        answers = [platform.agent.http.get(f"/v1/operations/{name}") for name in work.acknowledged.values()]
        assert {answer.status_code for answer in answers} == {200}
        if any(answer.json()["status"] != "completed" for answer in answers):
            return False
        outcomes = {item["outcome"] for answer in answers for item in answer.json()["items"]}
        assert outcomes == {"added"}
        return True

    eventually(completed, timeout_s=90, what="acknowledged writes are completed", every_s=1.0)


def stored_events(platform: Platform, user: str) -> list[tuple[str, int]]:
    """Every event of a user with the number of its rows that readers see."""
    rows = platform.clickhouse(
        "SELECT content, count() AS n FROM events FINAL WHERE tenant_id = {t:String} AND user_id = {u:String}"
        " GROUP BY content ORDER BY content",
        t=platform.tenant_id,
        u=user,
    )
    return [(row["content"], int(row["n"])) for row in rows]


def assert_recalled(platform: Platform, work: Import, batches: Sequence[int], *, plan: str) -> None:
    """Recall by marker has the turn first, for a sample over all batches."""
    for batch in batches[:: max(1, len(batches) // 25)]:
        text, number = work.texts(batch)[batch % TURNS_EACH], batch * TURNS_EACH + batch % TURNS_EACH

        def first(number: int = number) -> str | None:
            found = platform.agent.recalled(work.user, work.marker(number), plan=plan, profile="relevance")
            return found[0]["content"] if found else None

        # The exact plan reads the truth; the index is repaired behind it.
        patience_s = 0 if plan == "exact" else 60
        eventually(lambda first=first, text=text: first() == text, timeout_s=patience_s, what=f"{plan} finds {text}")


VICTIMS: dict[str, Callable[[Platform], psutil.Process]] = {
    "the writer's replica": lambda platform: platform.replica("ingest:Writer"),
    "milvus": lambda platform: platform.process("milvus"),
    "clickhouse": lambda platform: platform.process("clickhouse"),
}


@pytest.mark.parametrize("victim_of", VICTIMS.values(), ids=VICTIMS.keys())
async def test_a_kill_during_an_import_loses_and_doubles_nothing(
    platform: Platform, victim_of: Callable[[Platform], psutil.Process]
) -> None:
    work = Import()
    await work.run(platform, retries=PATIENT, victim=victim_of(platform))
    assert work.unanswered == set()
    await asyncio.to_thread(platform.wait_ready)
    await asyncio.to_thread(wait_completed, platform, work)
    everything = work.expected(range(BATCHES))
    assert stored_events(platform, work.user) == [(text, 1) for text in everything]
    assert platform.agent.contents(work.user) == everything
    assert_recalled(platform, work, list(range(BATCHES)), plan="exact")
    assert_recalled(platform, work, list(range(BATCHES)), plan="index")


@pytest.mark.parametrize("victim_of", VICTIMS.values(), ids=VICTIMS.keys())
async def test_without_retries_an_unanswered_write_is_there_once_or_not_at_all(
    platform: Platform, victim_of: Callable[[Platform], psutil.Process]
) -> None:
    work = Import()
    await work.run(platform, retries=ONCE, victim=victim_of(platform))
    await asyncio.to_thread(platform.wait_ready)
    await asyncio.to_thread(wait_completed, platform, work)
    acknowledged = sorted(work.acknowledged)
    maybe = set(work.expected(sorted(work.unanswered)))
    # What was journaled without an answer is finished by the sweep: the rows stop changing.
    eventually(
        lambda: [text for text, _ in stored_events(platform, work.user)] == platform.agent.contents(work.user),
        timeout_s=60,
        what="every stored event has its memory",
        every_s=1.0,
    )
    contents = platform.agent.contents(work.user)
    assert len(contents) == len(set(contents))
    assert set(work.expected(acknowledged)) <= set(contents) <= set(work.expected(acknowledged)) | maybe
    assert {count for _, count in stored_events(platform, work.user)} == {1}
    # A late retry under the same key still has one effect.
    for batch in sorted(work.unanswered):
        retried = platform.agent.events(
            work.user, work.texts(batch), key=f"{work.user}-{batch}", session_id=f"s-{batch % 4}"
        )
        assert retried.status_code in {200, 202}, retried.text
        work.acknowledged[batch] = retried.json()["operation_id"]
    await asyncio.to_thread(wait_completed, platform, work)
    assert platform.agent.contents(work.user) == work.expected(range(BATCHES))


@pytest.mark.parametrize("stop", ["down", "kill -9 of everything"])
def test_data_and_keys_survive_the_platform(platform: Platform, stop: str) -> None:
    api, user = platform.agent, fresh()
    texts = [line.format(n=1, marker=f"UP-{user[2:8]}-{n}") for n, line in enumerate(LINES)]
    kept = [api.remembered(user, text, wait="indexed") for text in texts]
    gone = api.remembered(user, "用户的旧地址是春熙路一号。")
    api.forget(gone)
    before = api.all_memories(user)
    ended = platform.command("down") if stop == "down" else kill_everything(platform)
    assert ended.returncode == 0, ended.stderr
    assert platform.status()["state"] == "stopped"
    started = platform.command("up", "--detach")
    assert started.returncode == 0, f"{started.stdout}\n{started.stderr}"
    assert platform.status()["url"] == platform.url
    platform.wait_ready()
    assert api.all_memories(user) == before
    for memory_id, text in zip(kept, texts, strict=True):
        assert api.memory(memory_id).json()["content"] == text
        for plan in ("exact", "index"):
            assert api.recalled(user, text, plan=plan, profile="relevance")[0]["memory_id"] == memory_id
    assert api.memory(gone).status_code == 404
    later = api.memory(api.remembered(user, texts[0])).json()
    assert int(later["version"]) > max(int(memory["version"]) for memory in before)


def kill_everything(platform: Platform) -> subprocess.CompletedProcess[str]:
    """As after a loss of power of the processes: the supervisor first, so that nothing is restarted."""
    report = platform.status()
    serve = platform.process("serve")
    watched = [platform.process(record["name"]) for record in report["processes"]]
    victims = [platform.supervisor(), *serve.children(recursive=True), *watched]
    for victim in victims:
        if victim.is_running():
            victim.kill()
    return platform.command("down")
