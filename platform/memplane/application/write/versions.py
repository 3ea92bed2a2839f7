"""From a verdict to the rows of a commit: versions, outcomes and audit rows. No I/O."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from memplane.application.write.unit import WriteUnit
from memplane.domain.audit_chain import AuditRow, chain_name, subject_hmac
from memplane.domain.clock import VersionClock, rank_of, to_millis
from memplane.domain.drafting import MemoryDraft, Verdict, fingerprint
from memplane.domain.ids import MemoryId
from memplane.domain.memory import FINAL_ATTEMPT_BIT, Event, EventOutcome, EventState, Memory, Op, Status
from memplane.ports.leases import Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What a commit stamps its rows with: time, clock and lease of the shard, and the tenant's secret for HMACs."""

    now: datetime
    clock: VersionClock
    lease: Lease
    secret: bytes

    def version(self, *, above: int = 0) -> int:
        """A fresh version inside the lease. Raises: WriterMovedError at its end."""
        return self.clock.draw(now_ms=to_millis(self.now), above=above, lease_until_ms=self.lease.until_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One new version and its audit row (not yet linked)."""

    memory: Memory
    audit: AuditRow


def add_change(unit: WriteUnit, event: Event, item: MemoryDraft, stamp: Stamp) -> Change:
    """The first version of a drafted memory."""
    version = stamp.version()
    memory = Memory(
        scope=event.scope,
        memory_id=item.memory_id,
        version=version,
        rank=rank_of(version=version, valid_from=None),
        kind=item.kind,
        category=item.category,
        status=Status.ACTIVE,
        status_at=stamp.now,
        content=item.content,
        summary=item.summary,
        summary_hash=item.summary_hash,
        terms=item.terms,
        content_hash=item.content_hash,
        importance=item.importance,
        event_time=event.event_time,
        valid_from=event.event_time,
        recorded_at=stamp.now,
        updated_at=stamp.now,
        pinned=item.pinned,
        agent_id=event.agent_id,
        visibility=item.visibility,
        session_id=event.session_id,
        source_event_ids=(event.event_id,),
        expires_at=item.expires_at,
        metadata=item.metadata,
        speaker=item.speaker,
        is_question=item.is_question,
        has_time=item.has_time,
        op=Op.ADD,
        changed_by=unit.context.principal.key_id,
    )
    return _audited(unit, memory, before="", stamp=stamp)


def forget_change(unit: WriteUnit, current: Memory, reason: str, stamp: Stamp) -> Change:
    """The version that ends a memory. Its text stays in history until retention or erasure."""
    version = stamp.version(above=current.version)
    memory = replace(
        current,
        version=version,
        rank=max(rank_of(version=version, valid_from=None), current.rank + 1)
        if current.fact_key is None
        else rank_of(version=version, valid_from=max(stamp.now, current.valid_from)),
        status=Status.FORGOTTEN,
        status_at=stamp.now,
        status_reason=reason,
        valid_from=stamp.now if current.fact_key is not None else current.valid_from,
        recorded_at=stamp.now,
        updated_at=stamp.now,
        op=Op.FORGET,
        changed_by=unit.context.principal.key_id,
    )
    return _audited(unit, memory, before=_fingerprint(current), stamp=stamp)


def outcome_of(
    unit: WriteUnit, event: Event, verdict: Verdict, memory_ids: Collection[MemoryId], *, now: datetime
) -> EventOutcome:
    """The final outcome of an event."""
    return EventOutcome(
        scope=event.scope,
        event_id=event.event_id,
        operation_id=unit.operation_id,
        attempt_version=FINAL_ATTEMPT_BIT,
        state=verdict.state,
        item_outcome=verdict.item_outcome.value,
        recorded_at=now,
        reason=verdict.reason,
        memory_ids=tuple(memory_ids),
    )


def failed_outcome(unit: WriteUnit, event: Event, reason: str, *, now: datetime) -> EventOutcome:
    """The outcome of an event whose content a store refuses: dead, since sending it again would be refused again."""
    return EventOutcome(
        scope=event.scope,
        event_id=event.event_id,
        operation_id=unit.operation_id,
        attempt_version=1,
        state=EventState.DEAD,
        item_outcome="failed",
        recorded_at=now,
        reason=reason[:500],
    )


def control_audit(unit: WriteUnit, *, action: str, target: str, stamp: Stamp) -> AuditRow:
    """The audit row of a change of control data."""
    return AuditRow(
        tenant_id=unit.tenant_id,
        shard=unit.shard,
        at=stamp.now,
        actor=unit.context.principal.key_id,
        action=action,
        target=target,
        reason="",
        trace_id=unit.context.trace_id,
        subject_hmac="",
    )


def _audited(unit: WriteUnit, memory: Memory, *, before: str, stamp: Stamp) -> Change:
    row = AuditRow(
        tenant_id=memory.scope.tenant_id,
        shard=memory.scope.shard,
        at=stamp.now,
        actor=memory.changed_by,
        action=f"memory.{memory.op.value}",
        target=memory.memory_id,
        reason=memory.status_reason or "",
        trace_id=unit.context.trace_id,
        subject_hmac=subject_hmac(stamp.secret, memory.scope.user_id),
        before_hmac=subject_hmac(stamp.secret, before) if before else "",
        after_hmac=subject_hmac(stamp.secret, _fingerprint(memory)),
        version=memory.version,
    )
    return Change(memory=replace(memory, audit_chain=chain_name(row.tenant_id, row.shard)), audit=row)


def _fingerprint(memory: Memory) -> str:
    return fingerprint(memory.memory_id, memory.content, memory.status.value, memory.metadata)
