"""Identifiers: their types, the rules for those that callers choose, and how ours are derived.

Ids are derived from stable content and scope, never from an embedding. ``scope_tag`` leads each of ours, so that a
call by id is one key lookup and knows its shard.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Final, NewType

from memplane.domain.errors import InvalidError

TenantId = NewType("TenantId", str)
UserId = NewType("UserId", str)
AgentId = NewType("AgentId", str)
SessionId = NewType("SessionId", str)
EventId = NewType("EventId", str)
MemoryId = NewType("MemoryId", str)
OperationId = NewType("OperationId", str)
ScopeTag = NewType("ScopeTag", str)
KeyId = NewType("KeyId", str)
GenerationId = NewType("GenerationId", str)

SHARD_COUNT: Final = 64
CONTROL_USER: Final = UserId("_control")
"""Reserved scope of a tenant's own changes (keys, policies): its audit rows live in that scope's shard."""
KNOWLEDGE_USER: Final = UserId("_knowledge")
"""Reserved scope of a tenant's documents."""

_TAG_BYTES = 6
_TAG_CHARACTERS = 10
_HASH_CHARACTERS = 24
_MAX_ID_CODE_POINTS = 128
_TENANT = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_OURS = re.compile(r"(mem|evt|op)_([a-z2-7]{10})_([a-z2-7]{24})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Owner of memories: one user of one tenant, with the tag that leads all keys of it."""

    tenant_id: TenantId
    user_id: UserId
    tag: ScopeTag

    @property
    def shard(self) -> int:
        """The shard, 0..63, whose Writer serializes this scope."""
        return shard_of(self.tag)

    @property
    def partition(self) -> str:
        """The scope as one string: Milvus's partition key. Neither part may hold a ``/``."""
        return f"{self.tenant_id}/{self.user_id}"


def scope_of(*, tenant_id: TenantId, user_id: UserId, tenant_secret: bytes) -> Scope:
    """The scope of a user. The tag is 48 bits of HMAC-SHA-256(tenant secret, user id) in lower-case base32."""
    digest = hmac.new(tenant_secret, user_id.encode(), hashlib.sha256).digest()[:_TAG_BYTES]
    return Scope(tenant_id=tenant_id, user_id=user_id, tag=ScopeTag(_base32(digest)[:_TAG_CHARACTERS]))


def shard_of(tag: ScopeTag) -> int:
    """The shard of a scope tag: its leading six bits."""
    return base64.b32decode(tag.upper() + "=" * (-len(tag) % 8))[0] >> 2


def derive_event_id(scope: Scope, *, idempotency_key: str, index: int) -> EventId:
    """The id of the ``index``-th event of a keyed request: the same request gives the same ids."""
    return EventId(_ours("evt", scope, "key", idempotency_key, str(index)))


def draw_event_id(scope: Scope) -> EventId:
    """A fresh id for an event of a request without a key."""
    return EventId(_ours("evt", scope, "random", secrets.token_hex(16)))


def derive_memory_id(scope: Scope, *, event_id: EventId, index: int) -> MemoryId:
    """The id of the ``index``-th memory that an event gives."""
    return MemoryId(_ours("mem", scope, "event", event_id, str(index)))


def derive_fact_memory_id(scope: Scope, *, fact_key: str) -> MemoryId:
    """The id of the memory that holds the current value of a fact key."""
    return MemoryId(_ours("mem", scope, "fact", fact_key))


def derive_operation_id(scope: Scope, *, route: str, idempotency_key: str) -> OperationId:
    """The id of a keyed operation: a repeat finds the first one by key lookup."""
    return OperationId(_ours("op", scope, route, idempotency_key))


def draw_operation_id(scope: Scope) -> OperationId:
    """A fresh id for an operation without a key."""
    return OperationId(_ours("op", scope, "random", secrets.token_hex(16)))


def draw_operation_id_for_tag(tag: ScopeTag) -> OperationId:
    """A fresh id for an operation that names its target by id only (a deletion)."""
    return OperationId(f"op_{tag}_{_base32(secrets.token_bytes(16))[:_HASH_CHARACTERS]}")


def tag_of(own_id: str) -> ScopeTag | None:
    """The scope tag inside one of our ids; ``None`` if it is not of our making."""
    match = _OURS.fullmatch(own_id)
    return ScopeTag(match[2]) if match else None


def check_tenant_id(value: str, *, path: str = "tenant_id") -> TenantId:
    """Returns ``value`` as a tenant id. Raises: InvalidError, naming ``path``."""
    if not _TENANT.fullmatch(value):
        raise InvalidError.field(path, "bad_id", f"{value[:64]!r} must match [a-z0-9][a-z0-9-]{{0,62}}")
    return TenantId(value)


def id_problem(value: str) -> str | None:
    """What is wrong with an id that a caller chose (user, session, agent, document, entity), or ``None``.

    Ids are opaque: 1-128 code points, no control characters, no lone surrogates, no ``/``, not ``.`` or ``..``, no
    leading ``_``. They are never trimmed or folded.
    """
    if not 1 <= len(value) <= _MAX_ID_CODE_POINTS:
        return f"must have 1 to {_MAX_ID_CODE_POINTS} characters, has {len(value)}"
    if value in {".", ".."} or "/" in value:
        return "must not be '.' or '..' or hold a '/'"
    if value.startswith("_"):
        return "must not start with '_': such names are reserved"
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in value):
        return "must not hold control characters"
    return None


def hash_parts(*parts: str | bytes) -> bytes:
    """SHA-256 over length-prefixed parts, so that no two lists of parts can meet in one byte string."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.digest()


def _ours(prefix: str, scope: Scope, *parts: str) -> str:
    digest = hash_parts("memplane.id.v1", prefix, scope.tenant_id, scope.user_id, *parts)
    return f"{prefix}_{scope.tag}_{_base32(digest)[:_HASH_CHARACTERS]}"


def _base32(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()
