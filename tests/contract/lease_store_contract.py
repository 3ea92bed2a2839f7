"""What every ``ports.leases.LeaseStore`` does. A store may hold leases of earlier tests: each has its own shards."""

from __future__ import annotations

import pytest

from memplane.ports.leases import Lease, LeaseStore


async def of_shards(store: LeaseStore, *shards: int) -> list[Lease]:
    return sorted((lease for lease in await store.load() if lease.shard in shards), key=lambda lease: lease.shard)


class LeaseStoreContract:
    """Override ``lease_store``."""

    @pytest.fixture
    async def lease_store(self) -> LeaseStore:
        raise NotImplementedError

    async def test_shards_without_a_lease_are_absent(self, lease_store: LeaseStore) -> None:
        await lease_store.save(leases=[])
        assert await of_shards(lease_store, 60, 61) == []

    async def test_a_lease_comes_back_as_it_went_in(self, lease_store: LeaseStore) -> None:
        leases = [
            Lease(shard=0, owner="写者 'a' \\", epoch=2**40, until_ms=1_790_000_000_123),
            Lease(shard=63, owner="b", epoch=1, until_ms=5),
        ]
        await lease_store.save(leases=leases)
        assert await of_shards(lease_store, 0, 63) == leases

    async def test_the_greatest_epoch_wins_whatever_came_last(self, lease_store: LeaseStore) -> None:
        newer = Lease(shard=7, owner="new", epoch=3, until_ms=100)
        await lease_store.save(leases=[newer])
        await lease_store.save(leases=[Lease(shard=7, owner="old", epoch=2, until_ms=900)])
        assert await of_shards(lease_store, 7) == [newer]

    @pytest.mark.parametrize(("shard", "until_ms"), [(8, 900), (9, 50)])
    async def test_a_renewal_and_a_release_replace_their_lease(
        self, lease_store: LeaseStore, shard: int, until_ms: int
    ) -> None:
        await lease_store.save(leases=[Lease(shard=shard, owner="a", epoch=4, until_ms=100)])
        last = Lease(shard=shard, owner="a", epoch=4, until_ms=until_ms)
        await lease_store.save(leases=[last])
        assert await of_shards(lease_store, shard) == [last]

    async def test_one_lease_a_shard(self, lease_store: LeaseStore) -> None:
        await lease_store.save(leases=[Lease(shard=10, owner="a", epoch=1, until_ms=1)])
        await lease_store.save(leases=[Lease(shard=shard, owner="b", epoch=2, until_ms=2) for shard in (10, 11)])
        shards = [lease.shard for lease in await lease_store.load()]
        assert len(shards) == len(set(shards))
        assert {10, 11} <= set(shards)
