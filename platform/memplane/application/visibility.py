"""What of a user's memories a caller may see: by the key's bindings and the agent that it speaks for."""

from __future__ import annotations

from dataclasses import dataclass

from memplane.domain.context import Principal, Role
from memplane.domain.errors import ForbiddenError
from memplane.domain.ids import AgentId, UserId
from memplane.domain.memory import Memory, Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """The agent that looks (``None``: none in particular), and whether other agents' private memories show as well."""

    agent_id: AgentId | None
    sees_private: bool


def agent_for(principal: Principal, agent_id: AgentId | None) -> AgentId | None:
    """The agent of a call: the one it names, else the only one that its key is bound to."""
    if agent_id is None and len(principal.agent_ids) == 1:
        return next(iter(principal.agent_ids))
    return agent_id


def viewer_for(principal: Principal, agent_id: AgentId | None) -> Viewer:
    """Who looks. Private memories show to users (their own), operators, and keys that neither name an agent nor are
    bound to one.
    """
    agent_id = agent_for(principal, agent_id)
    return Viewer(agent_id=agent_id, sees_private=agent_id is None and _sees_all(principal))


def require_reach(principal: Principal, *, user_id: UserId, agent_id: AgentId | None) -> None:
    """Raises: ForbiddenError unless the key reaches this user and may speak for this agent (see :func:`agent_for`)."""
    if not owns_user(principal, user_id):
        raise ForbiddenError("this key is bound to other users")
    principal.require_agent(agent_id)


def owns_user(principal: Principal, user_id: UserId) -> bool:
    """Whether the key reaches this user's memories."""
    if principal.role is Role.USER:
        return user_id in principal.user_ids
    return not principal.user_ids or user_id in principal.user_ids


def may_see(principal: Principal, memory: Memory) -> bool:
    """Whether the caller may know of this memory at all, when it is asked for by id."""
    if memory.scope.tenant_id != principal.tenant_id or not owns_user(principal, memory.scope.user_id):
        return False
    return memory.visibility is Visibility.SHARED or _sees_all(principal) or memory.agent_id in principal.agent_ids


def _sees_all(principal: Principal) -> bool:
    return principal.role in {Role.USER, Role.OPERATOR} or not principal.agent_ids
