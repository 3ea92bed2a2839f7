"""Spans, as a dependency."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol


class Span(Protocol):
    """One timed stage. Attributes never carry memory text or a user id in the clear."""

    @property
    def traceparent(self) -> str:
        """W3C trace context that makes a child of this span."""

    def set(self, key: str, value: str | int | float | bool) -> None:
        """Adds an attribute."""


class Tracer(Protocol):
    """Starts spans. Tracing never fails its caller."""

    def span(
        self, name: str, *, traceparent: str, attributes: Mapping[str, str | int | float | bool] | None = None
    ) -> AbstractContextManager[Span]:
        """A child span of ``traceparent`` (a root span when that is empty). Errors that pass through are recorded on
        it.
        """
