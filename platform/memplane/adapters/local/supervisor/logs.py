"""Log files of the processes: bounded in size, readable backwards."""

from __future__ import annotations

import logging
from collections import deque
from logging.handlers import RotatingFileHandler
from pathlib import Path

MAX_LOG_BYTES = 10 * 2**20
KEPT_FILES = 3


class RotatingLog:
    """Takes lines and keeps the newest ``KEPT_FILES + 1`` files of ``MAX_LOG_BYTES`` each; remembers the last lines."""

    def __init__(self, file: Path, *, max_bytes: int = MAX_LOG_BYTES, kept_files: int = KEPT_FILES) -> None:
        self.file = file
        self.last_lines: deque[str] = deque(maxlen=30)
        self._handler = RotatingFileHandler(file, maxBytes=max_bytes, backupCount=kept_files, encoding="utf-8")
        self._handler.setFormatter(logging.Formatter("%(message)s"))

    def write(self, line: str) -> None:
        """Appends one line."""
        self.last_lines.append(line)
        self._handler.emit(logging.LogRecord("", logging.INFO, "", 0, line, None, None))

    def close(self) -> None:
        """Closes the file."""
        self._handler.close()


def tail_lines(file: Path, count: int) -> list[str]:
    """The last ``count`` lines of a file; none when there is no such file. Reads at most about 400 bytes a line."""
    if not file.exists() or count <= 0:
        return []
    with file.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(0, size - 400 * count))
        lines = stream.read().decode("utf-8", errors="replace").splitlines()
    return lines[-count:]
