"""The two users of the embedded engine: a writer and a reader, told apart without timing differences."""

import hashlib
import hmac
import json
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class Role(Enum):
    """What a user may do."""

    WRITER = "writer"
    READER = "reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """SHA-256 digests of `user` and of `password` for each role, so that comparisons have one length."""

    digests: Mapping[Role, tuple[bytes, bytes]]

    def role_of(self, user: str, password: str) -> Role | None:
        """Return the role that the pair opens, or None; every stored pair is compared in constant time."""
        given = (_digest(user), _digest(password))
        found: Role | None = None
        for role, (user_digest, password_digest) in self.digests.items():
            if hmac.compare_digest(given[0], user_digest) & hmac.compare_digest(given[1], password_digest):
                found = role
        return found


def load_credentials(path: Path) -> Credentials:
    """Read `{"writer": {"user", "password"}, "reader": {...}}`.

    Raises ValueError when the file is readable by others, is not of that shape, or has an empty password.
    """
    if path.stat().st_mode & 0o077:
        raise ValueError(f"credentials file {path.name!r} is readable by others; run chmod 600 on it")
    content = json.loads(path.read_text(encoding="utf-8"))
    digests: dict[Role, tuple[bytes, bytes]] = {}
    for role in Role:
        entry = content.get(role.value) if isinstance(content, dict) else None
        if not isinstance(entry, dict) or not entry.get("user") or not entry.get("password"):
            raise ValueError(f"credentials file {path.name!r} needs a user and a password for {role.value!r}")
        digests[role] = (_digest(str(entry["user"])), _digest(str(entry["password"])))
    if digests[Role.WRITER][0] == digests[Role.READER][0]:
        raise ValueError(f"credentials file {path.name!r} gives both roles one user name")
    return Credentials(digests=digests)


def presented(headers: Mapping[str, str], params: Mapping[str, str]) -> tuple[str, str]:
    """Take user and password from basic auth, else from the X-ClickHouse headers, else from the URL."""
    scheme, _, encoded = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            user, _, password = b64decode(encoded, validate=True).decode("utf-8").partition(":")
        except (Base64Error, UnicodeDecodeError):
            return "", ""
        return user, password
    if "x-clickhouse-user" in headers:
        return headers["x-clickhouse-user"], headers.get("x-clickhouse-key", "")
    return params.get("user", ""), params.get("password", "")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
