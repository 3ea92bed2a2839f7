"""A store of one scope in a dict: applies what resolve decides, so that tests see the state that it leads to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memplane.domain.ids import EventId, MemoryId, Scope, derive_fact_memory_id, derive_memory_id
from memplane.domain.memory import Kind, Memory, Status
from memplane.domain.resolve import InstructionOp, MemoryTime, Neighbour, Thresholds, UpdateInstruction, resolve
from memplane.domain.statements import Statement
from tests.support.memory_samples import fresh_scope, make_memory

Similarity = Callable[[str, str], float | None]


def no_similarity(one: str, other: str) -> float | None:
    """No vectors at all."""
    return None


@dataclass
class ResolveStore:
    """Memories by id, with the times at which each was said again."""

    scope: Scope = field(default_factory=fresh_scope)
    similarity: Similarity = no_similarity
    thresholds: Thresholds = field(default_factory=Thresholds)
    memories: dict[MemoryId, Memory] = field(default_factory=dict)
    confirmed: dict[MemoryId, list[MemoryTime]] = field(default_factory=dict)
    received: dict[MemoryId, datetime] = field(default_factory=dict)

    def say(
        self,
        statement: Statement,
        time: MemoryTime,
        *,
        now: datetime | None = None,
        turn: str | None = None,
        cited: Collection[MemoryId] = (),
    ) -> tuple[UpdateInstruction, ...]:
        """Resolves one statement against everything stored, and applies the decision."""
        instructions = resolve(
            statement,
            memory_time=time,
            neighbours=self.neighbours(statement),
            thresholds=self.thresholds,
            now=now or time.received_at,
            turn=turn,
            cited=cited,
        )
        self.apply(statement, time, instructions)
        return instructions

    def neighbours(self, statement: Statement) -> list[Neighbour]:
        """All memories: the most a nomination can bring."""
        return [
            Neighbour(
                memory=memory,
                similarity=self.similarity(statement.text, memory.content),
                received_at=self.received.get(memory.memory_id),
                confirmed=tuple(self.confirmed.get(memory.memory_id, ())),
            )
            for memory in self.memories.values()
        ]

    def apply(self, statement: Statement, time: MemoryTime, instructions: Sequence[UpdateInstruction]) -> None:
        """Does what the instructions say, as the Writer does."""
        own = (
            derive_fact_memory_id(self.scope, fact_key=statement.fact_key)
            if statement.fact_key
            else derive_memory_id(self.scope, event_id=time.event_id, index=0)
        )
        for one in instructions:
            assert one.holds(self.memories.get(one.target) if one.target else None)
            match one.op:
                case InstructionOp.ADD:
                    self._add(statement, time, one, own)
                case InstructionOp.TOUCH:
                    assert one.target is not None
                    self.confirmed.setdefault(one.target, []).append(time)
                    self._change(one, own)
                case _:
                    self._change(one, own)

    def _add(self, statement: Statement, time: MemoryTime, one: UpdateInstruction, own: MemoryId) -> None:
        memory_id = one.memory_id or own
        assert memory_id not in self.memories
        assert one.valid_from is not None
        self.received[memory_id] = time.received_at
        self.memories[memory_id] = make_memory(
            self.scope,
            memory_id=memory_id,
            kind=one.kind or statement.kind,
            content=statement.text if statement.fact_key else str(one.after),
            status=one.status or Status.ACTIVE,
            event_time=one.valid_from,
            valid_from=one.valid_from,
            valid_to=one.valid_to,
            recorded_at=time.received_at,
            superseded_by=one.superseded_by or (own if one.status is Status.SUPERSEDED and one.memory_id else None),
            fact_key=statement.fact_key,
            fact_value=statement.fact_value,
            expires_at=statement.expires_at,
            source_event_ids=(one.source_event_id or time.event_id,),
        )

    def _change(self, one: UpdateInstruction, own: MemoryId) -> None:
        assert one.target is not None
        memory = self.memories[one.target]
        if one.op is InstructionOp.OVERWRITE:
            if one.status is Status.ACTIVE:
                assert one.valid_from is not None
                memory = replace(memory, fact_value=one.after, valid_from=one.valid_from)
        elif one.op is InstructionOp.MERGE:
            memory = replace(memory, content=str(one.after))
        else:
            memory = replace(
                memory,
                status=one.status or memory.status,
                valid_from=one.valid_from or memory.valid_from,
                valid_to=one.valid_to or memory.valid_to,
                superseded_by=(one.superseded_by or own) if one.status is Status.SUPERSEDED else memory.superseded_by,
                status_reason=one.reason,
            )
        self.memories[one.target] = memory

    def intervals(self) -> set[tuple[str, datetime, datetime | None, Status]]:
        """What was true when: content, valid_from, valid_to, status of every memory."""
        return {(one.content, one.valid_from, one.valid_to, one.status) for one in self.memories.values()}

    def active(self) -> list[str]:
        """The contents that are true now, oldest first."""
        rows = [one for one in self.memories.values() if one.status is Status.ACTIVE]
        return [one.content for one in sorted(rows, key=lambda one: (one.valid_from, one.content))]


def said(text: str, **changes: object) -> Statement:
    """A semantic statement with nothing but its text."""
    fields: dict[str, object] = {"text": text, "kind": Kind.SEMANTIC, "category": "other"} | changes
    return Statement(**fields)  # type: ignore[arg-type]


def at(moment: datetime, name: str = "") -> MemoryTime:
    """The time of an event that is received when it happens."""
    return MemoryTime(event_time=moment, received_at=moment, event_id=EventId(f"evt-{moment.isoformat()}-{name}"))
