"""A tracer that keeps span names, for tests that ask which stages ran."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class RecordedSpan:
    """The port :class:`Span`."""

    def __init__(self, name: str, traceparent: str, attributes: Mapping[str, str | int | float | bool]) -> None:
        self.name = name
        self.attributes = dict(attributes)
        trace_id = traceparent.split("-")[1] if traceparent else secrets.token_hex(16)
        self._traceparent = f"00-{trace_id}-{secrets.token_hex(8)}-01"

    @property
    def traceparent(self) -> str:
        """Context for a child."""
        return self._traceparent

    def set(self, key: str, value: str | int | float | bool) -> None:
        """Adds an attribute."""
        self.attributes[key] = value


class RecordingTracer:
    """The port :class:`Tracer`. ``spans`` are in order of their ends."""

    def __init__(self) -> None:
        self.spans: list[RecordedSpan] = []

    @contextmanager
    def span(
        self, name: str, *, traceparent: str, attributes: Mapping[str, str | int | float | bool] | None = None
    ) -> Iterator[RecordedSpan]:
        """See the port."""
        span = RecordedSpan(name, traceparent, attributes or {})
        try:
            yield span
        finally:
            self.spans.append(span)
