"""What callers ask to be found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from memplane.domain.filters import Filter
from memplane.domain.ids import AgentId, Scope, SessionId

DEFAULT_TOP_K: Final = 5
MAX_TOP_K: Final = 100
DEFAULT_RECALL_DEADLINE_MS: Final = 2_000
MAX_RECALL_DEADLINE_MS: Final = 30_000
DEFAULT_WINDOW_TOKENS: Final = 32_768


class Profile(StrEnum):
    """A way to score."""

    BALANCED = "balanced"
    FRESH = "fresh"
    STEPPED = "stepped"
    RELEVANCE = "relevance"


class Plan(StrEnum):
    """Where the dense and keyword arms run: in ClickHouse, in Milvus, or as the planner decides."""

    AUTO = "auto"
    EXACT = "exact"
    INDEX = "index"


class Consistency(StrEnum):
    """What a recall is sure to see."""

    SESSION = "session"
    STRONG = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A caller's own weights of the parts of a score. Only their proportions matter; τ is in days."""

    relevance: float = 0.0
    importance: float = 0.0
    recency: float = 0.0
    frequency: float = 0.0
    tau_days: float = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """``POST /v1/recall`` after validation. ``text`` is the query, or the last turns joined."""

    scope: Scope
    text: str
    top_k: int = DEFAULT_TOP_K
    session_id: SessionId | None = None
    agent_id: AgentId | None = None
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    from_time: datetime | None = None
    to_time: datetime | None = None
    filter: Filter | None = None
    profile: Profile = Profile.BALANCED
    weights: Weights | None = None
    min_relevance: float = 0.0
    consistency: Consistency = Consistency.SESSION
    plan: Plan = Plan.AUTO
    include_archived: bool = False
    deadline_ms: int = DEFAULT_RECALL_DEADLINE_MS
    explain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """``POST /v1/recall/context`` after validation. ``budget_tokens`` ``None`` means: a quarter of the window."""

    recall: RecallRequest
    budget_tokens: int | None = None
    window_tokens: int = DEFAULT_WINDOW_TOKENS
    prompt_tokens: int = 0
    language: str = "en"
    citation_style: str = "short"
