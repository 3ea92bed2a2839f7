"""``POST /v1/events`` and ``GET /v1/operations/{id}``."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from memplane.api.schemas.answers import ReceiptOut
from memplane.domain.commands import IngestEvents, Wait
from memplane.domain.ids import UserId, draw_event_id, draw_operation_id
from memplane.domain.memory import Event, EventOutcome, EventState
from memplane.domain.results import ItemOutcome, OperationStatus, Receipt, ReceiptItem
from tests.support.api_fakes import NOW, Platform, operation_row, start_platform


@pytest.fixture
async def platform() -> Platform:
    return await start_platform()


def _body(**changes: Any) -> dict[str, Any]:
    turn = {"role": "user", "content": "记住:以后都用邮件发周报。", "at": "2026-06-12T09:30:00.1239+08:00"}
    return {"user_id": "u", "session_id": "s", "messages": [turn]} | changes


async def test_turns_become_a_command_with_times_in_utc_milliseconds(platform: Platform) -> None:
    answer = await platform.call("POST", "/v1/events", json=_body(agent_id="agent-1"))
    assert answer.status_code == 200
    ReceiptOut.model_validate(answer.json(), strict=True)
    command = platform.writer.commands[0]
    assert isinstance(command, IngestEvents)
    assert command.scope == platform.scope("u")
    assert command.turns[0].at == datetime(2026, 6, 12, 1, 30, 0, 123_000, tzinfo=UTC)
    assert (command.session_id, command.agent_id, command.policy.language) == ("s", "agent-1", "zh")


@pytest.mark.parametrize(("wait", "status"), [("none", 202), ("committed", 200), ("indexed", 200)])
async def test_wait_decides_between_200_and_202(platform: Platform, wait: str, status: int) -> None:
    answer = await platform.call("POST", "/v1/events", json=_body(wait=wait))
    assert answer.status_code == status
    assert platform.writer.commands[0].wait is Wait(wait)  # type: ignore[union-attr]


async def test_a_repeat_answers_byte_for_byte_whatever_it_waits_for(platform: Platform) -> None:
    headers = {"idempotency-key": "key-1"}
    first = await platform.call("POST", "/v1/events", json=_body(), headers=headers)
    again = await platform.call("POST", "/v1/events", json=_body(wait="none"), headers=headers)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert first.headers["x-trace-id"] != again.headers["x-trace-id"]


async def test_the_body_hash_ignores_order_of_members_and_not_their_values(platform: Platform) -> None:
    headers = {"idempotency-key": "key-1"}
    await platform.call("POST", "/v1/events", json=_body(), headers=headers)
    turned = dict(reversed(_body().items()))
    assert (await platform.call("POST", "/v1/events", json=turned, headers=headers)).status_code == 200
    other = await platform.call("POST", "/v1/events", json=_body(session_id="s2"), headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")
    # The same key of another user is another operation.
    assert (await platform.call("POST", "/v1/events", json=_body(user_id="v"), headers=headers)).status_code == 200


@pytest.mark.parametrize("key", ["", "a" * 256, "with space", "tab\there", "é"])
async def test_bad_idempotency_keys_are_refused(platform: Platform, key: str) -> None:
    answer = await platform.call(
        "POST",
        "/v1/events",
        json=_body(),
        headers={"idempotency-key": key.encode("latin-1")},  # type: ignore[dict-item]
    )
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (422, "Idempotency-Key")
    assert platform.writer.commands == []


async def test_a_call_takes_only_so_many_turns(platform: Platform) -> None:
    turn = {"role": "user", "content": "hello"}
    answer = await platform.call("POST", "/v1/events", json=_body(messages=[turn] * 21))
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "too_long")
    assert (await platform.call("POST", "/v1/events", json=_body(messages=[turn] * 20))).status_code == 200


async def test_the_only_agent_of_a_bound_key_is_filled_in(platform: Platform) -> None:
    assert (await platform.call("POST", "/v1/events", key="bound", json=_body())).status_code == 200
    assert platform.writer.commands[0].agent_id == "agent-1"  # type: ignore[union-attr]
    foreign = await platform.call("POST", "/v1/events", key="bound", json=_body(agent_id="agent-2"))
    unnamed = await platform.call("POST", "/v1/events", key="several", json=_body())
    assert (foreign.status_code, unnamed.status_code) == (403, 403)


async def test_metadata_cannot_move_a_row(platform: Platform) -> None:
    turn = {"role": "user", "content": "hello", "metadata": {"user_id": "v", "tenant_id": "other"}}
    await platform.call("POST", "/v1/events", json=_body(messages=[turn]))
    assert platform.writer.commands[0].scope == platform.scope("u")  # type: ignore[union-attr]


async def test_an_operation_is_read_back_by_its_tenant_and_user_only(platform: Platform) -> None:
    receipt = (await platform.call("POST", "/v1/events", json=_body(user_id="v"))).json()
    path = f"/v1/operations/{receipt['operation_id']}"
    assert (await platform.call("GET", path)).json() == receipt
    for key in ("other", "user"):
        assert (await platform.call("GET", path, key=key)).status_code == 404


@pytest.mark.parametrize("operation_id", ["op_x", "mem_aaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaa", "%00", "op_" + "a" * 500])
async def test_unknown_operations_are_not_found(platform: Platform, operation_id: str) -> None:
    answer = await platform.call("GET", f"/v1/operations/{operation_id}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_pending_operation_is_completed_from_the_outcomes_of_its_events(platform: Platform) -> None:
    answer = await platform.call("POST", "/v1/events", json=_body(wait="none", messages=[
        {"role": "user", "content": "first"}, {"role": "user", "content": "second"},
    ]))  # fmt: skip
    receipt = Receipt.from_dict(answer.json())
    path = f"/v1/operations/{receipt.operation_id}"
    scope = platform.scope("u")
    events = [
        Event(
            scope=scope,
            event_id=item.event_id or draw_event_id(scope),
            seq=item.index + 1,
            role="user",
            content="first",
            event_time=NOW,
            received_at=NOW,
            operation_id=receipt.operation_id,
        )
        for item in receipt.items
    ]
    await platform.event_log.append(events=events)
    done = EventOutcome(
        scope=scope,
        event_id=events[0].event_id,
        operation_id=receipt.operation_id,
        attempt_version=1,
        state=EventState.REJECTED,
        item_outcome="rejected",
        recorded_at=NOW,
        reason="nothing_worth_keeping",
    )
    failed = replace(
        done, event_id=events[1].event_id, state=EventState.FAILED, item_outcome="failed", reason="no_model"
    )
    await platform.event_log.record_outcomes(outcomes=[done, failed])
    half = (await platform.call("GET", path)).json()
    assert half["status"] == "pending"
    assert [item["outcome"] for item in half["items"]] == ["rejected", "pending"]
    assert half["items"][1]["reason"] == "no_model"
    dead = replace(failed, state=EventState.DEAD, attempt_version=2)
    await platform.event_log.record_outcomes(outcomes=[dead])
    whole = (await platform.call("GET", path)).json()
    assert whole["status"] == "completed"
    assert [item["outcome"] for item in whole["items"]] == ["rejected", "failed"]


async def test_an_operation_of_a_tag_that_two_users_share_goes_to_its_owner_only(platform: Platform) -> None:
    """Tags are short: the full user id decides."""
    scope = platform.scope("u")
    foreign = replace(scope, user_id=UserId("v"))
    item = ReceiptItem(index=0, event_id=None, outcome=ItemOutcome.ADDED)
    receipt = Receipt(operation_id=draw_operation_id(scope), status=OperationStatus.COMPLETED, items=(item,))
    command = IngestEvents(scope=scope, turns=(), policy=platform.view.current().tenants[0].policy)
    await platform.operations.put(operations=[operation_row(foreign, receipt, command=command, at=NOW)])
    assert (await platform.call("GET", f"/v1/operations/{receipt.operation_id}", key="user")).status_code == 404
