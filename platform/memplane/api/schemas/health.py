"""``/v1/health``."""

from __future__ import annotations

from memplane.api.schemas.answers import AnswerModel


class LiveOut(AnswerModel):
    """The process answers."""

    status: str


class ComponentOut(AnswerModel):
    """One part of the platform."""

    status: str
    latency_ms: float | None = None
    detail: str | None = None


class ReadyOut(AnswerModel):
    """Whether the platform can work: ``ready``, ``degraded`` or ``down``."""

    status: str
    components: dict[str, ComponentOut]
    generation: str | None
