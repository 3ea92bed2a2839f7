"""In-process implementations of every port: the shortest correct reading of their contracts.

For unit tests and for trying things out; held to the same contract suites as the real adapters. Nothing here survives
the process, and none of it is safe for several threads: one event loop owns it.
"""

from memplane.adapters.memory.audit_log import InMemoryAuditLog
from memplane.adapters.memory.clock import SettableClock
from memplane.adapters.memory.control_store import InMemoryControlStore
from memplane.adapters.memory.control_view import InMemoryControlView
from memplane.adapters.memory.embedder import HashingEmbedder
from memplane.adapters.memory.event_log import InMemoryEventLog
from memplane.adapters.memory.lease_store import InMemoryLeaseStore
from memplane.adapters.memory.memory_store import InMemoryMemoryStore
from memplane.adapters.memory.operations import InMemoryOperationStore
from memplane.adapters.memory.recall_log import InMemoryRecallLog
from memplane.adapters.memory.scope_search import InMemoryScopeSearch
from memplane.adapters.memory.tracer import RecordedSpan, RecordingTracer
from memplane.adapters.memory.vector_index import InMemoryVectorIndex
from memplane.adapters.memory.write_gateway import InProcessWriteGateway

__all__ = [
    "HashingEmbedder",
    "InMemoryAuditLog",
    "InMemoryControlStore",
    "InMemoryControlView",
    "InMemoryEventLog",
    "InMemoryLeaseStore",
    "InMemoryMemoryStore",
    "InMemoryOperationStore",
    "InMemoryRecallLog",
    "InMemoryScopeSearch",
    "InMemoryVectorIndex",
    "InProcessWriteGateway",
    "RecordedSpan",
    "RecordingTracer",
    "SettableClock",
]
