"""Who is calling, from the key that came with the call."""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime
from typing import Final

from memplane.domain.context import Principal
from memplane.domain.control import ApiKey
from memplane.domain.errors import UnauthenticatedError
from memplane.ports.control_view import ControlView

_MAX_KEY_CHARACTERS: Final = 512
_REFUSAL: Final = "this needs a valid key: send 'Authorization: Bearer <key>'"


def hash_key(key: str) -> str:
    """What is stored of a key: its SHA-256, in hex."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def authenticate(view: ControlView, *, bearer: str | None, now: datetime) -> Principal:
    """The caller behind a key.

    One message for every refusal, so that an answer tells nothing about which keys exist. Only hashes are compared,
    each in constant time.

    Raises: UnauthenticatedError (no key, or one that is unknown, revoked, past its date, or whose tenant is gone),
    UnavailableError (no control data to look it up in).
    """
    if not bearer or len(bearer) > _MAX_KEY_CHARACTERS:
        raise UnauthenticatedError(_REFUSAL)
    snapshot = view.current()
    presented = hash_key(bearer)
    key = next((item for item in snapshot.api_keys if hmac.compare_digest(item.key_hash, presented)), None)
    if key is None or not _is_good(key, now) or snapshot.tenant(key.tenant_id) is None:
        raise UnauthenticatedError(_REFUSAL)
    return Principal(
        key_id=key.key_id,
        tenant_id=key.tenant_id,
        role=key.role,
        agent_ids=key.agent_ids,
        user_ids=key.user_ids,
    )


def _is_good(key: ApiKey, now: datetime) -> bool:
    return key.revoked_at is None and (key.expires_at is None or now < key.expires_at)
