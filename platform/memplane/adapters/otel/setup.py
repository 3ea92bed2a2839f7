"""The tracer of one process. Context travels explicitly, as ``traceparent``: Serve's own propagation is not relied
on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

MAX_QUEUED_SPANS = 4096
_propagator = TraceContextTextMapPropagator()


class OtelSpan:
    """Implements ``ports.tracer.Span``."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    @property
    def traceparent(self) -> str:
        """W3C trace context of this span."""
        carrier: dict[str, str] = {}
        _propagator.inject(carrier, trace.set_span_in_context(self._span))
        return carrier.get("traceparent", "")

    def set(self, key: str, value: str | int | float | bool) -> None:
        """Adds an attribute."""
        self._span.set_attribute(key, value)


class OtelTracer:
    """Implements ``ports.tracer.Tracer``."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("memplane")

    @contextmanager
    def span(
        self, name: str, *, traceparent: str, attributes: Mapping[str, str | int | float | bool] | None = None
    ) -> Iterator[OtelSpan]:
        """See the port."""
        parent = _propagator.extract({"traceparent": traceparent}) if traceparent else None
        with self._tracer.start_as_current_span(name, context=parent, attributes=attributes) as span:
            yield OtelSpan(span)

    def close(self) -> None:
        """Sends what is queued."""
        self._provider.shutdown()


def build_tracer(
    *, service: str, exporter: SpanExporter | None, sampling_ratio: float, export_interval_s: float
) -> OtelTracer:
    """A tracer for this process. Without an exporter spans still carry context, and go nowhere."""
    provider = TracerProvider(
        resource=Resource.create({"service.name": service}),
        sampler=ParentBased(TraceIdRatioBased(sampling_ratio)),
        shutdown_on_exit=False,
    )
    if exporter is not None:
        provider.add_span_processor(
            BatchSpanProcessor(
                exporter,
                max_queue_size=MAX_QUEUED_SPANS,
                schedule_delay_millis=export_interval_s * 1000,
            )
        )
    return OtelTracer(provider)
