"""Operations in ClickHouse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.event_rows import scope_of_row
from memplane.adapters.clickhouse.table import NAME, TEXT, TIME, Table
from memplane.domain.ids import OperationId, ScopeTag, TenantId
from memplane.ports.operations import Operation

OPERATIONS: Final = Table(
    name="operations",
    durable=True,
    columns={
        "tenant_id": NAME,
        "user_id": TEXT,
        "scope_tag": TEXT,
        "operation_id": TEXT,
        "route": NAME,
        "idempotency_key": TEXT,
        "body_hash": TEXT,
        "status": NAME,
        "receipt": TEXT,
        "created_at": TIME,
        "version": "UInt64",
    },
)


class ClickHouseOperationStore:
    """Implements ``ports.operations.OperationStore``. A day after ``created_at`` an operation is gone."""

    def __init__(self, client: ClickHouseClient) -> None:
        self._client = client

    async def put(self, *, operations: Sequence[Operation]) -> None:
        """See the port."""
        await OPERATIONS.insert(self._client, [_row(operation) for operation in operations])

    async def find(self, *, keys: Sequence[tuple[TenantId, ScopeTag, OperationId]]) -> dict[OperationId, Operation]:
        """See the port."""
        if not keys:
            return {}
        rows = await self._client.query("operations_find", parameters={"refs": [tuple(key) for key in keys]})
        return {operation.operation_id: operation for operation in map(_operation, rows.dicts())}


def _row(operation: Operation) -> tuple[Any, ...]:
    scope = operation.scope
    return (
        scope.tenant_id, scope.user_id, scope.tag, operation.operation_id, operation.route, operation.idempotency_key,
        operation.body_hash, operation.status, operation.receipt, operation.created_at, operation.version,
    )  # fmt: skip


def _operation(row: Mapping[str, Any]) -> Operation:
    return Operation(
        scope=scope_of_row(row),
        operation_id=OperationId(row["operation_id"]),
        route=row["route"],
        idempotency_key=row["idempotency_key"],
        body_hash=row["body_hash"],
        status=row["status"],
        receipt=row["receipt"],
        created_at=row["created_at"],
        version=row["version"],
    )
