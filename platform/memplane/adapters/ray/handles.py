"""Ports whose other end is another Serve deployment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memplane.adapters.ray.handle_errors import answer_of
from memplane.domain.commands import ForgetMemory, WriteCommand
from memplane.domain.context import CallContext
from memplane.domain.errors import ModelUnavailableError, OverloadedError, UnavailableError
from memplane.domain.generations import EmbeddingSpec
from memplane.domain.recall_record import RecallRecord
from memplane.domain.results import Receipt
from memplane.ports.embedder import TextKind

LONGEST_EMBED_S = 60.0
RECORD_TIMEOUT_S = 5.0
WRITE_MARGIN_S = 1.0
"""How much longer than the Writer's own deadline its caller waits, so that the Writer's answer arrives."""


class ServeEmbedder:
    """Implements ``ports.embedder.Embedder`` over the handle of the ``Embedder`` deployment."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._spec: EmbeddingSpec | None = None

    async def spec(self) -> EmbeddingSpec:
        """Asked once, then kept: a deployment serves one generation for life."""
        if self._spec is None:
            self._spec = await self._call(self._handle.spec.remote(), 10.0)
        return self._spec

    async def embed(self, *, texts: Sequence[str], kind: TextKind, context: CallContext) -> NDArray[np.float32]:
        """See the port."""
        timeout_s = context.remaining_s(at_most_s=LONGEST_EMBED_S)
        vectors: NDArray[np.float32] = await self._call(
            self._handle.embed.remote(list(texts), kind.value, context), timeout_s
        )
        return vectors

    @staticmethod
    async def _call(call: Any, timeout_s: float) -> Any:
        try:
            return await answer_of(call, component="embedder", timeout_s=timeout_s)
        except (ModelUnavailableError, OverloadedError):
            raise
        except UnavailableError as error:
            raise ModelUnavailableError(error.message, retry_after_s=1.0, data={"component": "embedder"}) from error


class ServeWriteGateway:
    """Implements ``ports.write_gateway.WriteGateway``: the scope's tag picks the replica (affinity, not a lock)."""

    def __init__(self, handle: Any, *, wait_deadline_s: float) -> None:
        self._handle = handle
        self._timeout_s = wait_deadline_s + WRITE_MARGIN_S

    async def submit(self, *, command: WriteCommand, context: CallContext) -> Receipt:
        """See the port."""
        tag = command.scope_tag if isinstance(command, ForgetMemory) else command.scope.tag
        handle = self._handle.options(session_id=tag)
        receipt: Receipt = await answer_of(
            handle.submit.remote(command, context), component="writer", timeout_s=self._timeout_s
        )
        return receipt


class ServeRecorder:
    """Sends batches of recall records to the ``Recorder`` deployment."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    async def send(self, records: Sequence[RecallRecord]) -> None:
        """Hands a batch over. Raises: UnavailableError, OverloadedError."""
        await answer_of(self._handle.record.remote(list(records)), component="recorder", timeout_s=RECORD_TIMEOUT_S)
