"""One supervisor per data directory: an advisory lock that the kernel drops when its holder dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from memplane.adapters.local.supervisor.errors import AlreadyRunningError


class DirectoryLock:
    """``flock`` on a file. The descriptor is not inherited, so no child can keep the lock alive."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Takes the lock. Raises: AlreadyRunningError when another process holds it."""
        descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise AlreadyRunningError(self._file.parent.parent) from error
        self._descriptor = descriptor

    def release(self) -> None:
        """Gives the lock back; harmless without it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def is_held(self) -> bool:
        """Whether some process, this one included, holds the lock now."""
        if self._descriptor is not None:
            return True
        if not self._file.exists():
            return False
        descriptor = os.open(self._file, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            return False
        finally:
            os.close(descriptor)
