"""The way to a Writer in the same process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from memplane.domain.commands import WriteCommand
from memplane.domain.context import CallContext
from memplane.domain.results import Receipt

Writer = Callable[[WriteCommand, CallContext], Awaitable[Receipt]]
"""What carries commands out; queues, waits and deadlines are its own."""


class InProcessWriteGateway:
    """The port :class:`WriteGateway` without a way: hands each command to one writer and answers what that answers."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    async def submit(self, *, command: WriteCommand, context: CallContext) -> Receipt:
        """The writer's receipt, or its error."""
        return await self._writer(command, context)
