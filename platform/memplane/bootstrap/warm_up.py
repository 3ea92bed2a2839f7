"""What a replica does before it takes requests, so that the first one is as fast as the second."""

from __future__ import annotations

import asyncio
import contextlib
import time

from memplane.adapters.clickhouse import ClickHouseClient
from memplane.domain.context import CallContext, Principal, Role
from memplane.domain.errors import MemplaneError
from memplane.domain.ids import KeyId, TenantId
from memplane.domain.text import tokenize
from memplane.ports.embedder import Embedder, TextKind

WARM_UP_S = 10.0
NO_TENANT = TenantId("")


async def warm_up(client: ClickHouseClient, embedder: Embedder) -> None:
    """Loads the dictionaries, opens connections, asks the model once. What is away is no reason not to start."""
    await asyncio.to_thread(tokenize, "预热 warm up")
    with contextlib.suppress(MemplaneError):
        await client.ping(timeout_s=WARM_UP_S)
    with contextlib.suppress(MemplaneError):
        await embedder.spec()
        await embedder.embed(texts=["warm up"], kind=TextKind.QUERY, context=internal_context("warm-up", WARM_UP_S))


def internal_context(name: str, seconds: float, *, tenant_id: TenantId = NO_TENANT) -> CallContext:
    """The context of a call that no caller made."""
    principal = Principal(key_id=KeyId(name), tenant_id=tenant_id, role=Role.OPERATOR)
    return CallContext(principal=principal, traceparent="", deadline=time.time() + seconds)
