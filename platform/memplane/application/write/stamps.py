"""What a commit stamps its rows with, and the audit row that every new version brings along. No I/O."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from memplane.application.write.unit import WriteUnit
from memplane.domain.audit_chain import AuditRow, chain_name, subject_hmac
from memplane.domain.canonical import canonical_json
from memplane.domain.clock import VersionClock, to_millis
from memplane.domain.memory import Memory
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
    """One new version and its audit row (not yet linked).

    ``is_current``: it outranks what was there. A fact's older value that came late does not, and is history at once.
    """

    memory: Memory
    audit: AuditRow
    is_current: bool = True


def audited(unit: WriteUnit, memory: Memory, *, before: Memory | None, stamp: Stamp) -> Change:
    """The change that makes ``memory`` out of ``before``, with the audit row that says so."""
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
        before_hmac="" if before is None else subject_hmac(stamp.secret, _fingerprint(before)),
        after_hmac=subject_hmac(stamp.secret, _fingerprint(memory)),
        version=memory.version,
    )
    return Change(
        memory=replace(memory, audit_chain=chain_name(row.tenant_id, row.shard)),
        audit=row,
        is_current=before is None or memory.rank > before.rank,
    )


def _fingerprint(memory: Memory) -> str:
    """What the before and after HMACs cover: the parts of a memory that a change can move."""
    expires_at = None if memory.expires_at is None else to_millis(memory.expires_at)
    return canonical_json(
        [
            memory.memory_id,
            memory.content,
            memory.status.value,
            memory.metadata,
            memory.fact_value,
            memory.category,
            memory.importance,
            memory.pinned,
            expires_at,
        ]
    )
