"""The first half of a group: answer repeats, journal the events, decide on them, embed what they say."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import orjson
from numpy.typing import NDArray

from memplane.application.write.ports import WriterPorts
from memplane.application.write.retrying import send_until_known
from memplane.application.write.unit import RedriveEvents, WriteUnit
from memplane.application.write.written import Written, written_before
from memplane.domain.commands import EventCommand, IngestEvents
from memplane.domain.control import Policy
from memplane.domain.drafting import draft
from memplane.domain.errors import IdempotencyConflictError, MemplaneError, StoreRejectedError
from memplane.domain.ids import EventId, GenerationId
from memplane.domain.memory import EventState
from memplane.domain.results import OperationStatus
from memplane.ports.embedder import TextKind
from memplane.ports.event_log import EventRef
from memplane.ports.operations import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedGroup:
    """Units with durable events and verdicts, and the vectors of their new texts by summary hash."""

    units: tuple[WriteUnit, ...]
    generation: GenerationId
    vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    written: frozenset[Written] = frozenset()
    """Driven-again events whose memories hold them already: they are not written a second time."""


class Preparation:
    """Prepares one group at a time."""

    def __init__(self, ports: WriterPorts) -> None:
        self._ports = ports

    async def prepare(self, units: Sequence[WriteUnit]) -> PreparedGroup | None:
        """Brings units to the point of commit; units that end here (repeats, refusals) are answered.

        Returns: ``None`` when none are left. Raises: UnavailableError when a store or the model is away; units whose
        events are journaled stay pending then, and the sweep drives them again.
        """
        open_units = await self._refuse_conflicts(units)
        open_units = await self._recognise(open_units)
        for unit in open_units:
            self._decide(unit)
        serving = self._ports.view.current().serving()
        generation = serving.generation_id if serving else GenerationId("")
        # All three end before an error is raised: whether the events are durable decides what their callers are told.
        journaling = asyncio.ensure_future(self._journal(open_units))
        embedding = asyncio.ensure_future(self._embed(open_units))
        looking_up = asyncio.ensure_future(written_before(self._ports.memories, open_units))
        await asyncio.wait((journaling, embedding, looking_up))
        journaled, vectors, written = journaling.result(), embedding.result(), looking_up.result()
        if not journaled:
            return None
        return PreparedGroup(units=tuple(journaled), generation=generation, vectors=vectors, written=written)

    async def _refuse_conflicts(self, units: Sequence[WriteUnit]) -> list[WriteUnit]:
        """Ends units whose key came before with another body; notes those that are repeats."""
        keyed = [unit for unit in units if unit.idempotency]
        if not keyed:
            return list(units)
        keys = [(unit.tenant_id, unit.scope_tag, unit.operation_id) for unit in keyed]
        found = await send_until_known(lambda: self._ports.operations.find(keys=keys))
        for unit in keyed:
            stored = found.get(unit.operation_id)
            if stored is None or unit.idempotency is None:
                continue
            unit.is_repeat = True
            if stored.body_hash != unit.idempotency.body_hash:
                unit.fail(IdempotencyConflictError("this Idempotency-Key came before with another body"))
        return [unit for unit in units if not unit.answered.done()]

    async def _recognise(self, units: Sequence[WriteUnit]) -> list[WriteUnit]:
        """Finds events that are stored already (a retry after a crash, a caller's own event_id) with their outcomes."""
        repeatable = [unit for unit in units if _may_be_stored(unit)]
        refs = [
            EventRef(tenant_id=unit.tenant_id, scope_tag=unit.scope_tag, event_id=event.event_id)
            for unit in repeatable
            for event in unit.events
        ]
        if not refs:
            return list(units)
        found = await send_until_known(lambda: self._ports.events.find(refs=refs))
        for unit in repeatable:
            events, known = [], set[EventId]()
            for event in unit.events:
                ref = EventRef(tenant_id=unit.tenant_id, scope_tag=unit.scope_tag, event_id=event.event_id)
                stored, outcome = found.get(ref, (None, None))
                if stored is not None:
                    known.add(event.event_id)
                    if outcome is not None and outcome.state is not EventState.FAILED:
                        unit.outcomes[event.event_id] = outcome
                # The first telling stands: the stored event is driven, at this request's place in its receipt.
                events.append(event if stored is None else replace(stored, item_index=event.item_index))
            unit.events, unit.known_event_ids = tuple(events), frozenset(known)
            if unit.is_repeat and not unit.open_events:
                unit.indexed.set()  # it brings the index nothing new
                unit.answer(replace(unit.receipt(), replayed=True))
        return [unit for unit in units if not unit.answered.done()]

    def _decide(self, unit: WriteUnit) -> None:
        policy = self._policy_of(unit)
        for event in unit.open_events:
            unit.verdicts[event.event_id] = draft(event, policy)

    def _policy_of(self, unit: WriteUnit) -> Policy:
        if isinstance(unit.command, EventCommand):
            return unit.command.policy
        tenant = self._ports.view.current().tenant(unit.tenant_id)
        return tenant.policy if tenant else Policy()

    async def _journal(self, units: Sequence[WriteUnit]) -> list[WriteUnit]:
        """Makes events durable. A group refused for its content is halved until the bad unit stands alone."""
        fresh = [event for unit in units for event in unit.events if event.event_id not in unit.known_event_ids]
        operations = [_operation(unit) for unit in units if _is_new_operation(unit)]
        try:
            await asyncio.gather(
                send_until_known(lambda: self._ports.events.append(events=fresh)),
                send_until_known(lambda: self._ports.operations.put(operations=operations)),
            )
        except StoreRejectedError as error:
            if len(units) == 1:
                units[0].fail(error)
                return []
            middle = len(units) // 2
            return await self._journal(units[:middle]) + await self._journal(units[middle:])
        except MemplaneError as error:
            for unit in units:
                unit.fail(error)
            raise
        for unit in units:
            unit.journaled.set()
        return list(units)

    async def _embed(self, units: Sequence[WriteUnit]) -> dict[str, NDArray[np.float32]]:
        verdicts = [verdict for unit in units for verdict in unit.verdicts.values()]
        texts = dict(text for verdict in verdicts for text in verdict.texts_to_embed())
        if not texts:
            return {}
        with self._ports.tracer.span(
            "embed", traceparent=units[0].context.traceparent, attributes={"memplane.texts": len(texts)}
        ):
            vectors = await self._ports.embedder.embed(
                texts=list(texts.values()), kind=TextKind.DOCUMENT, context=units[0].context
            )
        return dict(zip(texts, vectors, strict=True))


def _is_new_operation(unit: WriteUnit) -> bool:
    return bool(unit.events) and not unit.is_repeat and not isinstance(unit.command, RedriveEvents)


def _operation(unit: WriteUnit) -> Operation:
    """The stored form of a write, never changed: its receipt names the events, whose outcomes complete it on
    reading.
    """
    return Operation(
        scope=unit.events[0].scope,
        operation_id=unit.operation_id,
        route=unit.command.route,
        idempotency_key=unit.idempotency.key if unit.idempotency else "",
        body_hash=unit.idempotency.body_hash if unit.idempotency else "",
        status=OperationStatus.PENDING.value,
        receipt=orjson.dumps(unit.pending_receipt().to_dict()).decode(),
        created_at=unit.events[0].received_at,
        version=0,
    )


def _may_be_stored(unit: WriteUnit) -> bool:
    if isinstance(unit.command, RedriveEvents):
        return True
    named = isinstance(unit.command, IngestEvents) and any(turn.event_id for turn in unit.command.turns)
    return bool(unit.events) and (unit.idempotency is not None or named)
