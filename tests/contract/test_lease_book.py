"""The contract of ``LeaseAuthority``, kept by the lease book."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memplane.adapters.memory import SettableClock
from memplane.application.leases import LeaseBook
from memplane.ports.clock import Clock
from memplane.ports.leases import LeaseStore
from tests.contract.lease_authority_contract import LEASE, MS, START, Build, FailingLeaseStore, LeaseAuthorityContract


def _book(store: LeaseStore, clock: Clock) -> LeaseBook:
    return LeaseBook(store, clock=clock, duration_s=10, margin_s=2)


class TestLeaseBook(LeaseAuthorityContract):
    """The contract."""

    @pytest.fixture
    def build(self) -> Build:
        return _book


async def test_its_own_lapsed_grants_need_no_grace() -> None:
    clock = SettableClock(START)
    authority = _book(FailingLeaseStore(), clock)
    await authority.acquire(owner="a", shards=[1])
    clock.advance(LEASE)
    assert [lease.owner for lease in await authority.acquire(owner="b", shards=[1])] == ["b"]


async def test_a_clock_that_goes_back_takes_nothing_away() -> None:
    clock = SettableClock(START)
    authority = _book(FailingLeaseStore(), clock)
    (first,) = await authority.acquire(owner="a", shards=[1])
    clock.advance(-timedelta(seconds=5))
    (second,) = await authority.acquire(owner="a", shards=[1])
    assert second.until_ms == first.until_ms
    clock.set(START + LEASE - MS)
    assert await authority.acquire(owner="b", shards=[1]) == []
