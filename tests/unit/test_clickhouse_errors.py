"""How ClickHouse's errors become ours."""

from __future__ import annotations

import asyncio
import struct

import aiohttp
import pytest
from clickhouse_connect.driver.exceptions import DatabaseError, DataError, OperationalError

from memplane.adapters.clickhouse.errors import translated
from memplane.domain.errors import DeadlineExceededError, MemplaneError, StoreRejectedError, StoreUnavailableError


def outcome(error: Exception, *, deadline: bool = False, content: bool = False) -> MemplaneError:
    with pytest.raises(MemplaneError) as caught, translated(what="query 'x'", deadline=deadline, content=content):
        raise error
    assert caught.value.__cause__ is error or caught.value is error
    assert caught.value.message.startswith("query 'x': ")
    return caught.value


@pytest.mark.parametrize("code", [6, 27, 53, 70, 117, 307, 349, 386, 457])
def test_content_that_is_refused_is_refused_for_good(code: int) -> None:
    error = outcome(DatabaseError("secret text of a memory", code=code, name="SOME_NAME"))
    assert type(error) is StoreRejectedError
    assert not error.retryable
    assert error.data == {"component": "clickhouse", "clickhouse_code": code}
    assert "secret" not in error.message


@pytest.mark.parametrize("code", [202, 241, 209, 210, 159, 394, 60, 81, 164, 252, 319, 516, 999_999, None])
def test_anything_else_is_away_for_now(code: int | None) -> None:
    error = outcome(OperationalError("x", code=code))
    assert type(error) is StoreUnavailableError
    assert error.retryable
    assert error.retry_after_s is not None
    assert error.data["component"] == "clickhouse"


@pytest.mark.parametrize(
    "error",
    [aiohttp.ServerDisconnectedError(), ConnectionRefusedError(), asyncio.IncompleteReadError(b"", 4), TimeoutError()],
)
def test_a_broken_connection_is_away(error: Exception) -> None:
    assert type(outcome(error)) is StoreUnavailableError


@pytest.mark.parametrize("error", [TimeoutError(), DatabaseError("x", code=159), DatabaseError("x", code=394)])
def test_a_deadline_of_the_caller_is_told_as_such(error: Exception) -> None:
    assert type(outcome(error, deadline=True)) is DeadlineExceededError
    assert type(outcome(error)) is StoreUnavailableError


@pytest.mark.parametrize(
    "error", [TypeError("x"), ValueError("x"), AttributeError("x"), struct.error("x"), DataError("x")]
)
def test_values_that_do_not_fit_their_column_are_refused(error: Exception) -> None:
    assert type(outcome(error, content=True)) is StoreRejectedError


def test_programming_errors_of_reads_stay_what_they_are() -> None:
    with pytest.raises(TypeError), translated(what="query 'x'"):
        raise TypeError("ours")


def test_our_own_errors_and_cancellation_pass() -> None:
    ours = StoreRejectedError("ours")
    with pytest.raises(StoreRejectedError) as caught, translated(what="query 'x'"):
        raise ours
    assert caught.value is ours
    with pytest.raises(asyncio.CancelledError), translated(what="query 'x'"):
        raise asyncio.CancelledError
