"""Moments as options: RFC 3339, with an offset."""

from __future__ import annotations

from datetime import datetime

import typer


def moment(text: str) -> datetime:
    """An aware time. Raises: typer.BadParameter for another text."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is no time; write one like 2025-06-12T09:30:00+08:00") from error
    if parsed.tzinfo is None:
        raise typer.BadParameter(f"{text!r} has no offset; write one like 2025-06-12T09:30:00+08:00")
    return parsed
