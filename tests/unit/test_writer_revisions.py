"""Changes of memories through the Writer: new versions, with new texts and vectors where the content is new."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from memplane.domain.commands import ForgetMemory, Idempotency, ReviseMemory, Wait
from memplane.domain.control import Policy
from memplane.domain.errors import NotFoundError, StoreUnavailableError
from memplane.domain.ids import MemoryId, UserId
from memplane.domain.memory import Memory, Op, Status
from memplane.domain.results import ItemOutcome, OperationStatus
from memplane.domain.text import content_hash
from memplane.ports.memory_store import MemoryRef
from tests.support.in_process_writer import COLLECTION, START, WriterBench, running_writer

AWAY = StoreUnavailableError("away", retry_after_s=1)


def revision(bench: WriterBench, memory_id: MemoryId, *, key: str | None = None, **changes: Any) -> ReviseMemory:
    content = changes.pop("content", None)
    return ReviseMemory(
        scope=changes.pop("scope", bench.scope()),
        memory_id=memory_id,
        policy=Policy(),
        content=content,
        fields=changes,
        idempotency=Idempotency(key=key, body_hash="h") if key else None,
        wait=Wait.INDEXED,
    )


async def remembered(bench: WriterBench, content: str, **fields: Any) -> MemoryId:
    receipt = await bench.writer.submit(bench.statement(content, wait=Wait.INDEXED, **fields), bench.context())
    memory_id: MemoryId = receipt.items[0].memory_ids[0]
    return memory_id


async def current(bench: WriterBench, memory_id: MemoryId) -> Memory:
    scope = bench.scope()
    ref = MemoryRef(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=memory_id)
    (memory,) = await bench.memories.current(refs=[ref])
    assert isinstance(memory, Memory)
    return memory


@pytest.mark.parametrize(
    ("said", "corrected", "term"),
    [
        ("Mei drinks coffee.", "Does Mei drink oolong tea today?", "oolong"),
        ("用户喜欢咖啡", "用户今天喜欢乌龙茶吗?", "乌龙茶"),
    ],
)
async def test_a_new_content_brings_all_that_follows_from_it(said: str, corrected: str, term: str) -> None:
    async with running_writer() as bench:
        memory_id = await remembered(bench, said, pinned=True)
        before = await current(bench, memory_id)
        bench.clock.advance(timedelta(minutes=1))
        receipt = await bench.writer.submit(revision(bench, memory_id, content=corrected), bench.context())
        (item,) = receipt.items
        assert (item.outcome, item.memory_ids) == (ItemOutcome.SUPERSEDED, (memory_id,))
        assert item.reason == "updated: content"
        memory = await current(bench, memory_id)
        assert (memory.content, memory.summary, memory.content_hash) == (corrected, corrected, content_hash(corrected))
        assert term in memory.terms
        assert term not in before.terms
        assert (memory.is_question, memory.has_time, memory.pinned) == (True, True, True)
        assert (memory.op, memory.status_reason, memory.changed_by) == (Op.UPDATE, "updated: content", "key-1")
        assert memory.version > before.version
        assert (memory.event_time, memory.valid_from) == (before.event_time, before.valid_from)
        assert memory.recorded_at == memory.updated_at == START + timedelta(minutes=1)
        assert memory.source_event_ids == (*before.source_event_ids, item.event_id)
        generation = (await bench.embedder.spec()).generation_id
        vectors = [
            (await bench.memories.vectors(generation=generation, memories=[version]))[memory_id]
            for version in (before, memory)
        ]
        assert not (vectors[0] == vectors[1]).all()
        (entry,) = await bench.index.entries(collection=COLLECTION, after=None, limit=10)
        assert entry.version == memory.version


async def test_other_fields_keep_the_text_and_its_vector() -> None:
    async with running_writer() as bench:
        expires_at = START + timedelta(days=3)
        memory_id = await remembered(bench, "Mei drinks oolong tea.", expires_at=expires_at)
        before = await current(bench, memory_id)
        assert before.expires_at == expires_at
        bench.embedder.calls.clear()
        changes = {"importance": 0.1, "category": "preference", "metadata": {"topic": "饮料"}, "expires_at": None}
        await bench.writer.submit(revision(bench, memory_id, **changes), bench.context())
        memory = await current(bench, memory_id)
        assert (memory.importance, memory.category, memory.expires_at) == (0.1, "preference", None)
        assert (memory.metadata, memory.content) == ({"topic": "饮料"}, before.content)
        assert "饮料" in memory.terms
        assert memory.summary_hash == before.summary_hash
        assert bench.embedder.calls == []
        (entry,) = await bench.index.entries(collection=COLLECTION, after=None, limit=10)
        assert entry.version == memory.version


async def test_revisions_in_one_group_build_on_each_other() -> None:
    async with running_writer() as bench:
        memory_id = await remembered(bench, "Mei drinks oolong tea.")
        await asyncio.gather(
            bench.writer.submit(revision(bench, memory_id, importance=0.3), bench.context()),
            bench.writer.submit(revision(bench, memory_id, pinned=True), bench.context()),
            bench.writer.submit(revision(bench, memory_id, content="Mei drinks water."), bench.context()),
        )
        memory = await current(bench, memory_id)
        assert (memory.importance, memory.pinned, memory.content) == (0.3, True, "Mei drinks water.")
        assert len(await bench.memories.history(scope=bench.scope(), memory_id=memory_id)) == 4


async def test_what_is_gone_cannot_be_changed() -> None:
    async with running_writer() as bench:
        memory_id = await remembered(bench, "Mei drinks oolong tea.")
        stranger = bench.scope().__class__(
            tenant_id=bench.scope().tenant_id, user_id=UserId("other"), tag=bench.scope().tag
        )
        with pytest.raises(NotFoundError):
            await bench.writer.submit(revision(bench, memory_id, scope=stranger, pinned=True), bench.context())
        forget = ForgetMemory(scope_tag=bench.scope().tag, memory_id=memory_id)
        results = await asyncio.gather(
            bench.writer.submit(forget, bench.context()),
            bench.writer.submit(revision(bench, memory_id, pinned=True), bench.context()),
            return_exceptions=True,
        )
        assert isinstance(results[1], NotFoundError)
        assert (await current(bench, memory_id)).status is Status.FORGOTTEN


async def test_the_content_of_a_fact_cannot_be_changed_and_its_other_fields_can() -> None:
    async with running_writer() as bench:
        receipt = await bench.writer.submit(bench.fact("order/1/status", "paid"), bench.context())
        memory_id = receipt.items[0].memory_ids[0]
        with pytest.raises(NotFoundError, match="follows from its value"):
            await bench.writer.submit(revision(bench, memory_id, content="unpaid"), bench.context())
        before = await current(bench, memory_id)
        await bench.writer.submit(revision(bench, memory_id, importance=0.2), bench.context())
        memory = await current(bench, memory_id)
        assert (memory.importance, memory.fact_value, memory.terms) == (0.2, "paid", before.terms)
        assert memory.rank >> 64 == before.rank >> 64
        assert memory.rank > before.rank


async def test_a_keyed_repeat_changes_nothing_also_after_the_memory_is_gone() -> None:
    async with running_writer() as bench:
        memory_id = await remembered(bench, "Mei drinks oolong tea.")
        command = revision(bench, memory_id, importance=0.3, key="k")
        first = await bench.writer.submit(command, bench.context())
        await bench.writer.submit(revision(bench, memory_id, importance=0.4), bench.context())
        again = await bench.writer.submit(command, bench.context())
        assert (again.replayed, again.to_dict()) == (True, first.to_dict())
        assert (await current(bench, memory_id)).importance == 0.4
        await bench.writer.submit(ForgetMemory(scope_tag=bench.scope().tag, memory_id=memory_id), bench.context())
        assert (await bench.writer.submit(command, bench.context())).to_dict() == first.to_dict()


@pytest.mark.parametrize(("port", "method"), [("memories", "commit"), ("events", "record_outcomes")])
@pytest.mark.parametrize("after", [False, True])
async def test_whatever_fails_after_the_journal_the_sweep_finishes_once(port: str, method: str, after: bool) -> None:
    async with running_writer() as bench:
        memory_id = await remembered(bench, "Mei drinks coffee.")
        failing = getattr(bench, port)
        failing.broken[method], failing.after = AWAY, after
        command = revision(bench, memory_id, content="Mei drinks oolong tea.", key="k")
        receipt = await bench.writer.submit(command, bench.context(seconds=20))
        assert receipt.status is OperationStatus.PENDING
        failing.broken.clear()
        bench.clock.advance(timedelta(minutes=1))
        await bench.sweeper.sweep_once()
        assert (await current(bench, memory_id)).content == "Mei drinks oolong tea."
        assert await bench.sweeper.sweep_once() == 0
        assert len(await bench.memories.history(scope=bench.scope(), memory_id=memory_id)) == 2
