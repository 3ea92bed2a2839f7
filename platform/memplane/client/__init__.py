"""The SDK: `MemoryClient` and `AsyncMemoryClient` over HTTP.

Depends on nothing else of memplane, so that it can be shipped alone. Every write carries an idempotency key, so what is
repeated after a lost connection happens once.
"""

from memplane.client.errors import (
    AuthenticationError,
    ClientError,
    ConflictError,
    DeadlineError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    PlatformUnreachableError,
    ProblemError,
    ServerFaultError,
    TooManyRequestsError,
    UnavailableError,
)
from memplane.client.keys import KeyFile, read_key_file
from memplane.client.memory_client import MemoryClient
from memplane.client.memory_client_async import AsyncMemoryClient
from memplane.client.retrying import RetryPolicy
from memplane.client.types import (
    Citation,
    ContextBlock,
    Event,
    EventPage,
    Fact,
    FactPage,
    History,
    Memory,
    MemoryPage,
    MemoryVersion,
    Message,
    Readiness,
    RecalledMemory,
    RecallResult,
    Receipt,
    ReceiptItem,
    ScoreParts,
)

__all__ = [
    "AsyncMemoryClient",
    "AuthenticationError",
    "Citation",
    "ClientError",
    "ConflictError",
    "ContextBlock",
    "DeadlineError",
    "Event",
    "EventPage",
    "Fact",
    "FactPage",
    "ForbiddenError",
    "History",
    "InvalidRequestError",
    "KeyFile",
    "Memory",
    "MemoryClient",
    "MemoryPage",
    "MemoryVersion",
    "Message",
    "NotFoundError",
    "PlatformUnreachableError",
    "ProblemError",
    "Readiness",
    "RecallResult",
    "RecalledMemory",
    "Receipt",
    "ReceiptItem",
    "RetryPolicy",
    "ScoreParts",
    "ServerFaultError",
    "TooManyRequestsError",
    "UnavailableError",
    "read_key_file",
]
