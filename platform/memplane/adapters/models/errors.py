"""Errors of the local model engines. They carry what is wrong and what to do next; they know nothing of transports."""

from __future__ import annotations


class ModelError(Exception):
    """Root of the local engines' errors."""


class ModelWeightsError(ModelError):
    """The packaged weights are missing, of another version, or not what their checksum says."""


class ModelDirectoryError(ModelError):
    """A model directory is missing, incomplete, changed since it was built, or of another format."""


class ModelOutputError(ModelError):
    """The engine returned something that is no vector: NaN, an infinity, a wrong shape, a row of length zero."""


class ModelMemoryError(ModelError):
    """The runtime had no memory for a batch; a smaller batch may succeed."""


class TooManyTextsError(ModelError, ValueError):
    """One call brought more texts than the engine takes.

    Attributes:
        count: texts in the call.
        limit: the most that one call may bring.
    """

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(count, limit)
        self.count = count
        self.limit = limit

    def __str__(self) -> str:
        return f"{self.count} texts in one call; at most {self.limit} are taken: split the call"
