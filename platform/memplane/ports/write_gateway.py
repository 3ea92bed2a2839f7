"""The way to the one Writer of a scope."""

from __future__ import annotations

from typing import Protocol

from memplane.domain.commands import WriteCommand
from memplane.domain.context import CallContext
from memplane.domain.results import Receipt


class WriteGateway(Protocol):
    """Carries commands to the Writer that holds the scope's shard.

    Raises: OverloadedError (queue full), WriterMovedError, UnavailableError, IdempotencyConflictError, NotFoundError
    (deletion of what is not there).
    """

    async def submit(self, *, command: WriteCommand, context: CallContext) -> Receipt:
        """Carries the command out as far as its ``wait`` says, at most until the context's deadline (then:
        ``pending``).
        """
