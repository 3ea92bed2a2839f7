"""``/admin/v1``: tenants and keys."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from memplane.api.schemas.answers import AnswerModel
from memplane.api.schemas.fields import Identifier, RequestModel, TenantName, Time
from memplane.domain.control import Policy, RawTurns
from memplane.domain.pii import PiiKind

PiiName = Literal["private_key", "api_key", "password", "email", "iban", "resident_id", "bank_card", "ssn", "phone"]
"""The kinds of personal data; a test compares them with ``PiiKind``."""


class PolicyIn(RequestModel):
    """A tenant's choices; what is left out keeps the product's default."""

    raw_turns: Literal["triggered", "all", "none"] = "triggered"
    language: Literal["en", "zh"] = "en"
    disabled_gates: list[Identifier] = Field(default=[], max_length=50)
    unmasked_pii: list[PiiName] = Field(
        default=[], description="Kinds of personal data that are not masked; by default all are."
    )
    long_term_memory: bool = True

    def to_policy(self) -> Policy:
        """The policy as stored."""
        return Policy(
            raw_turns=RawTurns(self.raw_turns),
            language=self.language,
            disabled_gates=frozenset(self.disabled_gates),
            unmasked_pii=frozenset(PiiKind(kind) for kind in self.unmasked_pii),
            long_term_memory=self.long_term_memory,
        )


class TenantIn(RequestModel):
    """A tenant to be made."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"tenant_id": "acme", "name": "Acme", "policy": {"raw_turns": "all"}}]}
    )

    tenant_id: TenantName
    name: str = Field(default="", max_length=200)
    policy: PolicyIn = PolicyIn()


class KeyIn(RequestModel):
    """A key to be made. Empty lists: bound to no agent, no user."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"tenant_id": "acme", "role": "agent"}]})

    tenant_id: TenantName
    role: Literal["agent", "user", "operator", "auditor"]
    agent_ids: list[Identifier] = Field(default=[], max_length=1_000)
    user_ids: list[Identifier] = Field(default=[], max_length=1_000)
    expires_at: Time | None = None


class PolicyOut(AnswerModel):
    """A tenant's choices."""

    raw_turns: str
    language: str
    disabled_gates: list[str]
    unmasked_pii: list[str]
    long_term_memory: bool


class TenantOut(AnswerModel):
    """A tenant. Its secret never leaves the platform."""

    tenant_id: str
    name: str
    policy: PolicyOut
    created_at: str


class KeyOut(AnswerModel):
    """A key, without itself."""

    key_id: str
    tenant_id: str
    role: str
    agent_ids: list[str]
    user_ids: list[str]
    created_at: str
    expires_at: str | None
    revoked_at: str | None


class CreatedKeyOut(KeyOut):
    """A fresh key: ``key`` is shown this once."""

    key: str
