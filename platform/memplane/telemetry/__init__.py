"""Structured logs: one JSON line an event, standard library only. Memory content and user ids never go into logs."""

from memplane.telemetry.json_log import JsonLineFormatter, configure_logging

__all__ = ["JsonLineFormatter", "configure_logging"]
