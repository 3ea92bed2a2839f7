"""What travels with every internal call: who asks, under which trace, until when."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum

from memplane.domain.errors import DeadlineExceededError, ForbiddenError
from memplane.domain.ids import AgentId, KeyId, TenantId, UserId


class Role(StrEnum):
    """What a key may do."""

    AGENT = "agent"
    USER = "user"
    OPERATOR = "operator"
    AUDITOR = "auditor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """The authenticated caller. An empty ``agent_ids`` or ``user_ids`` means: not bound to any."""

    key_id: KeyId
    tenant_id: TenantId
    role: Role
    agent_ids: frozenset[AgentId] = frozenset()
    user_ids: frozenset[UserId] = frozenset()

    def require_role(self, *roles: Role) -> None:
        """Raises: ForbiddenError unless the caller has one of ``roles``."""
        if self.role not in roles:
            wanted = " or ".join(role.value for role in roles)
            raise ForbiddenError(f"this needs a key with role {wanted}; this one has role {self.role.value}")

    def require_user(self, user_id: UserId) -> None:
        """Raises: ForbiddenError if the key is bound to other users."""
        if self.user_ids and user_id not in self.user_ids:
            raise ForbiddenError("this key is bound to other users")

    def require_agent(self, agent_id: AgentId | None) -> None:
        """Raises: ForbiddenError if the key is bound to other agents, or to some and none is named."""
        if self.agent_ids and agent_id not in self.agent_ids:
            raise ForbiddenError("this key is bound to agents; name one of them as agent_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """The explicit context of a call. ``deadline`` is Unix seconds; ``traceparent`` is W3C trace context."""

    principal: Principal
    traceparent: str
    deadline: float

    @property
    def trace_id(self) -> str:
        """The 32 hex digits of the trace, or an empty string."""
        parts = self.traceparent.split("-")
        return parts[1] if len(parts) == 4 else ""

    def remaining_s(self, *, at_most_s: float | None = None) -> float:
        """Seconds until the deadline, at most ``at_most_s``. Raises: DeadlineExceededError when none are left."""
        left = self.deadline - time.time()
        if left <= 0:
            raise DeadlineExceededError("the deadline of this request passed", retry_after_s=1.0)
        return left if at_most_s is None else min(left, at_most_s)
