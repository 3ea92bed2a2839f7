"""Names and sizes of a collection's fields."""

from __future__ import annotations

from typing import Final

MEMORY_ID: Final = "memory_id"
SCOPE: Final = "scope"
TENANT_ID: Final = "tenant_id"
KIND: Final = "kind"
AGENT_ID: Final = "agent_id"
CATEGORY: Final = "category"
EVENT_TIME: Final = "event_time"
VERSION: Final = "version"
TERMS: Final = "terms"
DENSE: Final = "dense"
SPARSE: Final = "sparse"

MAX_TERMS_BYTES: Final = 65_535
"""Milvus's own limit of a VARCHAR."""
MAX_MEMORY_ID_BYTES: Final = 128
MAX_CALLER_ID_BYTES: Final = 512
"""128 code points of four bytes each."""
MAX_TENANT_ID_BYTES: Final = 63
MAX_SCOPE_BYTES: Final = MAX_TENANT_ID_BYTES + 1 + MAX_CALLER_ID_BYTES
MAX_KIND_BYTES: Final = 32
MAX_CATEGORY_BYTES: Final = 512
