"""One JSON line per event on standard error, for the two engine processes.

A line never carries statement text, parameters or stored data: callers pass codes, counts and ids only.
"""

import json
import logging
import sys
from datetime import UTC, datetime


def emit(event: str, **fields: str | int | float | bool | None) -> None:
    """Write one event line: `{"at": ..., "event": ..., ...fields}`, flushed at once."""
    line = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **fields}
    sys.stderr.write(json.dumps(line, separators=(",", ":")) + "\n")
    sys.stderr.flush()


class EventHandler(logging.Handler):
    """Turns library log records into event lines that name the place and the exception type, and leave out the text.

    Library messages quote filter expressions and values, which are user data here.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record as an `error` event."""
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        emit("error", logger=record.name, at_line=record.lineno, error=error)


def capture_logging(level: int = logging.ERROR) -> None:
    """Send every library log record of at least `level` to standard error as an event line."""
    root = logging.getLogger()
    root.handlers[:] = [EventHandler(level)]
    root.setLevel(level)
