"""The blocking client."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

import httpx
import tenacity

from memplane.client import calls
from memplane.client.answers import read_answer
from memplane.client.calls import Call
from memplane.client.keys import read_key_file
from memplane.client.retrying import CallClock, RetryPolicy, final_error, retry_arguments
from memplane.client.types import (
    ContextBlock,
    EventPage,
    Fact,
    FactPage,
    History,
    Memory,
    MemoryPage,
    Message,
    Readiness,
    RecallResult,
    Receipt,
)


class MemoryClient:
    """Calls the platform and waits. Use it as a context manager, or `close` it.

    ``timeout_s`` bounds a call with all its repeats, unless the call says otherwise. Health needs no ``key``.
    ``transport`` replaces the network (tests). All methods raise `ClientError`: `ProblemError` for the platform's
    errors, `PlatformUnreachableError`, `DeadlineError`. Keyword arguments are the request's fields of the HTTP
    contract; ``None`` leaves one out.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_s: float = 30.0,
        retries: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self._timeout_s = timeout_s
        self._retries = retries or RetryPolicy()
        self._http = httpx.Client(
            base_url=self.url,
            headers={"authorization": f"Bearer {key}"} if key else None,
            transport=transport,
            trust_env=False,
        )

    @classmethod
    def from_key_file(cls, path: Path | str, *, timeout_s: float = 30.0, retries: RetryPolicy | None = None) -> Self:
        """A client with the address and the agent key of ``path``. Raises: FileNotFoundError, ValueError."""
        keys = read_key_file(path)
        return cls(keys.url, keys.agent_key, timeout_s=timeout_s, retries=retries)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def add_events(
        self,
        user_id: str,
        messages: Sequence[Message],
        *,
        session_id: str,
        agent_id: str | None = None,
        wait: str | None = None,
        idempotency_key: str | None = None,
        timeout_s: float | None = None,
    ) -> Receipt:
        """Writes turns of one session. A drawn ``idempotency_key`` covers the repeats of this one call."""
        call = calls.add_events(
            user_id=user_id,
            session_id=session_id,
            messages=messages,
            idempotency_key=idempotency_key,
            optional={"agent_id": agent_id, "wait": wait},
        )
        return cast(Receipt, self._send(call, timeout_s))

    def remember(
        self,
        user_id: str,
        content: str,
        *,
        kind: str | None = None,
        category: str | None = None,
        importance: float | None = None,
        event_time: datetime | None = None,
        session_id: str | None = None,
        agent_id: str | None = None,
        pinned: bool | None = None,
        metadata: dict[str, Any] | None = None,
        wait: str | None = None,
        idempotency_key: str | None = None,
        timeout_s: float | None = None,
    ) -> Receipt:
        """Writes one statement; it is kept whatever its importance."""
        call = calls.remember(
            user_id=user_id,
            content=content,
            idempotency_key=idempotency_key,
            optional={
                "kind": kind,
                "category": category,
                "importance": importance,
                "event_time": event_time,
                "session_id": session_id,
                "agent_id": agent_id,
                "pinned": pinned,
                "metadata": metadata,
                "wait": wait,
            },
        )
        return cast(Receipt, self._send(call, timeout_s))

    def recall(self, user_id: str, query: str, *, timeout_s: float | None = None, **fields: Any) -> RecallResult:
        """The memories that matter for ``query``. ``fields``: ``top_k``, ``profile``, ``plan``, ``filter``, …."""
        call = calls.recall(user_id=user_id, query=query, optional=fields)
        return cast(RecallResult, self._send(call, timeout_s))

    def context(self, user_id: str, query: str, *, timeout_s: float | None = None, **fields: Any) -> ContextBlock:
        """A block ready for a prompt. ``fields``: those of `recall`, ``budget_tokens``, ``language``, …."""
        call = calls.context(user_id=user_id, query=query, optional=fields)
        return cast(ContextBlock, self._send(call, timeout_s))

    def list_memories(self, user_id: str, *, timeout_s: float | None = None, **fields: Any) -> MemoryPage:
        """One page of memories, newest first. ``fields``: ``kind``, ``status``, ``limit``, ``cursor``, …."""
        call = calls.list_memories(user_id=user_id, optional=fields)
        return cast(MemoryPage, self._send(call, timeout_s))

    def get_memory(self, memory_id: str, *, timeout_s: float | None = None) -> Memory:
        """One memory. Raises: NotFoundError."""
        return cast(Memory, self._send(calls.get_memory(memory_id), timeout_s))

    def delete_memory(
        self, memory_id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None
    ) -> Receipt:
        """Forgets one memory. Raises: NotFoundError, also when it is forgotten already.

        If an answer got lost, and the repeat finds no memory any more, the receipt is made here and has no operation.
        """
        call = calls.delete_memory(memory_id, idempotency_key=idempotency_key)
        return cast(Receipt, self._send(call, timeout_s))

    def update_memory(
        self,
        memory_id: str,
        *,
        content: str | None = None,
        importance: float | None = None,
        category: str | None = None,
        pinned: bool | None = None,
        metadata: dict[str, Any] | None = None,
        expires_at: datetime | None = None,
        clear_expiry: bool = False,
        idempotency_key: str | None = None,
        timeout_s: float | None = None,
    ) -> Receipt:
        """Makes a new version of one memory. ``clear_expiry``: it no longer expires. Raises: NotFoundError."""
        call = calls.update_memory(
            memory_id,
            clear_expiry=clear_expiry,
            idempotency_key=idempotency_key,
            optional={
                "content": content,
                "importance": importance,
                "category": category,
                "pinned": pinned,
                "metadata": metadata,
                "expires_at": expires_at,
            },
        )
        return cast(Receipt, self._send(call, timeout_s))

    def memory_history(
        self, memory_id: str, *, limit: int | None = None, cursor: str | None = None, timeout_s: float | None = None
    ) -> History:
        """One page of a memory's versions, newest first. Raises: NotFoundError."""
        call = calls.memory_history(memory_id, optional={"limit": limit, "cursor": cursor})
        return cast(History, self._send(call, timeout_s))

    def list_events(self, user_id: str, *, timeout_s: float | None = None, **fields: Any) -> EventPage:
        """One page of events, newest first. ``fields``: ``session_id``, ``role``, ``limit``, ``cursor``, …."""
        return cast(EventPage, self._send(calls.list_events(user_id=user_id, optional=fields), timeout_s))

    def put_fact(
        self,
        user_id: str,
        entity_type: str,
        entity: str,
        attribute: str,
        value: Any,
        *,
        valid_from: datetime | None = None,
        expires_at: datetime | None = None,
        agent_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        wait: str | None = None,
        idempotency_key: str | None = None,
        timeout_s: float | None = None,
    ) -> Receipt:
        """Sets an exact value, any JSON. The one that is valid from latest is current, whatever came last."""
        call = calls.put_fact(
            user_id,
            (entity_type, entity, attribute),
            value,
            idempotency_key=idempotency_key,
            optional={
                "valid_from": valid_from,
                "expires_at": expires_at,
                "agent_id": agent_id,
                "metadata": metadata,
                "wait": wait,
            },
        )
        return cast(Receipt, self._send(call, timeout_s))

    def get_fact(
        self,
        user_id: str,
        entity_type: str,
        entity: str,
        attribute: str,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        timeout_s: float | None = None,
    ) -> Fact:
        """One fact: true now, or ``as_of`` a time; as recorded by now, or by ``known_at``. Raises: NotFoundError."""
        fact, optional = (entity_type, entity, attribute), {"as_of": as_of, "known_at": known_at}
        return cast(Fact, self._send(calls.get_fact(user_id, fact, optional=optional), timeout_s))

    def list_facts(self, user_id: str, *, timeout_s: float | None = None, **fields: Any) -> FactPage:
        """One page of facts, newest first. ``fields``: ``entity_type``, ``as_of``, ``known_at``, ``limit``, …."""
        return cast(FactPage, self._send(calls.list_facts(user_id, optional=fields), timeout_s))

    def delete_fact(
        self,
        user_id: str,
        entity_type: str,
        entity: str,
        attribute: str,
        *,
        idempotency_key: str | None = None,
        timeout_s: float | None = None,
    ) -> Receipt:
        """Ends a fact: it is not true from now on. Raises: NotFoundError, also when it has ended already."""
        call = calls.delete_fact(user_id, (entity_type, entity, attribute), idempotency_key=idempotency_key)
        return cast(Receipt, self._send(call, timeout_s))

    def operation(self, operation_id: str, *, timeout_s: float | None = None) -> Receipt:
        """What became of an earlier write. Raises: NotFoundError."""
        return cast(Receipt, self._send(calls.operation(operation_id), timeout_s))

    def health(self, *, timeout_s: float | None = None) -> Readiness:
        """How the platform and its parts are; an answer also when it is down."""
        return cast(Readiness, self._send(calls.health(), timeout_s))

    def _send(self, call: Call, timeout_s: float | None) -> dict[str, Any]:
        clock = CallClock(self._timeout_s if timeout_s is None else timeout_s)
        try:
            for attempt in tenacity.Retrying(**retry_arguments(self._retries, call, clock)):
                with attempt:
                    return self._send_once(call, clock)
        except httpx.TransportError as error:
            raise final_error(error, call, self.url) from error
        raise RuntimeError("tenacity ends with an answer or an error")

    def _send_once(self, call: Call, clock: CallClock) -> dict[str, Any]:
        headers = {} if call.idempotency_key is None else {"idempotency-key": call.idempotency_key}
        response = self._http.request(
            call.method,
            call.path,
            json=call.body,
            params=dict(call.query) or None,
            headers=headers,
            timeout=min(clock.left_s(), self._retries.attempt_timeout_s),
        )
        return read_answer(call, response, repeat_of_unknown=clock.outcome_unknown)
