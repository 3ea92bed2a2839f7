"""``POST /v1/recall`` and ``POST /v1/recall/context``."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from memplane.api.schemas.answers import AnswerModel, FactOut, MemoryOut
from memplane.api.schemas.events import TurnRole
from memplane.api.schemas.fields import Content, Identifier, NotServed, RequestModel, Time, fail
from memplane.api.schemas.memories import Category, MemoryKind
from memplane.domain.queries import (
    DEFAULT_RECALL_DEADLINE_MS,
    DEFAULT_TOP_K,
    DEFAULT_WINDOW_TOKENS,
    MAX_RECALL_DEADLINE_MS,
    MAX_TOP_K,
)

QUERY_TURNS: Final = 3
MAX_QUERY_CHARACTERS: Final = 8_000
MAX_MESSAGES: Final = 200
MAX_TOKENS: Final = 10_000_000


def _refuse_soft(value: Any) -> Any:
    if value == "soft":
        raise fail("not_supported", "is not supported by this version; use 'hard'")
    return value


class MessageIn(RequestModel):
    """A turn of the conversation that asks."""

    role: TurnRole
    content: Content


class TimeWindowIn(RequestModel):
    """A window of ``event_time``: from inclusive, to exclusive."""

    from_: Time | None = Field(default=None, alias="from")
    to: Time | None = None
    mode: Annotated[Literal["hard"], BeforeValidator(_refuse_soft)] = Field(
        default="hard", description="`soft` is not supported by this version."
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.from_ is not None and self.to is not None and self.to <= self.from_:
            raise fail("out_of_range", "'to' must be later than 'from'")
        return self


class WeightsIn(RequestModel):
    """Own weights instead of a profile's: only their proportions matter."""

    relevance: float = Field(default=0.0, ge=0, le=1_000)
    importance: float = Field(default=0.0, ge=0, le=1_000)
    recency: float = Field(default=0.0, ge=0, le=1_000)
    frequency: float = Field(default=0.0, ge=0, le=1_000)
    tau_days: float = Field(default=7.0, gt=0, le=36_500, description="Days in which recency falls to 37 %.")

    @model_validator(mode="after")
    def _some_weight(self) -> Self:
        if not self.relevance + self.importance + self.recency + self.frequency > 0:
            raise fail("out_of_range", "at least one weight must be above 0")
        return self


class SearchIn(RequestModel):
    """What both ways of recalling take."""

    user_id: Identifier
    query: Content | None = Field(default=None, description=f"At most {MAX_QUERY_CHARACTERS} characters.")
    messages: list[MessageIn] | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_MESSAGES,
        description="Instead of `query`: the last turns are the query.",
    )
    session_id: Identifier | None = None
    agent_id: Identifier | None = None
    top_k: int = Field(default=DEFAULT_TOP_K, ge=1, le=MAX_TOP_K)
    kinds: list[MemoryKind] = Field(default=[])
    categories: list[Category] = Field(default=[])
    filter: dict[str, Any] | None = Field(
        default=None,
        description="A condition over system fields and `metadata.<path>`; runs before anything is ranked.",
    )
    time: TimeWindowIn | None = None
    as_of: NotServed = None
    known_at: NotServed = None
    profile: Literal["balanced", "fresh", "stepped", "relevance"] = "balanced"
    weights: WeightsIn | None = None
    min_relevance: float = Field(default=0.0, ge=0, le=1)
    consistency: Literal["session", "strong"] = "session"
    plan: Literal["auto", "exact", "index"] = "auto"
    relax: NotServed = None
    include_archived: bool = False
    deadline_ms: int = Field(default=DEFAULT_RECALL_DEADLINE_MS, ge=1, le=MAX_RECALL_DEADLINE_MS)
    explain: bool = False

    @model_validator(mode="after")
    def _one_query(self) -> Self:
        if self.query is not None and self.messages is not None:
            raise fail("ambiguous", "give 'query' or 'messages', not both")
        if self.query is not None and len(self.query) > MAX_QUERY_CHARACTERS:
            raise fail("too_long", f"'query' must have at most {MAX_QUERY_CHARACTERS} characters")
        return self

    def text(self) -> str:
        """The query, or the last turns joined, cut at their beginning; empty if there is neither."""
        if self.query is not None:
            return self.query
        turns = [message.content for message in (self.messages or []) if message.role in {"user", "assistant"}]
        return "\n".join(turns[-QUERY_TURNS:])[-MAX_QUERY_CHARACTERS:]


class RecallIn(SearchIn):
    """What matters now, as data."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"user_id": "user-1", "query": "周报要怎么发?", "top_k": 5},
                {
                    "user_id": "user-1",
                    "messages": [{"role": "user", "content": "How should I send the weekly report?"}],
                    "profile": "relevance",
                    "time": {"from": "2025-01-01T00:00:00Z"},
                    "explain": True,
                },
            ]
        }
    )

    @model_validator(mode="after")
    def _needs_query(self) -> Self:
        if self.query is None and self.messages is None:
            raise fail("missing", "give 'query' or 'messages'")
        if not self.text().strip():
            raise fail("blank", "'messages' must hold a turn of the user or the assistant")
        return self


class ContextIn(SearchIn):
    """What matters now, as a block ready for the prompt. Without a query: the opening of a session."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"user_id": "user-1", "query": "周报要怎么发?", "top_k": 5, "window_tokens": 32_768, "language": "zh"}
            ]
        }
    )

    budget_tokens: int | None = Field(
        default=None, ge=1, le=MAX_TOKENS, description="Default: a quarter of the window."
    )
    window_tokens: int = Field(default=DEFAULT_WINDOW_TOKENS, ge=1, le=MAX_TOKENS)
    prompt_tokens: int = Field(default=0, ge=0, le=MAX_TOKENS)
    language: Literal["en", "zh"] | None = Field(default=None, description="Default: the tenant's.")
    citation_style: Literal["short", "id"] = "short"


class ScorePartsOut(AnswerModel):
    """The parts of a score, each in 0..1."""

    relevance: float
    importance: float
    recency: float
    frequency: float


class RecalledMemoryOut(MemoryOut):
    """A memory with its score, the parts of it, and the arms that found it."""

    score: float
    scores: ScorePartsOut
    arms: list[str]


class RecalledFactOut(FactOut):
    """A fact that shares words with the query."""

    score: float
    arms: list[str]


class RecallOut(AnswerModel):
    """The answer of a recall."""

    memories: list[RecalledMemoryOut]
    facts: list[RecalledFactOut]
    knowledge: list[Any]
    route: str
    plan: str
    rewritten_query: str
    degraded: list[str]
    trace_id: str
    took_ms: float
    explain: dict[str, Any] | None = None


class CitationOut(AnswerModel):
    """Maps a reference in the block to its memory."""

    ref: str
    memory_id: str
    score: float


class ContextOut(AnswerModel):
    """A block ready for the prompt."""

    context: str
    citations: list[CitationOut]
    tokens: int
    tokens_by_part: dict[str, int]
    window_used: float
    advice: str
    degraded: list[str]
    trace_id: str
