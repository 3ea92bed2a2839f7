"""The audit chain: whole when untouched, and telling when not."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.audit_chain import GENESIS_HASH, AuditRow, ChainHead, append, subject_hmac, verify
from memplane.domain.ids import TenantId


def _row(target: str) -> AuditRow:
    return AuditRow(
        tenant_id=TenantId("t1"),
        shard=3,
        at=datetime(2025, 6, 12, tzinfo=UTC),
        actor="key-1",
        action="memory.add",
        target=target,
        reason="",
        trace_id="0" * 32,
        subject_hmac=subject_hmac(b"secret", "u"),
    )


def test_rows_are_linked_from_genesis_and_a_chain_can_go_on() -> None:
    first, head = append(ChainHead(), [_row("a"), _row("b")])
    second, _ = append(head, [_row("c")])
    assert [row.seq for row in (*first, *second)] == [1, 2, 3]
    assert first[0].prev_hash == GENESIS_HASH
    assert second[0].prev_hash == first[1].hash
    assert verify([*first, *second]) == []


@given(st.lists(st.text(max_size=20), min_size=3, max_size=8), st.data())
def test_any_change_removal_or_swap_is_reported(targets: list[str], data: st.DataObject) -> None:
    rows, _ = append(ChainHead(), [_row(f"{index}{target}") for index, target in enumerate(targets)])
    place = data.draw(st.integers(0, len(rows) - 2))
    changed = list(rows)
    changed[place] = replace(rows[place], target="forged")
    removed = [row for index, row in enumerate(rows) if index != place]
    swapped = list(rows)
    swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
    for broken in (changed, removed, swapped):
        assert verify(broken)


@pytest.mark.parametrize(
    "field", ["actor", "action", "reason", "trace_id", "before_hmac", "after_hmac", "subject_hmac"]
)
def test_every_field_is_bound(field: str) -> None:
    rows, _ = append(ChainHead(), [_row("a")])
    assert verify([replace(rows[0], **{field: "forged"})])
