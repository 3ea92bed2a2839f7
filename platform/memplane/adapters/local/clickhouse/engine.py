"""The pool of engine connections: blocking calls in a few threads, a bounded queue in front."""

import asyncio
import re
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import chdb
from chdb.state.sqlitelike import Connection

from memplane.adapters.local.clickhouse.config import DATABASE
from memplane.adapters.local.clickhouse.errors import (
    BAD_ARGUMENTS,
    NOT_IMPLEMENTED,
    TOO_MANY_QUERIES,
    StatementError,
    from_engine,
)
from memplane.adapters.local.clickhouse.statement import Statement

_SETTING_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineQuery:
    """One statement with everything that the engine needs to run it."""

    statement: Statement
    parameters: Mapping[str, str]
    """Values of `{name:Type}` placeholders, in ClickHouse's escaped text form."""
    settings: Mapping[str, str]
    database: str
    default_format: str
    read_only: bool
    """True runs it on a connection in `readonly = 2`: no change of data or structure, settings allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResult:
    """The answer in the statement's format, with the counts that the summary header reports."""

    content: bytes
    format_name: str
    result_rows: int
    read_rows: int
    read_bytes: int
    written_rows: int
    written_bytes: int
    elapsed_ns: int


class _Slot:
    """A connection with the database and the settings that it has at the moment."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.database = ""
        self.settings: dict[str, str] = {}


class EnginePool:
    """Runs statements on at most `threads` connections; at most `max_waiting` more wait, the next is refused."""

    def __init__(self, connection_string: str, *, threads: int, max_waiting: int) -> None:
        """Open the engine. Raises StatementError when it cannot be opened, as when another process owns it."""
        self._connection_string = connection_string
        self._capacity = threads + max_waiting
        self._pending = 0
        self._free: dict[bool, list[_Slot]] = {False: [], True: []}
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="engine")
        try:
            # Never lent and never retired: the engine closes with its last connection and would open anew.
            self._anchor = self._open(read_only=False).connection
            self._anchor.query(f"CREATE DATABASE IF NOT EXISTS `{DATABASE}` ENGINE = Atomic", "TabSeparated")
            self._version: str = self._anchor.query("SELECT version()", "TabSeparated").bytes().decode().strip()
        except RuntimeError as error:
            raise from_engine(str(error)) from error

    @property
    def version(self) -> str:
        """Version of the engine."""
        return self._version

    async def run(self, query: EngineQuery) -> EngineResult:
        """Run one statement in an engine thread.

        Raises StatementError: TOO_MANY_SIMULTANEOUS_QUERIES when the queue is full, else what the engine says. A
        caller that goes away does not stop the statement; its connection returns to the pool when it ends.
        """
        if self._pending >= self._capacity:
            raise StatementError(TOO_MANY_QUERIES, "Too many simultaneous queries; try again later")
        self._pending += 1
        future = asyncio.get_running_loop().run_in_executor(self._executor, self._execute, query)
        future.add_done_callback(self._settle)
        return await asyncio.shield(future)

    def close(self) -> None:
        """Wait for running statements, drop waiting ones, and close every connection; the engine then flushes."""
        self._executor.shutdown(wait=True, cancel_futures=True)
        with self._lock:
            for slots in self._free.values():
                while slots:
                    slots.pop().connection.close()
        self._anchor.close()

    def _settle(self, future: asyncio.Future[EngineResult]) -> None:
        self._pending -= 1
        if not future.cancelled():
            # A caller that went away never reads the error; reading it here keeps the loop from reporting it.
            future.exception()

    def _execute(self, query: EngineQuery) -> EngineResult:
        slot = self._take(query.read_only)
        usable = False
        try:
            _prepare(slot, query)
            result = _insert(slot, query) if query.statement.data is not None else _query(slot, query)
            usable = True
        except (RuntimeError, chdb.ChdbError) as error:
            failure = from_engine(str(error))
            # The engine reports a failed statement with a code and is ready for the next; anything else is not.
            usable = slot.database == query.database and slot.settings == query.settings and "Code: " in str(error)
            raise failure from error
        finally:
            if usable:
                with self._lock:
                    self._free[query.read_only].append(slot)
            else:
                slot.connection.close()
        return result

    def _take(self, read_only: bool) -> _Slot:
        with self._lock:
            if self._free[read_only]:
                return self._free[read_only].pop()
        return self._open(read_only)

    def _open(self, read_only: bool) -> _Slot:
        slot = _Slot(chdb.connect(self._connection_string))
        if read_only:
            # In this mode the engine lets nobody change `readonly` back, on this connection, ever.
            slot.connection.query("SET readonly = 2", "TabSeparated")
        return slot


def _prepare(slot: _Slot, query: EngineQuery) -> None:
    """Bring the connection to the database and settings of the query; most queries find them as they are."""
    if slot.database != query.database:
        slot.connection.query(f"USE {_identifier(query.database)}", "TabSeparated")
        slot.database = query.database
    stale = [name for name in slot.settings if name not in query.settings]
    fresh = {name: value for name, value in query.settings.items() if slot.settings.get(name) != value}
    if not stale and not fresh:
        return
    for name in fresh:
        if not _SETTING_NAME.fullmatch(name) or name == "readonly":
            raise StatementError(BAD_ARGUMENTS, f"Setting {name[:60]!r} is not accepted")
    # A half-applied SET leaves the connection unknown: forget what it had, so that a failure here retires it.
    target, slot.settings = dict(query.settings), {"": ""}
    parts = [f"{name} = DEFAULT" for name in stale] + [f"{name} = {_literal(value)}" for name, value in fresh.items()]
    slot.connection.query("SET " + ", ".join(parts), "TabSeparated")
    slot.settings = target


def _query(slot: _Slot, query: EngineQuery) -> EngineResult:
    result = slot.connection.query(query.statement.text, query.default_format, params=dict(query.parameters))
    return EngineResult(
        content=result.bytes(),
        format_name=query.statement.format_name or query.default_format,
        result_rows=result.rows_read(),
        read_rows=result.storage_rows_read(),
        read_bytes=result.storage_bytes_read(),
        written_rows=result.rows_written(),
        written_bytes=result.bytes_written(),
        elapsed_ns=int(result.elapsed() * 1e9),
    )


def _insert(slot: _Slot, query: EngineQuery) -> EngineResult:
    """Stream inline data into the insert; nothing is committed unless all of it was read."""
    if query.parameters:
        raise StatementError(NOT_IMPLEMENTED, "Parameters in an INSERT with inline data are not supported")
    format_name = query.statement.format_name or ""
    with slot.connection.send_insert(query.statement.text, format_name) as inserter:
        inserter.append(query.statement.data or b"")
        written = inserter.finish()
    return EngineResult(
        content=b"",
        format_name=query.default_format,
        result_rows=0,
        read_rows=written.rows_written,
        read_bytes=written.bytes_written,
        written_rows=written.rows_written,
        written_bytes=written.bytes_written,
        elapsed_ns=int(written.elapsed * 1e9),
    )


def _literal(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _identifier(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("`", "\\`")
    return f"`{escaped}`"
