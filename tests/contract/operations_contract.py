"""What every ``ports.operations.OperationStore`` does."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memplane.domain.ids import OperationId, Scope, ScopeTag, TenantId, UserId, derive_operation_id, scope_of
from memplane.ports.operations import Operation, OperationStore


def make_operation(key: str = "key-1", **changes: Any) -> Operation:
    tenant_id = TenantId(f"t-{secrets.token_hex(6)}")
    scope = scope_of(tenant_id=tenant_id, user_id=UserId("用户"), tenant_secret=secrets.token_bytes(16))
    moment = datetime.now(UTC)
    operation = Operation(
        scope=scope,
        operation_id=derive_operation_id(scope, route="events", idempotency_key=key),
        route="events",
        idempotency_key=key,
        body_hash="ab" * 32,
        status="pending",
        receipt='{"items":[]}',
        created_at=moment.replace(microsecond=moment.microsecond // 1000 * 1000),
        version=1,
    )
    return replace(operation, **changes)


def key_of(operation: Operation) -> tuple[TenantId, ScopeTag, OperationId]:
    scope: Scope = operation.scope
    return scope.tenant_id, scope.tag, operation.operation_id


class OperationStoreContract:
    """Override ``operations``."""

    @pytest.fixture
    async def operations(self) -> OperationStore:
        raise NotImplementedError

    async def test_an_operation_comes_back_byte_for_byte(self, operations: OperationStore) -> None:
        receipt = '{"items":[{"index":0,"reason":"重复 \\"x\\" \\\\ \\u0000"}], "spaces" :  1}'
        operation = make_operation("键 'k' \\", receipt=receipt, version=2**63)
        await operations.put(operations=[operation])
        assert await operations.find(keys=[key_of(operation)]) == {operation.operation_id: operation}

    async def test_empty_input_does_nothing(self, operations: OperationStore) -> None:
        await operations.put(operations=[])
        assert await operations.find(keys=[]) == {}

    async def test_unknown_ones_are_absent_also_those_of_another_tenant(self, operations: OperationStore) -> None:
        operation = make_operation()
        await operations.put(operations=[operation])
        _, tag, operation_id = key_of(operation)
        foreign = (TenantId("someone-else"), tag, operation_id)
        unknown = (operation.scope.tenant_id, tag, OperationId("op_unknown"))
        assert await operations.find(keys=[foreign, unknown]) == {}

    @pytest.mark.parametrize("newest_first", [False, True])
    async def test_the_greatest_version_wins_whatever_came_last(
        self, operations: OperationStore, newest_first: bool
    ) -> None:
        pending = make_operation()
        completed = replace(pending, status="completed", receipt='{"done":true}', version=2)
        for operation in [completed, pending] if newest_first else [pending, completed]:
            await operations.put(operations=[operation])
        assert await operations.find(keys=[key_of(pending)]) == {pending.operation_id: completed}

    async def test_several_are_found_at_once(self, operations: OperationStore) -> None:
        many = [make_operation(f"key-{number}") for number in range(50)]
        await operations.put(operations=many)
        found = await operations.find(keys=[key_of(operation) for operation in many])
        assert found == {operation.operation_id: operation for operation in many}

    async def test_an_operation_is_kept_for_a_day(self, operations: OperationStore) -> None:
        fresh = make_operation()
        young = replace(fresh, created_at=fresh.created_at - timedelta(hours=23))
        old = make_operation(created_at=fresh.created_at - timedelta(hours=24, seconds=1))
        await operations.put(operations=[young, old])
        assert await operations.find(keys=[key_of(young), key_of(old)]) == {young.operation_id: young}
