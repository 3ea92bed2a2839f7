"""The audit chain: one per (tenant, shard), each row bound to the one before it.

``hash = SHA-256(prev_hash ‖ RFC 8785 JSON of the row)``. Subjects and content appear as HMACs only, so that erasing a
key makes rows anonymous and leaves the chain whole.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memplane.domain.canonical import canonical_json
from memplane.domain.clock import to_millis
from memplane.domain.ids import TenantId

GENESIS_HASH: Final = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """Who did what to which thing, and why. ``seq``, ``prev_hash`` and ``hash`` are set by :func:`append`."""

    tenant_id: TenantId
    shard: int
    at: datetime
    actor: str
    action: str
    target: str
    reason: str
    trace_id: str
    subject_hmac: str
    before_hmac: str = ""
    after_hmac: str = ""
    version: int = 0
    seq: int = 0
    prev_hash: str = GENESIS_HASH
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainHead:
    """The last row of a chain: ``seq`` 0 and the genesis hash when there is none."""

    seq: int = 0
    hash: str = GENESIS_HASH


def chain_name(tenant_id: TenantId, shard: int) -> str:
    """How a version names its chain."""
    return f"{tenant_id}/{shard}"


def append(head: ChainHead, rows: Iterable[AuditRow]) -> tuple[tuple[AuditRow, ...], ChainHead]:
    """Links ``rows`` behind ``head``. Returns: the linked rows and the new head."""
    linked: list[AuditRow] = []
    for row in rows:
        placed = replace(row, seq=head.seq + 1, prev_hash=head.hash)
        placed = replace(placed, hash=row_hash(placed))
        head = ChainHead(seq=placed.seq, hash=placed.hash)
        linked.append(placed)
    return tuple(linked), head


def row_hash(row: AuditRow) -> str:
    """The hash that binds ``row`` to its predecessor."""
    body = {
        "tenant_id": row.tenant_id, "shard": row.shard, "seq": row.seq, "at_ms": to_millis(row.at), "actor": row.actor,
        "action": row.action, "target": row.target, "reason": row.reason, "trace_id": row.trace_id,
        "subject_hmac": row.subject_hmac, "before_hmac": row.before_hmac, "after_hmac": row.after_hmac,
        "version": str(row.version),
    }  # fmt: skip
    return hashlib.sha256(row.prev_hash.encode() + canonical_json(body).encode()).hexdigest()


def verify(rows: Iterable[AuditRow], *, head: ChainHead | None = None) -> list[str]:
    """Re-computes a chain in ``seq`` order. Returns: what is wrong, empty when all holds."""
    head = head or ChainHead()
    problems: list[str] = []
    for row in rows:
        if row.seq != head.seq + 1:
            problems.append(f"seq {head.seq} is followed by {row.seq}")
        elif row.prev_hash != head.hash:
            problems.append(f"row {row.seq} does not follow the row before it")
        if row.hash != row_hash(row):
            problems.append(f"row {row.seq} was changed")
        head = ChainHead(seq=row.seq, hash=row.hash)
    return problems


def subject_hmac(secret: bytes, value: str) -> str:
    """HMAC-SHA-256, in hex, of a subject or content under the tenant's (later: the user's) key."""
    return hmac.new(secret, value.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
