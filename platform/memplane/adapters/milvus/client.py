"""One connection to Milvus: the vendor's synchronous client behind a bounded pool of threads.

Why not ``AsyncMilvusClient``: in pymilvus 3.0.2 it cannot create an index on Milvus Lite (it asks for
``AllocTimestamp``, which Lite does not have), it encodes batches on the event loop, and it keeps its connections by
``id()`` of the loop.

The client is made by the first call, in a thread of the pool; nothing here runs at import. After a lost connection
pymilvus opens a new channel within the failing call; the channel options keep gRPC's own back-off short, so the first
call after the server's return finds it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, TypeVar

from pymilvus import MilvusClient

from memplane.adapters.milvus.errors import VENDOR_ERRORS, timed_out, translate
from memplane.domain.errors import StoreUnavailableError

T = TypeVar("T")

_CHANNEL_OPTIONS: Final = {
    # A new channel must try at once: with gRPC's shared pool it would inherit the back-off of the channel that it
    # replaces.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.min_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    # pymilvus pings every 10 s even when idle, which a gRPC server with default settings answers by closing the
    # connection.
    "grpc.keepalive_time_ms": 60_000,
    "grpc.keepalive_permit_without_calls": 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MilvusConfig:
    """Where Milvus is and how long to wait for it. ``token`` is empty for a server without authentication.

    ``search_consistency`` is Milvus's word for searches (``Bounded``: at most seconds behind; readers cover the tail
    themselves).
    """

    uri: str
    token: str = field(default="", repr=False)
    connect_timeout_s: float = 2.0
    write_timeout_s: float = 10.0
    admin_timeout_s: float = 30.0
    max_threads: int = 8
    search_consistency: str = "Bounded"


class MilvusConnection:
    """Runs calls of the vendor's client, each under a hard time-out, and translates what they raise."""

    def __init__(self, config: MilvusConfig) -> None:
        self._config = config
        self._client: MilvusClient | None = None
        self._closed = False
        self._connecting = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=config.max_threads, thread_name_prefix="memplane-milvus")

    async def call(
        self,
        work: Callable[[MilvusClient, float], T],
        *,
        operation: str,
        timeout_s: float,
        deadline_is_callers: bool = False,
    ) -> T:
        """Runs ``work(client, seconds left)`` in the pool. Waiting for a thread and for a connection counts as well.

        A thread that outlives ``timeout_s`` ends by its own time-outs; the caller does not wait for it.
        """
        if self._closed:
            raise StoreUnavailableError(
                f"the connection to Milvus was closed before {operation}", data={"component": "milvus"}
            )
        deadline = time.monotonic() + timeout_s
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout_s):
                return await loop.run_in_executor(self._pool, self._run, work, deadline)
        except TimeoutError as error:
            raise timed_out(operation=operation, deadline_is_callers=deadline_is_callers) from error
        except VENDOR_ERRORS as error:
            raise translate(error, operation=operation, deadline_is_callers=deadline_is_callers) from error

    async def close(self) -> None:
        """Lets running calls end, then closes the channel. Calls after this raise StoreUnavailableError."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)
        if self._client is not None:
            self._client.close()
            self._client = None

    def _run(self, work: Callable[[MilvusClient, float], T], deadline: float) -> T:
        client = self._connected(deadline)
        return work(client, _left(deadline))

    def _connected(self, deadline: float) -> MilvusClient:
        client = self._client
        if client is not None:
            return client
        if not self._connecting.acquire(timeout=_left(deadline)):
            raise TimeoutError
        try:
            if self._client is None:
                # pymilvus logs every failed call at ERROR with its arguments, filters with user ids among them; we
                # raise instead.
                logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
                self._client = MilvusClient(
                    uri=self._config.uri,
                    token=self._config.token,
                    timeout=min(self._config.connect_timeout_s, _left(deadline)),
                    dedicated=True,
                    grpc_options=dict(_CHANNEL_OPTIONS),
                )
            return self._client
        finally:
            self._connecting.release()


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
