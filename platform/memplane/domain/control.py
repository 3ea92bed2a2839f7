"""Control data: tenants, keys, policies, generations. Small, read by every request from one snapshot."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from memplane.domain.context import Role
from memplane.domain.generations import EmbeddingSpec
from memplane.domain.ids import AgentId, GenerationId, KeyId, TenantId, UserId
from memplane.domain.pii import PiiKind

SNAPSHOT_GOOD_FOR_S: Final = 3600.0
"""How long a snapshot serves while ClickHouse is away."""


class RawTurns(StrEnum):
    """Which raw turns become episodic memories: those that fired a trigger, all that pass the gates, or none."""

    TRIGGERED = "triggered"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A tenant's choices. Every field has the product's default."""

    raw_turns: RawTurns = RawTurns.TRIGGERED
    language: str = "en"
    disabled_gates: frozenset[str] = frozenset()
    unmasked_pii: frozenset[PiiKind] = frozenset()
    """Kinds of personal data that stay in text. By default every kind is masked before anything is stored."""
    long_term_memory: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A tenant. ``secret`` keys the HMAC behind scope tags and audit subjects; it never leaves the platform."""

    tenant_id: TenantId
    name: str
    secret: bytes = field(repr=False)
    policy: Policy
    created_at: datetime
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key as stored: its SHA-256, never itself. Keys are random 256-bit strings, so a plain hash is enough."""

    key_id: KeyId
    tenant_id: TenantId
    key_hash: str
    role: Role
    created_at: datetime
    version: int
    agent_ids: frozenset[AgentId] = frozenset()
    user_ids: frozenset[UserId] = frozenset()
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


class GenerationState(StrEnum):
    """Where an embedding generation stands in its life."""

    BUILDING = "building"
    DUAL = "dual"
    VERIFYING = "verifying"
    SERVING = "serving"
    RETIRED = "retired"
    DROPPED = "dropped"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """One embedding space and the Milvus collection that serves it."""

    generation_id: GenerationId
    spec: EmbeddingSpec
    state: GenerationState
    collection: str
    created_at: datetime
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlSnapshot:
    """All control data as of ``taken_at``."""

    taken_at: datetime
    tenants: tuple[Tenant, ...] = ()
    api_keys: tuple[ApiKey, ...] = ()
    generations: tuple[Generation, ...] = ()

    def tenant(self, tenant_id: TenantId) -> Tenant | None:
        """The tenant, or ``None``."""
        return next((tenant for tenant in self.tenants if tenant.tenant_id == tenant_id), None)

    def key_by_hash(self, key_hash: str) -> ApiKey | None:
        """The key with this hash, or ``None``."""
        return next((key for key in self.api_keys if key.key_hash == key_hash), None)

    def serving(self) -> Generation | None:
        """The generation that answers queries, or ``None`` before the first start."""
        return next((item for item in self.generations if item.state is GenerationState.SERVING), None)
