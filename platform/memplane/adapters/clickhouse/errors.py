"""The one place where ClickHouse's errors become ours.

Three kinds matter to callers: the store is away or too busy (send again; whether a write took place is unknown), the
store refused the content (sending again is refused again), the caller's own deadline passed.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp
from clickhouse_connect.driver.exceptions import ClickHouseError, DataError, Error

from memplane.domain.errors import DeadlineExceededError, MemplaneError, StoreRejectedError, StoreUnavailableError

COMPONENT: Final = "clickhouse"
RETRY_AFTER_S: Final = 1.0

TIMEOUT_EXCEEDED: Final = 159
QUERY_WAS_CANCELLED: Final = 394
_TIMED_OUT: Final = frozenset({TIMEOUT_EXCEEDED, QUERY_WAS_CANCELLED})

_REJECTED: Final = frozenset({
    6,  # CANNOT_PARSE_TEXT
    25,  # CANNOT_PARSE_ESCAPE_SEQUENCE
    26,  # CANNOT_PARSE_QUOTED_STRING
    27,  # CANNOT_PARSE_INPUT_ASSERTION_FAILED
    38,  # CANNOT_PARSE_DATE
    41,  # CANNOT_PARSE_DATETIME
    43,  # ILLEGAL_TYPE_OF_ARGUMENT
    53,  # TYPE_MISMATCH
    69,  # ARGUMENT_OUT_OF_BOUND
    70,  # CANNOT_CONVERT_TYPE
    72,  # CANNOT_PARSE_NUMBER
    117,  # INCORRECT_DATA
    131,  # TOO_LARGE_STRING_SIZE
    190,  # SIZES_OF_ARRAYS_DONT_MATCH
    307,  # TOO_MANY_BYTES: the same block will be as large next time, half of it will not
    321,  # VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
    349,  # CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
    386,  # NO_COMMON_TYPE
    407,  # DECIMAL_OVERFLOW
    456,  # UNKNOWN_QUERY_PARAMETER
    457,  # BAD_QUERY_PARAMETER
})  # fmt: skip
"""Codes that say: this content will never do. All others count as "away": sending again is safe (every table that a
retry touches collapses repeats), while a row refused for good by mistake would be lost."""


@contextmanager
def translated(*, what: str, deadline: bool = False, content: bool = False) -> Iterator[None]:
    """Runs one call to ClickHouse and translates what it raises.

    ``what`` names the call in messages. ``deadline``: the time limit is the caller's own and the call only reads, so
    running into it is the caller's deadline and not a failure of the store. ``content``: the call carries values into
    columns, so Python's errors about values are the driver's encoders meeting a value of another type.
    Raises: StoreUnavailableError, StoreRejectedError, DeadlineExceededError.
    """
    try:
        yield
    except MemplaneError:
        raise
    except ClickHouseError as error:
        raise _from_clickhouse(error, what, deadline=deadline) from error
    except TimeoutError as error:
        raise _timed_out(what, deadline=deadline) from error
    except (aiohttp.ClientError, asyncio.IncompleteReadError, OSError) as error:
        raise _unavailable(f"{what}: no connection to ClickHouse ({type(error).__name__})") from error
    except (TypeError, ValueError, AttributeError, OverflowError, struct.error) as error:
        if not content:
            raise
        raise StoreRejectedError(
            f"{what}: a value does not fit its column ({type(error).__name__})", data={"component": COMPONENT}
        ) from error


def _from_clickhouse(error: ClickHouseError, what: str, *, deadline: bool) -> MemplaneError:
    code = error.code if isinstance(error, Error) else None
    name = error.name if isinstance(error, Error) else None
    if code in _TIMED_OUT or isinstance(error.__cause__, TimeoutError):
        return _timed_out(what, deadline=deadline)
    label = f"code {code} {name or ''}".strip() if code is not None else type(error).__name__
    if code in _REJECTED or (code is None and isinstance(error, DataError)):
        return StoreRejectedError(f"{what}: ClickHouse refused the content ({label})", data=_data(code))
    return _unavailable(f"{what}: ClickHouse did not carry it out ({label})", code)


def _timed_out(what: str, *, deadline: bool) -> MemplaneError:
    if deadline:
        return DeadlineExceededError(f"{what}: the deadline passed", retry_after_s=RETRY_AFTER_S, data=_data(None))
    return _unavailable(f"{what}: ClickHouse did not answer in time")


def _unavailable(message: str, code: int | None = None) -> StoreUnavailableError:
    return StoreUnavailableError(message, retry_after_s=RETRY_AFTER_S, data=_data(code))


def _data(code: int | None) -> dict[str, object]:
    return {"component": COMPONENT} if code is None else {"component": COMPONENT, "clickhouse_code": code}
