"""Facts through the Writer: which value is current, whatever comes when and however often."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from typing import Any

import pytest

from memplane.domain.commands import DeleteFact, ForgetMemory, Idempotency, Wait
from memplane.domain.control import Policy, RawTurns
from memplane.domain.errors import IdempotencyConflictError, NotFoundError, StoreUnavailableError
from memplane.domain.facts import FactKey
from memplane.domain.ids import derive_fact_memory_id
from memplane.domain.memory import Kind, Memory, Op, Status
from memplane.domain.results import ItemOutcome, OperationStatus, Receipt
from memplane.ports.event_log import EventQuery
from memplane.ports.memory_store import FactQuery, MemoryRef
from tests.support.in_process_writer import COLLECTION, START, WriterBench, running_writer

STATUS = "order/ORD-1/status"
AWAY = StoreUnavailableError("away", retry_after_s=1)
CHINESE = Policy(raw_turns=RawTurns.ALL, language="zh")
MINUTE = timedelta(minutes=1)


def deletion(bench: WriterBench, name: str = STATUS, *, key: str | None = None) -> DeleteFact:
    return DeleteFact(
        scope=bench.scope(),
        key=FactKey.parse(name),
        policy=Policy(),
        idempotency=Idempotency(key=key, body_hash="h") if key else None,
    )


async def put(bench: WriterBench, value: Any, name: str = STATUS, **fields: Any) -> Receipt:
    return await bench.writer.submit(bench.fact(name, value, **fields), bench.context(seconds=20))


async def current(bench: WriterBench, name: str = STATUS) -> Memory | None:
    scope = bench.scope()
    memory_id = derive_fact_memory_id(scope, fact_key=name)
    ref = MemoryRef(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=memory_id)
    found: list[Memory] = await bench.memories.current(refs=[ref])
    return found[0] if found else None


async def value(bench: WriterBench, name: str = STATUS) -> Any:
    memory = await current(bench, name)
    assert memory is not None
    return memory.fact_value if memory.status is Status.ACTIVE else memory.status


async def history(bench: WriterBench, name: str = STATUS) -> list[Memory]:
    scope = bench.scope()
    versions: list[Memory] = await bench.memories.history(
        scope=scope, memory_id=derive_fact_memory_id(scope, fact_key=name)
    )
    return versions


@pytest.mark.parametrize(
    ("policy", "told", "content", "terms"),
    [
        (Policy(), "paid", "The status of order ORD-1 is paid.", {"order", "ord-1", "status", "paid"}),
        (CHINESE, "已付款", "订单ORD-1的状态为已付款。", {"order", "ord-1", "订单", "状态", "付款"}),
        (Policy(), 45, "The status of order ORD-1 is 45.", {"45", "ord-1"}),
        (CHINESE, True, "订单ORD-1的状态为是。", {"ord-1", "状态"}),
        (CHINESE, ["甲", "乙"], "订单ORD-1的状态为甲、乙。", {"甲", "乙"}),
        (Policy(), {"paid": {"cny": 12}}, 'The status of order ORD-1 is {"paid":{"cny":12}}.', {"paid", "12"}),
    ],
)
async def test_a_fact_is_a_memory_without_a_vector(policy: Policy, told: Any, content: str, terms: set[str]) -> None:
    async with running_writer() as bench:
        receipt = await put(bench, told, policy=policy, wait=Wait.INDEXED)
        (item,) = receipt.items
        assert (receipt.status, item.outcome) == (OperationStatus.COMPLETED, ItemOutcome.FACT_SET)
        memory = await current(bench)
        assert memory is not None
        assert item.memory_ids == (memory.memory_id,)
        assert (memory.kind, memory.category, memory.fact_key) == (Kind.FACT, "state", STATUS)
        assert (memory.fact_value, memory.content, memory.op) == (told, content, Op.ADD)
        assert terms <= set(memory.terms)
        assert (memory.importance, memory.speaker) == (0.8, "")
        assert (memory.valid_from, memory.event_time) == (START, START)
        assert memory.rank == (int(START.timestamp() * 1000) << 64) | memory.version
        generation = (await bench.embedder.spec()).generation_id
        assert await bench.memories.vectors(generation=generation, memories=[memory]) == {}
        assert "embed" not in bench.embedder.calls
        (entry,) = await bench.index.entries(collection=COLLECTION, after=None, limit=10)
        assert entry.version == memory.version
        ((event, outcome),) = await bench.events.page(query=EventQuery(scope=bench.scope()))
        assert (event.role, event.content, event.origin) == ("event", content, "facts")
        assert (outcome.item_outcome, outcome.memory_ids) == ("fact_set", item.memory_ids)


async def test_a_fact_has_no_vector_also_where_a_statement_says_the_same() -> None:
    async with running_writer() as bench:
        await asyncio.gather(
            put(bench, "paid"),
            bench.writer.submit(bench.statement("The status of order ORD-1 is paid."), bench.context()),
        )
        memory = await current(bench)
        generation = (await bench.embedder.spec()).generation_id
        assert await bench.memories.vectors(generation=generation, memories=[memory]) == {}


async def test_a_new_value_overwrites_and_the_old_stays_in_history_with_its_audit() -> None:
    async with running_writer() as bench:
        await put(bench, "open")
        bench.clock.advance(MINUTE)
        await put(bench, "paid")
        assert await value(bench) == "paid"
        versions = await history(bench)
        assert [(version.fact_value, version.op) for version in versions] == [
            ("open", Op.ADD),
            ("paid", Op.OVERWRITE),
        ]
        scope = bench.scope()
        rows = await bench.audit.rows(tenant_id=scope.tenant_id, shard=scope.shard, after_seq=0, limit=10)
        assert [row.action for row in rows] == ["memory.add", "memory.overwrite"]
        assert rows[1].before_hmac == rows[0].after_hmac != rows[1].after_hmac


async def test_a_late_older_value_is_history_at_once_and_leaves_the_index_alone() -> None:
    async with running_writer() as bench:
        await put(bench, "paid", wait=Wait.INDEXED)
        before = await bench.index.entries(collection=COLLECTION, after=None, limit=10)
        receipt = await put(bench, "open", valid_from=START - MINUTE, wait=Wait.INDEXED)
        assert receipt.items[0].outcome is ItemOutcome.FACT_SET
        assert receipt.items[0].reason == "kept as history: a newer value was known already"
        assert await value(bench) == "paid"
        late = (await history(bench))[-1]
        assert (late.fact_value, late.status) == ("open", Status.SUPERSEDED)
        assert await bench.index.entries(collection=COLLECTION, after=None, limit=10) == before
        query = FactQuery(scope=bench.scope(), now=START, as_of=START - MINUTE / 2)
        (then,) = await bench.memories.facts(query=query)
        assert (then.fact_value, then.valid_to) == ("open", START)


@pytest.mark.parametrize("together", [True, False])
async def test_the_order_of_arrival_never_matters(together: bool) -> None:
    moments = list(range(6))
    random.Random(7).shuffle(moments)
    async with running_writer() as bench:
        jobs = [put(bench, moment, valid_from=START - moment * MINUTE) for moment in moments]
        if together:
            await asyncio.gather(*jobs)
        else:
            for job in jobs:
                await job
        assert await value(bench) == 0
        assert len(await history(bench)) == 6


async def test_parallel_values_are_all_kept_and_the_last_taken_on_wins() -> None:
    async with running_writer() as bench:
        await asyncio.gather(*(put(bench, number) for number in range(20)))
        versions = await history(bench)
        assert [version.fact_value for version in versions] == list(range(20))
        assert await value(bench) == 19


async def test_a_deletion_ends_it_and_it_can_be_set_again() -> None:
    async with running_writer() as bench:
        await put(bench, "open", wait=Wait.INDEXED)
        for number in range(2):
            bench.clock.advance(MINUTE)
            receipt = await bench.writer.submit(deletion(bench), bench.context())
            assert (receipt.items[0].outcome, receipt.items[0].reason) == (
                ItemOutcome.SUPERSEDED,
                "forgotten: deleted by caller",
            )
            assert await value(bench) is Status.FORGOTTEN
            with pytest.raises(NotFoundError):
                await bench.writer.submit(deletion(bench), bench.context())
            await put(bench, number, wait=Wait.INDEXED)
            assert await value(bench) == number
        assert [version.op for version in await history(bench)] == [Op.ADD, Op.FORGET, Op.ADD, Op.FORGET, Op.ADD]
        (entry,) = await bench.index.entries(collection=COLLECTION, after=None, limit=10)
        memory = await current(bench)
        assert memory is not None
        assert entry.version == memory.version


async def test_deleting_and_setting_at_one_time_go_in_order() -> None:
    async with running_writer() as bench:
        results = await asyncio.gather(
            put(bench, 1),
            bench.writer.submit(deletion(bench), bench.context()),
            bench.writer.submit(deletion(bench), bench.context()),
            put(bench, 2),
            return_exceptions=True,
        )
        assert [isinstance(result, NotFoundError) for result in results] == [False, False, True, False]
        assert [version.op for version in await history(bench)] == [Op.ADD, Op.FORGET, Op.ADD]
        assert await value(bench) == 2


async def test_what_lies_a_little_ahead_is_deleted_and_set_again_as_well() -> None:
    async with running_writer() as bench:
        await put(bench, "ahead", valid_from=START + 4 * MINUTE)
        await bench.writer.submit(deletion(bench), bench.context())
        assert await value(bench) is Status.FORGOTTEN
        await put(bench, "again")
        assert await value(bench) == "again"


async def test_a_fact_is_also_forgotten_by_its_memory_id() -> None:
    async with running_writer() as bench:
        receipt = await put(bench, "open", valid_from=START + 2 * MINUTE)
        forget = ForgetMemory(scope_tag=bench.scope().tag, memory_id=receipt.items[0].memory_ids[0])
        await bench.writer.submit(forget, bench.context())
        assert await value(bench) is Status.FORGOTTEN
        bench.clock.advance(3 * MINUTE)
        await put(bench, "again")
        assert await value(bench) == "again"


async def test_deleting_what_is_not_there_is_not_found_and_settled() -> None:
    async with running_writer() as bench:
        for _ in range(2):
            with pytest.raises(NotFoundError, match="no such fact"):
                await bench.writer.submit(deletion(bench, key="k"), bench.context())
        assert await current(bench) is None
        bench.clock.advance(MINUTE)
        assert await bench.sweeper.sweep_once() == 0


async def test_a_keyed_repeat_is_answered_from_the_first() -> None:
    async with running_writer() as bench:
        first = await put(bench, "open", key="k")
        await put(bench, "paid")
        again = await put(bench, "open", key="k")
        assert again.replayed
        assert again.to_dict() == first.to_dict()
        assert await value(bench) == "paid"
        assert len(await history(bench)) == 2
        removed = await bench.writer.submit(deletion(bench, key="k"), bench.context())
        repeated = await bench.writer.submit(deletion(bench, key="k"), bench.context())
        assert (repeated.replayed, repeated.to_dict()) == (True, removed.to_dict())
        command = bench.fact(STATUS, "other", key="k")
        changed = Idempotency(key="k", body_hash="other")
        with pytest.raises(IdempotencyConflictError):
            await bench.writer.submit(
                type(command)(scope=command.scope, key=command.key, value=1, policy=Policy(), idempotency=changed),
                bench.context(),
            )


@pytest.mark.parametrize(
    ("port", "method"),
    [("memories", "current"), ("audit", "append"), ("memories", "commit"), ("events", "record_outcomes")],
)
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("is_deletion", [False, True])
async def test_whatever_fails_after_the_journal_the_sweep_finishes_once(
    port: str, method: str, after: bool, is_deletion: bool
) -> None:
    async with running_writer() as bench:
        await put(bench, "open")
        bench.clock.advance(MINUTE)
        failing = getattr(bench, port)
        failing.broken[method], failing.after = AWAY, after
        command = deletion(bench, key="k") if is_deletion else bench.fact(STATUS, "paid", key="k")
        receipt = await bench.writer.submit(command, bench.context(seconds=20))
        assert receipt.status is OperationStatus.PENDING
        failing.broken.clear()
        bench.clock.advance(MINUTE)
        await bench.sweeper.sweep_once()
        assert await value(bench) == (Status.FORGOTTEN if is_deletion else "paid")
        assert await bench.sweeper.sweep_once() == 0
        assert len(await history(bench)) == 2
        again = await bench.writer.submit(command, bench.context())
        assert again.status is OperationStatus.COMPLETED
        assert again.items[0].outcome is (ItemOutcome.SUPERSEDED if is_deletion else ItemOutcome.FACT_SET)


async def test_what_the_sweep_drives_late_does_not_undo_what_came_after() -> None:
    async with running_writer() as bench:
        bench.memories.broken["commit"] = AWAY
        await put(bench, "first")
        bench.memories.broken.clear()
        bench.clock.advance(MINUTE)
        await put(bench, "second")
        await bench.sweeper.sweep_once()
        assert await value(bench) == "second"
        assert [version.fact_value for version in await history(bench)] == ["second", "first"]


async def test_facts_of_users_and_keys_are_apart() -> None:
    async with running_writer() as bench:
        await asyncio.gather(put(bench, "a"), put(bench, "b", "order/ORD-2/status"), put(bench, "c", user_id="u2"))
        assert (await value(bench), await value(bench, "order/ORD-2/status")) == ("a", "b")
        assert len(await history(bench)) == 1


async def test_a_group_of_facts_reads_what_stands_once() -> None:
    async with running_writer() as bench:
        bench.memories.calls.clear()
        await asyncio.gather(*(put(bench, number, f"n/{number}/v") for number in range(50)))
        assert bench.memories.calls.count("current") == bench.memories.calls.count("commit") < 10
