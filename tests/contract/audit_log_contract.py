"""What every ``ports.audit_log.AuditLog`` does."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta

import pytest

from memplane.domain.audit_chain import AuditRow, ChainHead, append, verify
from memplane.domain.ids import TenantId
from memplane.ports.audit_log import AuditLog


def fresh_tenant() -> TenantId:
    return TenantId(f"t-{secrets.token_hex(6)}")


def make_rows(tenant_id: TenantId, count: int, *, shard: int = 3, reason: str = "纠正 'x' \\") -> list[AuditRow]:
    start = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
    return [
        AuditRow(
            tenant_id=tenant_id, shard=shard, at=start + timedelta(milliseconds=number), actor="key_1", action="add",
            target=f"mem_{number}", reason=reason, trace_id="0" * 32, subject_hmac="s" * 64, before_hmac="",
            after_hmac="a" * 64, version=2**63 + number,
        )
        for number in range(count)
    ]  # fmt: skip


class AuditLogContract:
    """Override ``audit_log``."""

    @pytest.fixture
    async def audit_log(self) -> AuditLog:
        raise NotImplementedError

    async def test_a_new_chain_starts_from_the_genesis_head(self, audit_log: AuditLog) -> None:
        tenant_id = fresh_tenant()
        assert await audit_log.head(tenant_id=tenant_id, shard=3) == ChainHead()
        assert await audit_log.rows(tenant_id=tenant_id, shard=3, after_seq=0, limit=10) == []

    async def test_empty_input_does_nothing(self, audit_log: AuditLog) -> None:
        await audit_log.append(rows=[])

    async def test_a_chain_comes_back_whole_and_verifies(self, audit_log: AuditLog) -> None:
        tenant_id = fresh_tenant()
        first, head = append(ChainHead(), make_rows(tenant_id, 5))
        second, head = append(head, make_rows(tenant_id, 4))
        await audit_log.append(rows=first)
        await audit_log.append(rows=second)
        assert await audit_log.head(tenant_id=tenant_id, shard=3) == head
        rows = await audit_log.rows(tenant_id=tenant_id, shard=3, after_seq=0, limit=100)
        assert rows == [*first, *second]
        assert verify(rows) == []

    async def test_a_repeat_collapses(self, audit_log: AuditLog) -> None:
        tenant_id = fresh_tenant()
        rows, head = append(ChainHead(), make_rows(tenant_id, 3))
        await audit_log.append(rows=rows)
        await audit_log.append(rows=rows)
        assert await audit_log.rows(tenant_id=tenant_id, shard=3, after_seq=0, limit=100) == list(rows)
        assert await audit_log.head(tenant_id=tenant_id, shard=3) == head

    async def test_rows_come_in_pages(self, audit_log: AuditLog) -> None:
        tenant_id = fresh_tenant()
        rows, _ = append(ChainHead(), make_rows(tenant_id, 25))
        await audit_log.append(rows=rows)
        pages = [await audit_log.rows(tenant_id=tenant_id, shard=3, after_seq=seq, limit=10) for seq in (0, 10, 20, 25)]
        assert [len(page) for page in pages] == [10, 10, 5, 0]
        assert [row for page in pages for row in page] == list(rows)

    async def test_chains_of_other_tenants_and_shards_are_apart(self, audit_log: AuditLog) -> None:
        tenant_id, other = fresh_tenant(), fresh_tenant()
        mine, head = append(ChainHead(), make_rows(tenant_id, 2))
        elsewhere, _ = append(ChainHead(), make_rows(tenant_id, 6, shard=4))
        theirs, _ = append(ChainHead(), make_rows(other, 7))
        await audit_log.append(rows=[*elsewhere, *mine, *theirs])
        assert await audit_log.rows(tenant_id=tenant_id, shard=3, after_seq=0, limit=100) == list(mine)
        assert await audit_log.head(tenant_id=tenant_id, shard=3) == head

    async def test_a_fork_stays_visible(self, audit_log: AuditLog) -> None:
        tenant_id = fresh_tenant()
        ours, _ = append(ChainHead(), make_rows(tenant_id, 2, reason="ours"))
        fork, _ = append(ChainHead(), make_rows(tenant_id, 2, reason="fork"))
        await audit_log.append(rows=ours)
        await audit_log.append(rows=fork)
        rows = await audit_log.rows(tenant_id=tenant_id, shard=3, after_seq=0, limit=100)
        assert [row.seq for row in rows] == [1, 1, 2, 2]
        assert verify(rows) != []
