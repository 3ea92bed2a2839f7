"""Spans by OpenTelemetry, exported to ClickHouse in the Collector's own table layout."""

from memplane.adapters.otel.setup import OtelTracer, build_tracer

__all__ = ["OtelTracer", "build_tracer"]
