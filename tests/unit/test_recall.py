"""Recall over in-process stores: what comes back, why, and what happens when a part is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from memplane.adapters.memory import InMemoryRecallLog, InMemoryScopeSearch
from memplane.adapters.memory.tracer import RecordingTracer
from memplane.application.recall import Planner, RecallPorts, build_context, recall
from memplane.application.record import BoundedBatches, Recorder
from memplane.domain.commands import Wait
from memplane.domain.context import CallContext, Principal, Role
from memplane.domain.control import Policy
from memplane.domain.errors import DeadlineExceededError, ModelUnavailableError, StoreUnavailableError
from memplane.domain.ids import KeyId
from memplane.domain.queries import ContextRequest, Plan, Profile, RecallRequest
from memplane.domain.recall_record import RecallRecord
from memplane.domain.results import RecallResult
from tests.support.in_process_writer import Failing, WriterBench, running_writer

AWAY = StoreUnavailableError("away", retry_after_s=1)


@dataclass
class RecallBench:
    """A Writer with content, and the read path over the same stores."""

    writer: WriterBench
    ports: RecallPorts
    search: Failing
    index: Failing
    embedder: Failing
    records: list[RecallRecord]

    def request(self, text: str, **fields: Any) -> RecallRequest:
        return RecallRequest(scope=self.writer.scope(), text=text, **fields)

    def context(self, seconds: float = 5.0) -> CallContext:
        principal = Principal(key_id=KeyId("key-1"), tenant_id=self.writer.tenant.tenant_id, role=Role.AGENT)
        return CallContext(
            principal=principal, traceparent=f"00-{'a' * 32}-{'b' * 16}-01", deadline=time.time() + seconds
        )

    async def recall(self, text: str, **fields: Any) -> RecallResult:
        return await recall(self.ports, self.request(text, **fields), self.context())


@asynccontextmanager
async def readable(*contents: str, planner: Planner | None = None) -> AsyncIterator[RecallBench]:
    async with running_writer() as writer:
        if contents:
            await writer.writer.submit(writer.turns(*contents, wait=Wait.INDEXED), writer.context())
        records: list[RecallRecord] = []
        search = Failing(InMemoryScopeSearch(writer.memories.inner))
        recorder: BoundedBatches[RecallRecord] = BoundedBatches("test", _ignore, capacity=1_000, interval_s=1)
        recorder.offer = records.append  # type: ignore[method-assign]
        ports = RecallPorts(
            search=search,
            index=writer.index,
            view=writer.feed._view,
            embedder=writer.embedder,
            recorder=recorder,
            tracer=RecordingTracer(),
            clock=writer.clock,
            planner=planner or Planner(indexed=False, exact_max_rows=0),
        )
        yield RecallBench(
            writer=writer, ports=ports, search=search, index=writer.index, embedder=writer.embedder, records=records
        )


async def _ignore(_: object) -> None:
    return None


def contents(result: RecallResult) -> list[str]:
    return [found.stored.memory.content for found in result.memories]


TEXTS = (
    "我下周三要去成都出差",
    "I prefer window seats on long flights",
    "the dentist called about Monday",
    "用户偏好简短回复",
)


@pytest.mark.parametrize("plan", [Plan.EXACT, Plan.INDEX])
@pytest.mark.parametrize(("query", "place"), [("成都", 0), ("window seats", 1), ("dentist", 2), ("简短回复", 3)])
async def test_both_plans_find_it_first(plan: Plan, query: str, place: int) -> None:
    async with readable(*TEXTS) as bench:
        result = await bench.recall(query, plan=plan)
        assert contents(result)[0] == TEXTS[place]
        assert result.plan == plan.value
        assert result.degraded == ()
        assert {"dense", "keyword"} >= set(result.memories[0].arms)


async def plans(bench: RecallBench, *texts: str, **fields: Any) -> list[str]:
    found = [await bench.recall(text, **fields) for text in texts]
    assert all(contents(result) for result in found)
    return [result.plan for result in found]


async def test_on_a_server_a_large_scope_goes_through_the_index_once_its_size_is_known() -> None:
    async with readable(*TEXTS, planner=Planner(indexed=True, exact_max_rows=3)) as bench:
        assert await plans(bench, "dentist", "成都", "dentist") == ["exact", "index", "index"]
        assert await plans(bench, "dentist", plan=Plan.EXACT) == ["exact"]
        assert await plans(bench, "dentist", kinds=("episodic",)) == ["exact"], "filters run first, in the truth"
        bench.index.broken["search_keyword"] = AWAY
        assert await plans(bench, "dentist") == ["exact"]


async def test_a_scope_of_ordinary_size_is_read_exactly_and_a_narrow_reading_tells_no_size() -> None:
    async with readable(*TEXTS, planner=Planner(indexed=True, exact_max_rows=4)) as bench:
        assert await plans(bench, "dentist", "成都") == ["exact", "exact"]
    async with readable(*TEXTS, planner=Planner(indexed=True, exact_max_rows=3)) as bench:
        assert await plans(bench, "dentist", "dentist", kinds=("episodic",)) == ["exact", "exact"]
        assert await plans(bench, "dentist", "dentist") == ["exact", "index"]


async def test_on_lite_auto_is_exact_however_large_the_scope() -> None:
    async with readable(*TEXTS, planner=Planner(indexed=False, exact_max_rows=0)) as bench:
        assert await plans(bench, "dentist", "dentist") == ["exact", "exact"]
        assert await plans(bench, "dentist", plan=Plan.INDEX) == ["index"]


async def test_the_planner_forgets_the_scope_that_was_read_longest_ago() -> None:
    async with readable(*TEXTS, planner=Planner(indexed=True, exact_max_rows=3, remembered=1)) as bench:
        assert await plans(bench, "dentist", "dentist") == ["exact", "index"]
        other = RecallRequest(scope=bench.writer.scope("somebody else"), text="dentist")
        await recall(bench.ports, other, bench.context())
        assert await plans(bench, "dentist", "dentist") == ["exact", "index"]


async def test_the_answer_carries_its_parts_and_leaves_a_record() -> None:
    async with readable(*TEXTS) as bench:
        result = await bench.recall("window seats", profile=Profile.BALANCED, explain=True, top_k=2)
        best = result.memories[0]
        parts = best.scores
        expected = 0.4 * parts.relevance + 0.3 * parts.importance + 0.2 * parts.recency + 0.1 * parts.frequency
        assert best.score == pytest.approx(expected)
        assert len(result.memories) == 2
        assert result.explain is not None
        assert result.explain["stages"]["returned"] == 2
        (record,) = bench.records
        assert record.memory_ids == tuple(found.stored.memory.memory_id for found in result.memories)
        assert record.trace_id == "a" * 32


async def test_uses_are_counted_and_raise_the_frequency() -> None:
    async with readable(*TEXTS) as bench:
        log = InMemoryRecallLog(bench.writer.memories.inner)
        recorder = Recorder(log)
        for _ in range(3):
            await bench.recall("window seats", top_k=1)
        recorder.record(bench.records)
        await recorder.close()
        assert len(log.records) == 3
        again = await bench.recall("window seats", top_k=1)
        assert again.memories[0].stored.access.access_count == 3
        assert again.memories[0].scores.frequency > 0


async def test_an_unknown_user_has_an_empty_answer() -> None:
    async with readable(*TEXTS) as bench:
        stranger = RecallRequest(scope=bench.writer.scope("nobody"), text="成都")
        result = await recall(bench.ports, stranger, bench.context())
        assert (result.memories, result.facts, result.degraded) == ((), (), ())


async def test_without_a_question_the_newest_answer() -> None:
    async with readable() as bench:
        for content in ("the first note of the day", "the second note of the day"):
            await bench.writer.writer.submit(bench.writer.turns(content), bench.writer.context())
            bench.writer.clock.advance(__import__("datetime").timedelta(minutes=1))
        result = await bench.recall("  ", profile=Profile.RELEVANCE)
        assert contents(result) == ["the second note of the day", "the first note of the day"]
        assert result.memories[0].arms == ("recent",)
        assert "embed" not in bench.embedder.calls[2:]


async def test_min_relevance_gives_an_honest_empty_answer() -> None:
    async with readable(*TEXTS) as bench:
        assert contents(await bench.recall("zzzz qqqq", min_relevance=0.9)) == []


async def test_without_the_embedder_words_still_find_it() -> None:
    async with readable(*TEXTS) as bench:
        bench.embedder.broken["embed"] = ModelUnavailableError("away")
        result = await bench.recall("dentist")
        assert contents(result)[0] == TEXTS[2]
        assert result.degraded == ("embedder",)
        assert result.memories[0].arms == ("keyword",)


async def test_without_milvus_the_exact_plan_answers() -> None:
    async with readable(*TEXTS) as bench:
        bench.index.broken["search_dense"] = AWAY
        result = await bench.recall("dentist", plan=Plan.INDEX)
        assert contents(result)[0] == TEXTS[2]
        assert (result.plan, result.degraded) == ("exact", ("milvus",))


@pytest.mark.parametrize("method", ["read", "hydrate"])
async def test_without_clickhouse_the_answer_is_empty_and_says_so(method: str) -> None:
    async with readable(*TEXTS) as bench:
        bench.search.broken["read"] = AWAY
        bench.search.broken[method] = AWAY
        result = await bench.recall("dentist")
        assert (result.memories, result.degraded) == ((), ("clickhouse",))


async def test_a_store_out_of_time_is_a_deadline() -> None:
    async with readable(*TEXTS) as bench:
        bench.search.broken["read"] = DeadlineExceededError("too slow")
        assert (await bench.recall("dentist")).degraded == ("deadline",)


async def test_an_index_that_hydrates_nothing_returns_nothing() -> None:
    """A row that is gone from the truth never leaves, whatever the index says."""
    async with readable(*TEXTS) as bench:
        bench.search.broken["hydrate"] = AWAY
        result = await bench.recall("dentist", plan=Plan.INDEX)
        assert (result.memories, result.degraded) == ((), ("clickhouse",))


async def test_a_slow_embedder_leaves_time_for_the_stores() -> None:
    async with readable(*TEXTS) as bench:
        inner = bench.embedder.inner.embed

        async def slow(**arguments: Any) -> Any:
            await asyncio.sleep(5)
            return await inner(**arguments)

        bench.embedder.inner.embed = slow
        result = await recall(bench.ports, bench.request("dentist"), bench.context(seconds=0.6))
        assert contents(result)[0] == TEXTS[2]
        assert result.degraded == ("embedder",)


async def test_everything_away_is_an_empty_answer_and_no_error() -> None:
    async with readable(*TEXTS) as bench:
        bench.embedder.broken["embed"] = ModelUnavailableError("away")
        for method in ("search_dense", "search_keyword"):
            bench.index.broken[method] = AWAY
        for method in ("read", "read_near", "hydrate", "recent"):
            bench.search.broken[method] = AWAY
        result = await bench.recall("dentist", plan=Plan.INDEX)
        assert result.memories == ()
        assert set(result.degraded) == {"embedder", "milvus", "clickhouse"}


async def test_the_switch_turns_memory_off() -> None:
    async with readable(*TEXTS) as bench:
        from dataclasses import replace

        view = bench.ports.view
        off = replace(
            bench.writer.tenant, policy=Policy(long_term_memory=False), version=bench.writer.tenant.version + 1
        )
        await view._store.put_tenants(tenants=[off])
        await view.refresh()
        result = await bench.recall("dentist")
        assert (result.memories, result.degraded) == ((), ("switched_off",))


async def test_the_context_is_a_cited_block_inside_its_budget() -> None:
    async with readable(*TEXTS) as bench:
        asked = ContextRequest(recall=bench.request("dentist"), language="en", window_tokens=32_768)
        block = await build_context(bench.ports, asked, bench.context())
        assert block.context.splitlines()[0].startswith("Memory notes about the user")
        assert block.tokens <= 8_192
        assert {citation.ref for citation in block.citations} == {f"mem-{n + 1}" for n in range(len(block.citations))}
        small = ContextRequest(recall=bench.request("dentist"), language="en", budget_tokens=5)
        assert (await build_context(bench.ports, small, bench.context())).context == ""
        full = ContextRequest(recall=bench.request("dentist"), window_tokens=1_000, prompt_tokens=800)
        assert (await build_context(bench.ports, full, bench.context())).advice == "harmful"
