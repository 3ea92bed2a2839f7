"""The contract of ``ScopeSearch``, in process."""

from __future__ import annotations

from datetime import datetime

import pytest

from memplane.adapters.memory import InMemoryMemoryStore, InMemoryScopeSearch
from memplane.domain.errors import DeadlineExceededError
from memplane.domain.memory import Memory, MemoryAccess
from memplane.ports.memory_store import MemoryRef, MemoryStore
from memplane.ports.retrieval import ScopeSearch
from tests.contract.scope_search_contract import RecordUse, ScopeSearchContract, asking, seen_by
from tests.support.memory_samples import fresh_scope


class TestInMemoryScopeSearch(ScopeSearchContract):
    """The contract."""

    @pytest.fixture
    async def memory_store(self) -> MemoryStore:
        return InMemoryMemoryStore()

    @pytest.fixture
    async def scope_search(self, memory_store: InMemoryMemoryStore) -> ScopeSearch:
        return InMemoryScopeSearch(memory_store)

    @pytest.fixture
    def record_use(self, memory_store: InMemoryMemoryStore) -> RecordUse:
        uses: dict[MemoryRef, int] = {}

        async def record(memory: Memory, recalled: int, last_at: datetime) -> None:
            scope = memory.scope
            ref = MemoryRef(tenant_id=scope.tenant_id, scope_tag=scope.tag, memory_id=memory.memory_id)
            uses[ref] = uses.get(ref, 0) + recalled
            memory_store.record_use(ref=ref, access=MemoryAccess(access_count=uses[ref], last_accessed_at=last_at))

        return record


async def test_no_time_left_is_an_error_and_not_an_empty_answer() -> None:
    search = InMemoryScopeSearch(InMemoryMemoryStore())
    with pytest.raises(DeadlineExceededError):
        await search.read(visible=seen_by(fresh_scope()), query=asking("tea"), timeout_s=0.0)
