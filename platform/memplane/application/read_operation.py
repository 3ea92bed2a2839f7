"""What became of a write, later."""

from __future__ import annotations

from dataclasses import replace

import orjson

from memplane.application.visibility import owns_user
from memplane.domain.context import Principal
from memplane.domain.errors import NotFoundError
from memplane.domain.ids import OperationId, ScopeTag, tag_of
from memplane.domain.memory import EventOutcome, EventState
from memplane.domain.results import ItemOutcome, OperationStatus, Receipt, ReceiptItem
from memplane.ports.event_log import EventLog, EventRef
from memplane.ports.operations import OperationStore


async def read_operation(
    operations: OperationStore, event_log: EventLog, *, operation_id: str, principal: Principal
) -> Receipt:
    """The receipt of an operation. Items that it left open are completed from the outcomes of their events.

    Raises: NotFoundError (unknown, older than 24 hours, of another tenant or user), UnavailableError.
    """
    tag = tag_of(operation_id)
    if tag is None or not operation_id.startswith("op_"):
        raise NotFoundError(f"no operation {operation_id[:64]!r}")
    wanted = OperationId(operation_id)
    operation = (await operations.find(keys=[(principal.tenant_id, tag, wanted)])).get(wanted)
    if (
        operation is None
        or operation.scope.tenant_id != principal.tenant_id
        or not owns_user(principal, operation.scope.user_id)
    ):
        raise NotFoundError(f"no operation {operation_id!r}")
    receipt = Receipt.from_dict(orjson.loads(operation.receipt))
    if receipt.status is OperationStatus.COMPLETED:
        return receipt
    return await _completed(receipt, event_log, principal=principal, scope_tag=tag)


async def _completed(receipt: Receipt, event_log: EventLog, *, principal: Principal, scope_tag: ScopeTag) -> Receipt:
    refs = {
        item.index: EventRef(tenant_id=principal.tenant_id, scope_tag=scope_tag, event_id=item.event_id)
        for item in receipt.items
        if item.outcome is ItemOutcome.PENDING and item.event_id is not None
    }
    found = await event_log.find(refs=list(refs.values())) if refs else {}
    items: list[ReceiptItem] = []
    is_open = False
    for item in receipt.items:
        _, outcome = found[refs[item.index]] if refs.get(item.index) in found else (None, None)
        known = item if outcome is None else _with_outcome(item, outcome)
        items.append(known)
        is_open |= known.outcome is ItemOutcome.PENDING
    if is_open:
        return replace(receipt, items=tuple(items))
    return replace(receipt, items=tuple(items), status=OperationStatus.COMPLETED)


def _with_outcome(item: ReceiptItem, outcome: EventOutcome) -> ReceiptItem:
    if outcome.state is EventState.FAILED:  # it is tried again: not its last word
        return replace(item, reason=outcome.reason)
    return replace(
        item,
        outcome=ItemOutcome(outcome.item_outcome),
        memory_ids=outcome.memory_ids,
        reason=outcome.reason,
    )
