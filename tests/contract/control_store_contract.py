"""What every ``ports.control_store.ControlStore`` does."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memplane.domain.context import Role
from memplane.domain.control import ApiKey, Generation, GenerationState, Policy, RawTurns, Tenant
from memplane.domain.generations import EmbeddingSpec
from memplane.domain.ids import AgentId, KeyId, TenantId, UserId
from memplane.ports.control_store import ControlStore

CREATED = datetime(2026, 3, 4, 5, 6, 7, 89_000, tzinfo=UTC)


def make_tenant() -> Tenant:
    return Tenant(
        tenant_id=TenantId(f"t-{secrets.token_hex(6)}"),
        name="测试 'tenant' \\",
        secret=secrets.token_bytes(32),
        policy=Policy(
            raw_turns=RawTurns.ALL,
            language="zh",
            disabled_gates=frozenset({"chit_chat", "fragment"}),
            long_term_memory=False,
        ),
        created_at=CREATED,
        version=1,
    )


def make_key(tenant_id: TenantId) -> ApiKey:
    return ApiKey(
        key_id=KeyId(f"key_{secrets.token_hex(6)}"),
        tenant_id=tenant_id,
        key_hash=secrets.token_hex(32),
        role=Role.AGENT,
        created_at=CREATED,
        version=1,
    )


def make_generation() -> Generation:
    spec = EmbeddingSpec(
        model="e5", revision=secrets.token_hex(4), dim=384, dtype="int8", normalise=True, query_prompt="query: ",
        document_prompt="passage: ", fingerprint="0123456789abcdef",
    )  # fmt: skip
    return Generation(
        generation_id=spec.generation_id,
        spec=spec,
        state=GenerationState.BUILDING,
        collection=f"memories_{spec.generation_id}",
        created_at=CREATED,
        version=1,
    )


class ControlStoreContract:
    """Override ``control_store``."""

    @pytest.fixture
    async def control_store(self) -> ControlStore:
        raise NotImplementedError

    async def test_a_snapshot_says_when_it_was_taken(self, control_store: ControlStore) -> None:
        before = datetime.now(UTC)
        snapshot = await control_store.snapshot()
        assert before <= snapshot.taken_at <= datetime.now(UTC)

    async def test_empty_input_does_nothing(self, control_store: ControlStore) -> None:
        before = await control_store.snapshot()
        await control_store.put_tenants(tenants=[])
        await control_store.put_api_keys(api_keys=[])
        await control_store.put_generations(generations=[])
        assert replace(await control_store.snapshot(), taken_at=before.taken_at) == before

    async def test_everything_comes_back_as_it_went_in(self, control_store: ControlStore) -> None:
        tenant, generation = make_tenant(), make_generation()
        bare = make_key(tenant.tenant_id)
        full = replace(
            make_key(tenant.tenant_id),
            role=Role.USER,
            agent_ids=frozenset({AgentId("助手"), AgentId("b")}),
            user_ids=frozenset({UserId("u'1")}),
            expires_at=CREATED + timedelta(days=1),
            revoked_at=CREATED + timedelta(hours=1),
        )
        await control_store.put_tenants(tenants=[tenant, replace(make_tenant(), policy=Policy())])
        await control_store.put_api_keys(api_keys=[bare, full])
        await control_store.put_generations(generations=[generation])
        snapshot = await control_store.snapshot()
        assert snapshot.tenant(tenant.tenant_id) == tenant
        assert snapshot.key_by_hash(bare.key_hash) == bare
        assert snapshot.key_by_hash(full.key_hash) == full
        assert generation in snapshot.generations

    @pytest.mark.parametrize("newest_first", [False, True])
    async def test_the_greatest_version_wins_whatever_came_last(
        self, control_store: ControlStore, newest_first: bool
    ) -> None:
        tenant, generation = make_tenant(), make_generation()
        key = make_key(tenant.tenant_id)
        new_tenant = replace(tenant, name="renamed", version=2)
        new_key = replace(key, revoked_at=CREATED, version=2)
        new_generation = replace(generation, state=GenerationState.SERVING, version=2)
        pairs = [(tenant, key, generation), (new_tenant, new_key, new_generation)]
        for some_tenant, some_key, some_generation in reversed(pairs) if newest_first else pairs:
            await control_store.put_tenants(tenants=[some_tenant])
            await control_store.put_api_keys(api_keys=[some_key])
            await control_store.put_generations(generations=[some_generation])
        snapshot = await control_store.snapshot()
        assert [item for item in snapshot.tenants if item.tenant_id == tenant.tenant_id] == [new_tenant]
        assert [item for item in snapshot.api_keys if item.key_id == key.key_id] == [new_key]
        same = [item for item in snapshot.generations if item.generation_id == generation.generation_id]
        assert same == [new_generation]
