"""The key file that ``memplane up`` writes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFile:
    """Where the platform is and what opens it. The keys stay out of ``repr``."""

    url: str
    tenant_id: str
    agent_key: str = field(repr=False)
    operator_key: str = field(default="", repr=False)


def read_key_file(path: Path | str) -> KeyFile:
    """Reads a key file. Raises: FileNotFoundError; ValueError when it is not one."""
    data = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(data, dict) or not all(isinstance(data.get(name), str) for name in ("url", "agent_key")):
        raise ValueError(f"{str(path)!r} is not a key file: it needs 'url' and 'agent_key'")
    return KeyFile(
        url=data["url"],
        tenant_id=str(data.get("tenant_id", "")),
        agent_key=data["agent_key"],
        operator_key=str(data.get("operator_key") or ""),
    )
