# ruff: noqa: E501 (patterns and tables)
"""Results of work: what a tool or a business system reports in its metadata becomes exact keyed facts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from memplane.domain.ids import id_problem
from memplane.domain.memory import Event, Kind
from memplane.domain.statements import JSON, Statement
from memplane.domain.text import Language

MAX_FACTS: Final = 16
"""Facts of one event."""
MAX_VALUE_CHARACTERS: Final = 500
MAX_BODY_CHARACTERS: Final = 32_000
_ID: Final = re.compile(r"(?P<type>[a-z][a-z0-9_]{0,40}?)_(?:id|no|number)")
_OURS: Final = frozenset(
    {"tenant", "user", "agent", "session", "event", "message", "request", "trace", "span", "run", "call", "tool_call", "conversation",
     "parent", "thread", "operation", "idempotency", "correlation", "parent_event"}
)  # fmt: skip
"""Ids of the talk itself, not of what it is about."""
_ASIDE: Final = frozenset(
    {"speaker", "topic", "source", "role", "tool", "tool_name", "name", "model", "timestamp", "time", "created_at", "updated_at", "latency_ms",
     "duration_ms", "tokens", "lang", "language", "channel", "type", "version", "step"}
)  # fmt: skip
_ORDER_OF_TYPES: Final = (
    "task",
    "order",
    "ticket",
    "approval",
    "invoice",
    "project",
    "customer",
    "refund",
    "shipment",
    "booking",
)
_LABELS_ZH: Final = {
    "task": "任务", "order": "订单", "ticket": "工单", "approval": "审批", "invoice": "发票", "project": "项目", "customer": "客户",
    "refund": "退款", "shipment": "运单", "booking": "预订", "status": "状态", "amount": "金额", "result": "结果", "error": "错误",
}  # fmt: skip


def business_facts(event: Event, *, language: Language) -> tuple[Statement, ...]:
    """The facts in the metadata of an event, or in its content where that is a JSON object.

    The first id names the entity (``{"order_id": "ORD-1", "status": "paid"}`` → ``order/ORD-1/status = paid``); scalars
    beside it are its attributes, and so are those of a nested ``result``, ``data`` or ``output``. With a ``step``, the
    attributes of a task carry its name (``step_2_result``), so that no step overwrites another.
    """
    report = {**_body(event.content), **event.metadata}
    entity = _entity(report)
    if entity is None:
        return ()
    entity_type = entity[0]
    step = report.get("step")
    prefix = f"step_{step}_" if isinstance(step, int | str) and not isinstance(step, bool) and _word(str(step)) else ""
    facts = []
    for attribute, value in _values(report):
        told = f"{prefix}{attribute}" if entity_type == "task" else attribute
        facts.append(_fact(event, entity, told, value, language))
        if len(facts) == MAX_FACTS:
            break
    return tuple(facts)


def _body(content: str) -> Mapping[str, Any]:
    text = content.strip()
    if not text.startswith("{") or len(text) > MAX_BODY_CHARACTERS:
        return {}
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _entity(report: Mapping[str, Any]) -> tuple[str, str] | None:
    found: dict[str, str] = {}
    for key, value in report.items():
        match = _ID.fullmatch(key) if isinstance(key, str) else None
        if match is None or match["type"] in _OURS or isinstance(value, bool) or not isinstance(value, str | int):
            continue
        if not id_problem(str(value)):
            found[match["type"]] = str(value)
    if not found:
        return None
    first = next((kind for kind in _ORDER_OF_TYPES if kind in found), next(iter(found)))
    return first, found[first]


def _values(report: Mapping[str, Any]) -> Iterator[tuple[str, JSON]]:
    for key, value in report.items():
        if not isinstance(key, str) or key in _ASIDE or _ID.fullmatch(key) or not _word(key):
            continue
        if isinstance(value, Mapping) and key in ("result", "data", "output", "values", "payload"):
            for inner, held in value.items():
                if isinstance(inner, str) and inner not in _ASIDE and _word(inner) and _scalar(held):
                    yield inner, held
        elif _scalar(value):
            yield key, value


def _scalar(value: Any) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= MAX_VALUE_CHARACTERS
    return isinstance(value, bool | int | float) and not math.isnan(value)


def _word(key: str) -> bool:
    return re.fullmatch(r"\w{1,48}", key) is not None


def _fact(event: Event, entity: tuple[str, str], attribute: str, value: JSON, language: Language) -> Statement:
    entity_type, name = entity
    key = f"{entity_type}/{name}/{attribute}"
    shown = "true" if value is True else "false" if value is False else str(value)
    if language == "zh":
        text = f"{_LABELS_ZH.get(entity_type, entity_type)} {name} 的{_LABELS_ZH.get(attribute, attribute)}:{shown}"
    else:
        text = f"{entity_type.capitalize()} {name} {attribute.replace('_', ' ')}: {shown}"
    return Statement(
        text=text[:300],
        kind=Kind.FACT,
        category="state",
        slot=key,
        value=shown,
        fact_key=key,
        fact_value=value,
        triggers=("result",),
        entities=(name,),
        event_time=event.event_time,
        source_event_ids=(event.event_id,),
    )
