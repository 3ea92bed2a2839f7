"""What has expired by the moment of a decision: it is told so, and contradicts nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memplane.domain.memory import Kind, Status
from memplane.domain.resolve.instructions import InstructionOp, UpdateInstruction
from memplane.domain.resolve.neighbours import Neighbour

_COMPARED_STATUSES: Final = frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.PENDING_REVIEW})
_COMPARED_KINDS: Final = frozenset({Kind.SEMANTIC, Kind.EPISODIC})


def part_expired(
    neighbours: Sequence[Neighbour], now: datetime
) -> tuple[tuple[UpdateInstruction, ...], list[Neighbour]]:
    """The instructions for what has expired meanwhile, and the neighbours that are compared at all."""
    expired: list[UpdateInstruction] = []
    living: list[Neighbour] = []
    for one in neighbours:
        memory = one.memory
        if memory.status not in _COMPARED_STATUSES or memory.kind not in _COMPARED_KINDS or memory.fact_key is not None:
            continue
        if memory.expires_at is None or memory.expires_at > now:
            living.append(one)
        elif memory.status is Status.ACTIVE:
            expired.append(
                UpdateInstruction(
                    op=InstructionOp.EXPIRE,
                    target=memory.memory_id,
                    before=memory.content,
                    after=memory.content,
                    reason="expired",
                    decided_by="rule:expires_at",
                    target_version=memory.version,
                    status=Status.EXPIRED,
                    valid_to=memory.expires_at,
                )
            )
    return tuple(expired), living
