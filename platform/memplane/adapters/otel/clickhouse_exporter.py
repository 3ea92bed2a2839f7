"""Writes spans into ``otel_traces``, with the columns of the OpenTelemetry Collector's ClickHouse exporter."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import clickhouse_connect
from clickhouse_connect.driver.exceptions import ClickHouseError
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from urllib3.exceptions import HTTPError

COLUMNS: Final = (
    ("Timestamp", "DateTime64(9)"),
    ("TraceId", "String"),
    ("SpanId", "String"),
    ("ParentSpanId", "String"),
    ("TraceState", "String"),
    ("SpanName", "LowCardinality(String)"),
    ("SpanKind", "LowCardinality(String)"),
    ("ServiceName", "LowCardinality(String)"),
    ("ResourceAttributes", "Map(LowCardinality(String), String)"),
    ("ScopeName", "String"),
    ("ScopeVersion", "String"),
    ("SpanAttributes", "Map(LowCardinality(String), String)"),
    ("Duration", "UInt64"),
    ("StatusCode", "LowCardinality(String)"),
    ("StatusMessage", "String"),
    ("Events.Timestamp", "Array(DateTime64(9))"),
    ("Events.Name", "Array(LowCardinality(String))"),
    ("Events.Attributes", "Array(Map(LowCardinality(String), String))"),
    ("Links.TraceId", "Array(String)"),
    ("Links.SpanId", "Array(String)"),
    ("Links.TraceState", "Array(String)"),
    ("Links.Attributes", "Array(Map(LowCardinality(String), String))"),
)
logger = logging.getLogger(__name__)


class ClickHouseSpanExporter(SpanExporter):
    """Runs on the batch processor's own thread; what cannot be sent is counted as failed and dropped."""

    def __init__(self, *, host: str, port: int, user: str, password: str, database: str, secure: bool) -> None:
        self._connection: dict[str, Any] = {
            "host": host,
            "port": port,
            "username": user,
            "password": password,
            "database": database,
            "secure": secure,
            "autogenerate_session_id": False,
            "connect_timeout": 3,
            "send_receive_timeout": 10,
        }
        self._client: Any = None

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """One insert per batch."""
        try:
            if self._client is None:
                self._client = clickhouse_connect.get_client(**self._connection)
            self._client.insert(
                "otel_traces",
                [_row(span) for span in spans],
                column_names=[name for name, _ in COLUMNS],
                column_type_names=[kind for _, kind in COLUMNS],
                settings={"async_insert": 0},
            )
        except (ClickHouseError, HTTPError, OSError) as error:
            logger.warning("spans_dropped", extra={"count": len(spans), "reason": type(error).__name__})
            self._client = None
            return SpanExportResult.FAILURE
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        """Closes the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None


def _row(span: ReadableSpan) -> list[Any]:
    context, parent = span.get_span_context(), span.parent
    start_ns, end_ns = span.start_time or 0, span.end_time or 0
    scope = span.instrumentation_scope
    resource = span.resource.attributes
    return [
        _at(start_ns),
        f"{context.trace_id:032x}" if context else "",
        f"{context.span_id:016x}" if context else "",
        f"{parent.span_id:016x}" if parent else "",
        context.trace_state.to_header() if context else "",
        span.name,
        span.kind.name.capitalize(),
        str(resource.get("service.name", "")),
        _texts(resource),
        scope.name if scope else "",
        (scope.version or "") if scope else "",
        _texts(span.attributes or {}),
        max(0, end_ns - start_ns),
        span.status.status_code.name.capitalize(),
        span.status.description or "",
        [_at(event.timestamp) for event in span.events],
        [event.name for event in span.events],
        [_texts(event.attributes or {}) for event in span.events],
        [f"{link.context.trace_id:032x}" for link in span.links],
        [f"{link.context.span_id:016x}" for link in span.links],
        [link.context.trace_state.to_header() for link in span.links],
        [_texts(link.attributes or {}) for link in span.links],
    ]


def _at(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)


def _texts(attributes: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in attributes.items() if not key.startswith("exception.")}
