"""The labelled turns of extraction, and how what the rules make of one is compared with its label."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from memplane.domain.extraction import extract, importance_of
from memplane.domain.gates import apply_gates
from memplane.domain.ids import EventId, Scope, ScopeTag, TenantId, UserId
from memplane.domain.memory import Event
from memplane.domain.statements import Statement
from memplane.domain.text import fold

PATH = Path(__file__).parents[1] / "data" / "turns_labelled.jsonl"
ZONE = ZoneInfo("Asia/Shanghai")
SAID_AT = datetime(2025, 6, 16, 10, 0, tzinfo=ZONE)
"""A Monday: when every labelled turn is said."""
SCOPE = Scope(tenant_id=TenantId("t1"), user_id=UserId("u1"), tag=ScopeTag("aaaaaaaaaa"))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTurn:
    """One turn and what is expected of it; fields that are None are not compared."""

    turn_id: str
    lang: str
    role: str
    text: str
    kept: bool
    split: str
    wave: int
    """1 and 2: written before or beside the rules; 3: after them."""
    metadata: Mapping[str, Any]
    kind: str | None
    category: str | None
    key: str | None
    value: str | None
    event_time: str | None
    expires: str | None


def labelled_turns(split: str | None = None) -> list[LabelledTurn]:
    """The turns of a split (``dev`` or ``heldout``), or all."""
    turns = []
    for line in PATH.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if split is None or row["split"] == split:
            turns.append(
                LabelledTurn(
                    turn_id=row["id"],
                    lang=row["lang"],
                    role=row["role"],
                    text=row["text"],
                    kept=row["expected"] == "kept",
                    split=row["split"],
                    wave=row["wave"],
                    metadata=row.get("metadata", {}),
                    kind=row.get("kind"),
                    category=row.get("category"),
                    key=row.get("key"),
                    value=row.get("value"),
                    event_time=row.get("event_time"),
                    expires=row.get("expires"),
                )
            )
    return turns


def event(
    text: str,
    *,
    role: str = "user",
    metadata: Mapping[str, Any] | None = None,
    at: datetime = SAID_AT,
    event_id: str = "evt_1",
) -> Event:
    """One event of the test scope."""
    return Event(
        scope=SCOPE,
        event_id=EventId(event_id),
        seq=1,
        role=role,
        content=text,
        event_time=at,
        received_at=at,
        metadata=metadata or {},
    )


def statements_of(turn: LabelledTurn) -> list[Statement]:
    """What is kept of a turn: gates first, then extraction, then the threshold."""
    gate = apply_gates(turn.text, turn.role)
    if not gate.passed and not turn.metadata:
        return []
    found = extract(
        [event(turn.text, role=turn.role, metadata=turn.metadata)],
        zone=ZONE,
        language="zh" if turn.lang == "zh" else "en",
    )
    return [statement for statement in found if importance_of(statement).kept]


def differences(turn: LabelledTurn, statements: list[Statement]) -> list[str]:
    """The fields in which the best of ``statements`` differs from the label; empty where all agree."""
    if not turn.kept or not statements:
        return []
    return min((_differing(turn, statement) for statement in statements), key=len)


def _differing(turn: LabelledTurn, said: Statement) -> list[str]:
    local = said.event_time.astimezone(ZONE) if said.event_time else None
    checks = {
        "kind": turn.kind is None or said.kind.value == turn.kind,
        "category": turn.category is None or said.category == turn.category,
        "key": turn.key is None or fold(said.slot or "") == fold(turn.key),
        "value": turn.value is None
        or fold(turn.value) in fold(said.value or "")
        or fold(turn.value) in fold(said.text),
        "event_time": turn.event_time is None or (local is not None and local.isoformat().startswith(turn.event_time)),
        "expires": turn.expires is None
        or (said.expires_at is not None and said.expires_at.astimezone(ZONE).date().isoformat() == turn.expires),
    }
    return [name for name, agrees in checks.items() if not agrees]
