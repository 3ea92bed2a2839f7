"""Tenants, keys and generations as rows, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any, Final

import orjson

from memplane.adapters.clickhouse.table import NAME, OPTIONAL_TIME, TEXT, TEXTS, TIME, Table, json_text
from memplane.domain.context import Role
from memplane.domain.control import ApiKey, Generation, GenerationState, Policy, RawTurns, Tenant
from memplane.domain.generations import EmbeddingSpec
from memplane.domain.ids import AgentId, GenerationId, KeyId, TenantId, UserId
from memplane.domain.pii import PiiKind

TENANTS: Final = Table(
    name="tenants",
    durable=True,
    columns={
        "tenant_id": TEXT,
        "name": TEXT,
        "secret": TEXT,
        "policy": TEXT,
        "created_at": TIME,
        "version": "UInt64",
    },
)
API_KEYS: Final = Table(
    name="api_keys",
    durable=True,
    columns={
        "key_id": TEXT,
        "tenant_id": TEXT,
        "key_hash": TEXT,
        "role": NAME,
        "agent_ids": TEXTS,
        "user_ids": TEXTS,
        "created_at": TIME,
        "expires_at": OPTIONAL_TIME,
        "revoked_at": OPTIONAL_TIME,
        "version": "UInt64",
    },
)
GENERATIONS: Final = Table(
    name="generations",
    durable=True,
    columns={
        "generation": TEXT,
        "spec": TEXT,
        "state": NAME,
        "collection": TEXT,
        "created_at": TIME,
        "version": "UInt64",
    },
)


def tenant_row(tenant: Tenant) -> tuple[Any, ...]:
    """Values in the order of ``TENANTS.columns``."""
    policy = _policy_text(tenant.policy)
    return (tenant.tenant_id, tenant.name, tenant.secret.hex(), policy, tenant.created_at, tenant.version)


def api_key_row(key: ApiKey) -> tuple[Any, ...]:
    """Values in the order of ``API_KEYS.columns``."""
    return (
        key.key_id, key.tenant_id, key.key_hash, key.role.value, sorted(key.agent_ids), sorted(key.user_ids),
        key.created_at, key.expires_at, key.revoked_at, key.version,
    )  # fmt: skip


def generation_row(generation: Generation) -> tuple[Any, ...]:
    """Values in the order of ``GENERATIONS.columns``."""
    spec = json_text(asdict(generation.spec))
    state = generation.state.value
    return (generation.generation_id, spec, state, generation.collection, generation.created_at, generation.version)


def tenant_of(values: Sequence[Any]) -> Tenant:
    """The tenant that values in the order of ``control_snapshot.sql`` hold."""
    tenant_id, name, secret, policy, created_at, version = values
    return Tenant(
        tenant_id=TenantId(tenant_id),
        name=name,
        secret=bytes.fromhex(secret),
        policy=_policy(policy),
        created_at=created_at,
        version=version,
    )


def api_key_of(values: Sequence[Any]) -> ApiKey:
    """The key that values in the order of ``control_snapshot.sql`` hold."""
    key_id, tenant_id, key_hash, role, agent_ids, user_ids, created_at, expires_at, revoked_at, version = values
    return ApiKey(
        key_id=KeyId(key_id),
        tenant_id=TenantId(tenant_id),
        key_hash=key_hash,
        role=Role(role),
        created_at=created_at,
        version=version,
        agent_ids=frozenset(AgentId(agent_id) for agent_id in agent_ids),
        user_ids=frozenset(UserId(user_id) for user_id in user_ids),
        expires_at=expires_at,
        revoked_at=revoked_at,
    )


def generation_of(values: Sequence[Any]) -> Generation:
    """The generation that values in the order of ``control_snapshot.sql`` hold."""
    generation, spec, state, collection, created_at, version = values
    return Generation(
        generation_id=GenerationId(generation),
        spec=EmbeddingSpec(**orjson.loads(spec)),
        state=GenerationState(state),
        collection=collection,
        created_at=created_at,
        version=version,
    )


def _policy_text(policy: Policy) -> str:
    return json_text(
        {
            **asdict(policy),
            "raw_turns": policy.raw_turns.value,
            "disabled_gates": sorted(policy.disabled_gates),
            "unmasked_pii": sorted(policy.unmasked_pii),
        }
    )


def _policy(text: str) -> Policy:
    # A row of an older release lacks newer fields and gets their defaults; one of a newer release has fields unread.
    stored: dict[str, Any] = orjson.loads(text)
    known = {field.name: stored[field.name] for field in fields(Policy) if field.name in stored}
    if "raw_turns" in known:
        known["raw_turns"] = RawTurns(known["raw_turns"])
    if "disabled_gates" in known:
        known["disabled_gates"] = frozenset(known["disabled_gates"])
    if "unmasked_pii" in known:
        known["unmasked_pii"] = frozenset(PiiKind(kind) for kind in known["unmasked_pii"])
    return Policy(**known)
