"""What every ``ports.leases.LeaseAuthority`` does.

A lease lasts 10 s; another owner gets its shard at most 2 s after its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memplane.adapters.memory import InMemoryLeaseStore, SettableClock
from memplane.domain.clock import to_millis
from memplane.domain.errors import StoreUnavailableError, UnavailableError
from memplane.ports.clock import Clock
from memplane.ports.leases import Lease, LeaseAuthority, LeaseStore

START = datetime(2025, 6, 12, 8, 0, tzinfo=UTC)
LEASE = timedelta(seconds=10)
GRACE = timedelta(seconds=2)
MS = timedelta(milliseconds=1)

Build = Callable[[LeaseStore, Clock], LeaseAuthority]


class FailingLeaseStore(InMemoryLeaseStore):
    """A store that can be away, or keep what it is told and lose the answer."""

    away = False
    loses_answers = False

    async def load(self) -> list[Lease]:
        if self.away:
            raise StoreUnavailableError("away")
        return await super().load()

    async def save(self, *, leases: Sequence[Lease]) -> None:
        if not self.away:
            await super().save(leases=leases)
        if self.away or self.loses_answers:
            raise StoreUnavailableError("away")


class LeaseAuthorityContract:
    """Override ``build``: how to make an authority over a store."""

    @pytest.fixture
    def build(self) -> Build:
        raise NotImplementedError

    @pytest.fixture
    def clock(self) -> SettableClock:
        return SettableClock(START)

    @pytest.fixture
    def store(self) -> FailingLeaseStore:
        return FailingLeaseStore()

    @pytest.fixture
    def authority(self, build: Build, store: FailingLeaseStore, clock: SettableClock) -> LeaseAuthority:
        return build(store, clock)

    async def test_free_shards_are_granted_and_stored(
        self, authority: LeaseAuthority, store: FailingLeaseStore
    ) -> None:
        granted = await authority.acquire(owner="a", shards=[3, 1, 3])
        assert sorted(lease.shard for lease in granted) == [1, 3]
        for lease in granted:
            assert (lease.owner, lease.until_ms) == ("a", to_millis(START + LEASE))
            assert lease.epoch >= 1
        assert sorted(await store.load(), key=lambda lease: lease.shard) == sorted(granted, key=lambda item: item.shard)

    async def test_no_shards_give_none(self, authority: LeaseAuthority) -> None:
        assert await authority.acquire(owner="a", shards=[]) == []
        await authority.release(owner="a", shards=[])

    async def test_a_renewal_keeps_the_epoch(self, authority: LeaseAuthority, clock: SettableClock) -> None:
        (first,) = await authority.acquire(owner="a", shards=[1])
        clock.advance(LEASE / 2)
        (second,) = await authority.acquire(owner="a", shards=[1])
        assert second.epoch == first.epoch
        assert second.until_ms == to_millis(clock.now() + LEASE)

    async def test_what_another_holds_is_absent(self, authority: LeaseAuthority, clock: SettableClock) -> None:
        await authority.acquire(owner="a", shards=[1])
        clock.advance(LEASE - MS)
        assert [lease.shard for lease in await authority.acquire(owner="b", shards=[1, 2])] == [2]

    async def test_a_lapsed_lease_goes_to_the_next_with_a_greater_epoch(
        self, authority: LeaseAuthority, clock: SettableClock
    ) -> None:
        (first,) = await authority.acquire(owner="a", shards=[1])
        clock.advance(LEASE + GRACE)
        (second,) = await authority.acquire(owner="b", shards=[1])
        assert second.epoch > first.epoch
        assert await authority.acquire(owner="a", shards=[1]) == []

    async def test_a_released_shard_is_free_at_once(self, authority: LeaseAuthority) -> None:
        (first,) = await authority.acquire(owner="a", shards=[1])
        await authority.release(owner="a", shards=[1, 2])
        (second,) = await authority.acquire(owner="b", shards=[1])
        assert second.epoch > first.epoch

    async def test_nobody_releases_what_another_holds(self, authority: LeaseAuthority) -> None:
        await authority.acquire(owner="a", shards=[1])
        await authority.release(owner="b", shards=[1])
        assert await authority.acquire(owner="b", shards=[1]) == []

    async def test_the_next_authority_honours_stored_leases_and_the_grace(
        self, authority: LeaseAuthority, build: Build, store: FailingLeaseStore, clock: SettableClock
    ) -> None:
        (first,) = await authority.acquire(owner="a", shards=[1])
        successor = build(store, clock)
        clock.advance(LEASE + GRACE - MS)
        assert await successor.acquire(owner="b", shards=[1]) == []
        clock.advance(MS)
        (second,) = await successor.acquire(owner="b", shards=[1])
        assert second.epoch > first.epoch

    async def test_a_holder_goes_on_under_the_next_authority(
        self, authority: LeaseAuthority, build: Build, store: FailingLeaseStore, clock: SettableClock
    ) -> None:
        (first,) = await authority.acquire(owner="a", shards=[1])
        clock.advance(LEASE / 2)
        (second,) = await build(store, clock).acquire(owner="a", shards=[1])
        assert (second.owner, second.epoch) == ("a", first.epoch)

    async def test_a_store_that_is_away_grants_nothing(
        self, authority: LeaseAuthority, store: FailingLeaseStore, clock: SettableClock
    ) -> None:
        store.away = True
        with pytest.raises(UnavailableError):
            await authority.acquire(owner="a", shards=[1])
        store.away = False
        (lease,) = await authority.acquire(owner="b", shards=[1])
        assert lease.owner == "b"

    async def test_after_a_lost_answer_the_store_and_the_holder_agree(
        self, authority: LeaseAuthority, store: FailingLeaseStore, clock: SettableClock
    ) -> None:
        store.loses_answers = True
        with pytest.raises(UnavailableError):
            await authority.acquire(owner="a", shards=[1])
        store.loses_answers = False
        for told in await authority.acquire(owner="b", shards=[1]):
            assert await store.load() == [told]
        clock.advance(LEASE + GRACE)
        (lease,) = await authority.acquire(owner="b", shards=[1])
        assert await store.load() == [lease]

    async def test_two_authorities_over_one_store_never_grant_one_shard_twice(
        self, authority: LeaseAuthority, build: Build, store: FailingLeaseStore, clock: SettableClock
    ) -> None:
        other = build(store, clock)
        await other.acquire(owner="warm", shards=[9])
        await authority.acquire(owner="warm", shards=[8])
        await authority.acquire(owner="a", shards=[1])
        assert await other.acquire(owner="b", shards=[1]) == []

    @given(
        steps=st.lists(
            st.tuples(
                st.sampled_from(["acquire", "release", "restart"]),
                st.sampled_from(["a", "b", "c"]),
                st.sampled_from([0, 1, 4_000, 9_999, 10_000, 12_000]),
            ),
            max_size=25,
        )
    )
    @settings(
        max_examples=60,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    async def test_one_holder_at_a_time_whatever_happens(self, build: Build, steps: list[tuple[str, str, int]]) -> None:
        clock, store = SettableClock(START), InMemoryLeaseStore()
        authority = build(store, clock)
        holder: Lease | None = None
        for action, owner, wait_ms in steps:
            clock.advance(wait_ms * MS)
            now_ms = to_millis(clock.now())
            if action == "restart":
                authority = build(store, clock)
            elif action == "release":
                await authority.release(owner=owner, shards=[5])
                if holder is not None and holder.owner == owner:
                    holder = None
            else:
                for lease in await authority.acquire(owner=owner, shards=[5]):
                    if holder is not None and holder.owner != owner:
                        assert holder.until_ms <= now_ms, (holder, lease)
                        assert lease.epoch > holder.epoch
                    assert lease.until_ms == now_ms + 10_000
                    holder = lease
