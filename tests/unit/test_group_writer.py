"""The Writer over in-process stores: outcomes, order, repeats, and every way a store can fail it."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from memplane.application.write import WriterLimits
from memplane.domain.commands import ForgetMemory, Idempotency, Turn, Wait
from memplane.domain.control import Policy, RawTurns
from memplane.domain.errors import (
    IdempotencyConflictError,
    NotFoundError,
    OverloadedError,
    StoreRejectedError,
    StoreUnavailableError,
    UnavailableError,
)
from memplane.domain.ids import EventId, TenantId
from memplane.domain.memory import EventState, Status
from memplane.domain.pii import PiiKind
from memplane.domain.results import ItemOutcome, OperationStatus
from memplane.ports.event_log import EventRef
from memplane.ports.memory_store import MemoryQuery, MemoryRef
from tests.support.in_process_writer import COLLECTION, WriterBench, running_writer

AWAY = StoreUnavailableError("away", retry_after_s=1)


async def _memories(bench: WriterBench, user_id: str = "u1") -> list[str]:
    page = await bench.memories.list(query=MemoryQuery(scope=bench.scope(user_id), limit=200))
    return [stored.memory.content for stored in page.items]


async def test_turns_become_memories_with_vectors_outcomes_audit_and_an_index_row() -> None:
    async with running_writer() as bench:
        command = bench.turns("我下周三要去成都出差", "I prefer window seats on long flights", wait=Wait.INDEXED)
        receipt = await bench.writer.submit(command, bench.context())
        assert receipt.status is OperationStatus.COMPLETED
        assert [item.outcome for item in receipt.items] == [ItemOutcome.ADDED] * 2
        assert sorted(await _memories(bench)) == sorted(turn.content for turn in command.turns)
        scope = bench.scope()
        head = await bench.audit.head(tenant_id=scope.tenant_id, shard=scope.shard)
        assert head.seq == 2
        rows = await bench.audit.rows(tenant_id=scope.tenant_id, shard=scope.shard, after_seq=0, limit=10)
        named = {(row.target, row.seq) for row in rows}
        refs = [
            MemoryRef(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=item.memory_ids[0])
            for item in receipt.items
        ]
        stored = await bench.memories.current(refs=refs)
        assert {(memory.memory_id, memory.audit_seq) for memory in stored} == named
        entries = await bench.index.entries(collection=COLLECTION, after=None, limit=10)
        assert {(entry.memory_id, entry.version) for entry in entries} == {(m.memory_id, m.version) for m in stored}
        generation = (await bench.embedder.spec()).generation_id
        vectors = await bench.memories.vectors(generation=generation, memories=stored)
        assert set(vectors) == {memory.memory_id for memory in stored}


async def test_chit_chat_is_rejected_by_a_named_gate_and_stays_an_event() -> None:
    async with running_writer() as bench:
        receipt = await bench.writer.submit(bench.turns("好的", "Thanks!"), bench.context())
        assert [item.outcome for item in receipt.items] == [ItemOutcome.REJECTED] * 2
        assert all(item.reason and item.reason.startswith("gate:") for item in receipt.items)
        assert await _memories(bench) == []
        assert await bench.events.count(scope=bench.scope()) == 2


async def test_the_policy_decides_about_raw_turns() -> None:
    async with running_writer() as bench:
        triggered = Policy(raw_turns=RawTurns.TRIGGERED)
        kept = bench.turns("用户今天问了退货政策的细节", policy=triggered)
        wanted = bench.turns("用户偏好简洁回答", policy=triggered)
        none = bench.turns("用户偏好详细回答", policy=Policy(raw_turns=RawTurns.NONE))
        outcomes = [
            (await bench.writer.submit(command, bench.context())).items[0].outcome for command in (kept, wanted, none)
        ]
        assert outcomes == [ItemOutcome.KEPT, ItemOutcome.ADDED, ItemOutcome.KEPT]


async def test_an_explicit_statement_is_kept_whatever_it_says() -> None:
    async with running_writer() as bench:
        receipt = await bench.writer.submit(bench.statement("好的", category="preference"), bench.context())
        assert receipt.items[0].outcome is ItemOutcome.ADDED
        page = await bench.memories.list(query=MemoryQuery(scope=bench.scope()))
        memory = page.items[0].memory
        assert (memory.importance, memory.category, memory.kind.value) == (0.8, "preference", "semantic")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("我的手机号是13812345678,晚上联系我", "我的手机号是<phone:***5678>,晚上联系我"),
        ("Write to ann@example.org about the contract", "Write to <email:***example.org> about the contract"),
        ("结算账号用尾号 8890 的那张卡", "结算账号用尾号 8890 的那张卡"),
    ],
)
async def test_personal_data_is_masked_before_anything_is_stored(said: str, kept: str) -> None:
    async with running_writer() as bench:
        await bench.writer.submit(bench.turns(said), bench.context())
        await bench.writer.submit(bench.statement(said), bench.context())
        assert await _memories(bench) == [kept, kept]
        assert {event.content for event in bench.events.inner._events.values()} == {kept}


async def test_a_tenant_may_keep_what_it_needs() -> None:
    async with running_writer() as bench:
        policy = Policy(raw_turns=RawTurns.ALL, unmasked_pii=frozenset({PiiKind.EMAIL}))
        await bench.writer.submit(
            bench.turns("Write to ann@example.org, not 13812345678", policy=policy), bench.context()
        )
        assert await _memories(bench) == ["Write to ann@example.org, not <phone:***5678>"]


async def test_a_scopes_writes_stay_in_order_and_many_scopes_share_a_group() -> None:
    async with running_writer() as bench:
        jobs = [
            bench.writer.submit(bench.turns(f"note number {n} of user {user}", user_id=user), bench.context())
            for n in range(10)
            for user in ("u1", "u2", "u3")
        ]
        receipts = await asyncio.gather(*jobs)
        assert all(receipt.items[0].outcome is ItemOutcome.ADDED for receipt in receipts)
        for user in ("u1", "u2", "u3"):
            page = await bench.memories.list(query=MemoryQuery(scope=bench.scope(user), limit=200))
            by_version = sorted(page.items, key=lambda stored: stored.memory.version)
            assert [stored.memory.content for stored in by_version] == [
                f"note number {n} of user {user}" for n in range(10)
            ]
        assert bench.memories.calls.count("commit") < 10


async def test_a_keyed_repeat_is_answered_from_the_first() -> None:
    async with running_writer() as bench:
        first = await bench.writer.submit(bench.turns("my flight is at nine", key="k1"), bench.context())
        again = await bench.writer.submit(bench.turns("my flight is at nine", key="k1"), bench.context())
        assert again.replayed
        assert not first.replayed
        assert again.to_dict() == first.to_dict()
        assert len(await _memories(bench)) == 1


async def test_parallel_repeats_wait_for_the_first() -> None:
    async with running_writer() as bench:
        jobs = [bench.writer.submit(bench.turns("my flight is at nine", key="k1"), bench.context()) for _ in range(8)]
        receipts = await asyncio.gather(*jobs)
        assert len({receipt.operation_id for receipt in receipts}) == 1
        assert len(await _memories(bench)) == 1
        assert await bench.events.count(scope=bench.scope()) == 1


@pytest.mark.parametrize("parallel", [True, False])
async def test_the_same_key_with_another_body_conflicts_and_changes_nothing(parallel: bool) -> None:
    async with running_writer() as bench:
        one = bench.turns("my flight is at nine", key="k1", body_hash="a")
        other = bench.turns("my flight is at ten", key="k1", body_hash="b")
        if parallel:
            results = await asyncio.gather(
                *(bench.writer.submit(command, bench.context()) for command in (one, other)), return_exceptions=True
            )
            assert isinstance(results[1], IdempotencyConflictError)
        else:
            await bench.writer.submit(one, bench.context())
            with pytest.raises(IdempotencyConflictError):
                await bench.writer.submit(other, bench.context())
        assert await _memories(bench) == ["my flight is at nine"]


async def test_a_callers_event_id_is_written_once_however_often_it_comes() -> None:
    async with running_writer() as bench:
        command = replace(
            bench.turns("x"), turns=(Turn(role="user", content="my flight is at nine", event_id=EventId("D1:3")),)
        )
        receipts = [await bench.writer.submit(command, bench.context()) for _ in range(3)]
        assert len({receipt.items[0].memory_ids for receipt in receipts}) == 1
        assert len(await _memories(bench)) == 1
        both = await asyncio.gather(*(bench.writer.submit(command, bench.context()) for _ in range(2)))
        assert all(receipt.items[0].outcome is ItemOutcome.ADDED for receipt in both)
        assert len(await bench.memories.history(scope=bench.scope(), memory_id=receipts[0].items[0].memory_ids[0])) == 1


async def test_forgetting_makes_a_version_leaves_the_index_and_happens_once() -> None:
    async with running_writer() as bench:
        receipt = await bench.writer.submit(bench.statement("likes tea", wait=Wait.INDEXED), bench.context())
        memory_id = receipt.items[0].memory_ids[0]
        forget = ForgetMemory(scope_tag=bench.scope().tag, memory_id=memory_id)
        answers = await asyncio.gather(
            *(bench.writer.submit(forget, bench.context()) for _ in range(2)), return_exceptions=True
        )
        assert sum(isinstance(answer, NotFoundError) for answer in answers) == 1
        history = await bench.memories.history(scope=bench.scope(), memory_id=memory_id)
        assert [version.status for version in history] == [Status.ACTIVE, Status.FORGOTTEN]
        assert history[1].version > history[0].version
        await _until(lambda: not bench.feed.behind)
        assert await bench.index.entries(collection=COLLECTION, after=None, limit=10) == []


async def test_another_tenant_cannot_forget_what_it_names() -> None:
    async with running_writer() as bench:
        receipt = await bench.writer.submit(bench.statement("likes tea"), bench.context())
        forget = ForgetMemory(scope_tag=bench.scope().tag, memory_id=receipt.items[0].memory_ids[0])
        with pytest.raises(NotFoundError):
            await bench.writer.submit(forget, bench.context(tenant_id=TenantId("t2")))
        assert await _memories(bench) == ["likes tea"]


async def test_a_forgotten_memory_is_not_revived_by_its_event() -> None:
    async with running_writer() as bench:
        command = replace(
            bench.turns("x"), turns=(Turn(role="user", content="my flight is at nine", event_id=EventId("D1:3")),)
        )
        receipt = await bench.writer.submit(command, bench.context())
        memory_id = receipt.items[0].memory_ids[0]
        await bench.writer.submit(ForgetMemory(scope_tag=bench.scope().tag, memory_id=memory_id), bench.context())
        await bench.writer.submit(command, bench.context())
        await bench.writer.submit(replace(command, idempotency=Idempotency(key="n", body_hash="h")), bench.context())
        assert await _memories(bench) == []


async def test_no_wait_answers_pending_once_journaled_and_finishes_by_itself() -> None:
    async with running_writer() as bench:
        receipt = await bench.writer.submit(bench.turns("my flight is at nine", wait=Wait.NONE), bench.context())
        assert receipt.status in {OperationStatus.PENDING, OperationStatus.COMPLETED}
        assert await bench.events.count(scope=bench.scope()) == 1
        await _until(lambda: bench.writer.queued_items == 0)
        assert await _memories(bench) == ["my flight is at nine"]


@pytest.mark.parametrize(
    ("port", "method"),
    [
        ("embedder", "embed"),
        ("memories", "put_vectors"),
        ("audit", "append"),
        ("memories", "commit"),
        ("events", "record_outcomes"),
    ],
)
@pytest.mark.parametrize("after", [False, True])
async def test_whatever_fails_after_the_journal_the_sweep_finishes_once(port: str, method: str, after: bool) -> None:
    async with running_writer() as bench:
        failing = getattr(bench, port)
        failing.broken[method], failing.after = AWAY, after
        receipt = await bench.writer.submit(bench.turns("my flight is at nine", key="k1"), bench.context(seconds=20))
        assert receipt.status is OperationStatus.PENDING
        failing.broken.clear()
        bench.clock.advance(timedelta(seconds=31))
        await bench.sweeper.sweep_once()
        assert await _memories(bench) == ["my flight is at nine"]
        assert await bench.sweeper.sweep_once() == 0
        again = await bench.writer.submit(bench.turns("my flight is at nine", key="k1"), bench.context())
        assert again.status is OperationStatus.COMPLETED
        assert again.items[0].memory_ids
        history = await bench.memories.history(scope=bench.scope(), memory_id=again.items[0].memory_ids[0])
        assert len(history) == 1


async def test_a_sweep_that_gets_nothing_done_says_so_and_does_not_run_in_circles() -> None:
    async with running_writer() as bench:
        bench.embedder.broken["embed"] = AWAY
        await bench.writer.submit(bench.turns("my flight is at nine", "and back at ten"), bench.context(seconds=20))
        bench.clock.advance(timedelta(seconds=31))
        assert await bench.sweeper.sweep_once() == 0
        bench.embedder.broken.clear()
        assert await bench.sweeper.sweep_once() == 2


async def test_a_write_that_was_not_journaled_is_no_success() -> None:
    async with running_writer() as bench:
        bench.events.broken["append"] = AWAY
        with pytest.raises(UnavailableError):
            await bench.writer.submit(bench.turns("my flight is at nine"), bench.context(seconds=20))
        assert await bench.events.count(scope=bench.scope()) == 0


async def test_a_journal_that_lacks_its_operation_is_no_success_and_its_retry_finds_the_events() -> None:
    async with running_writer() as bench:
        bench.operations.broken["put"] = AWAY
        with pytest.raises(UnavailableError):
            await bench.writer.submit(bench.turns("my flight is at nine", key="k1"), bench.context(seconds=20))
        bench.operations.broken.clear()
        again = await bench.writer.submit(bench.turns("my flight is at nine", key="k1"), bench.context())
        assert again.status is OperationStatus.COMPLETED
        assert await _memories(bench) == ["my flight is at nine"]
        assert await bench.events.count(scope=bench.scope()) == 1


async def test_a_short_failure_is_outlived_by_sending_again() -> None:
    async with running_writer() as bench:
        bench.memories.broken["commit"], bench.memories.times, bench.memories.after = AWAY, 1, True
        receipt = await bench.writer.submit(bench.turns("my flight is at nine"), bench.context())
        assert receipt.status is OperationStatus.COMPLETED
        assert len(await _memories(bench)) == 1


async def test_one_refused_item_does_not_stop_the_others() -> None:
    async with running_writer(WriterLimits(group_wait_s=0.05)) as bench:
        inner = bench.memories.inner.commit

        async def picky(*, versions) -> None:  # type: ignore[no-untyped-def]
            if any("poison" in memory.content for memory in versions):
                raise StoreRejectedError("refused for its content")
            await inner(versions=versions)

        bench.memories.inner.commit = picky
        contents = ["first good note", "a poison note", "second good note", "third good note"]
        receipts = await asyncio.gather(
            *(bench.writer.submit(bench.turns(content), bench.context()) for content in contents)
        )
        outcomes = [receipt.items[0].outcome for receipt in receipts]
        assert outcomes == [ItemOutcome.ADDED, ItemOutcome.FAILED, ItemOutcome.ADDED, ItemOutcome.ADDED]
        scope, bad = bench.scope(), receipts[1].items[0].event_id
        ref = EventRef(tenant_id=scope.tenant_id, scope_tag=scope.tag, event_id=bad)
        _, outcome = (await bench.events.find(refs=[ref]))[ref]
        assert outcome.state is EventState.DEAD
        assert "refused" in outcome.reason


async def test_a_full_queue_refuses_and_writes_nothing() -> None:
    async with running_writer(WriterLimits(max_queued_items=3)) as bench:
        with pytest.raises(OverloadedError) as caught:
            await bench.writer.submit(bench.turns("a b c", "d e f", "g h i", "j k l"), bench.context())
        assert caught.value.retry_after_s
        assert await bench.events.count(scope=bench.scope()) == 0
        assert bench.writer.queued_items == 0


async def test_an_index_that_was_away_is_repaired_from_the_truth() -> None:
    async with running_writer() as bench:
        bench.index.broken["upsert"] = AWAY
        receipt = await bench.writer.submit(bench.turns("my flight is at nine"), bench.context())
        assert receipt.status is OperationStatus.COMPLETED
        await _until(lambda: "upsert" in bench.index.calls)
        bench.index.broken.clear()
        await _until(lambda: not bench.feed.behind)
        entries = await bench.index.entries(collection=COLLECTION, after=None, limit=10)
        assert [entry.memory_id for entry in entries] == list(receipt.items[0].memory_ids)


async def _until(condition, *, seconds: float = 8.0) -> None:  # type: ignore[no-untyped-def]
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  what is awaited has no event of its own
            await asyncio.sleep(0.01)
