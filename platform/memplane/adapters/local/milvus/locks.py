"""Readers-writer locks by collection name.

Milvus Lite takes one writer per collection. Readers need a lock as well: while a full memtable moves to disk its rows
are in neither place, and a search at that moment would miss them.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

Names = Callable[[], list[tuple[str, str]]]
"""Gives (database, collection); asked when the set of collections is locked, since aliases may move before."""


class ReadersWriterLock:
    """Many readers or one writer; a waiting writer goes before new readers."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._readers = 0
        self._writing = False
        self._writers_waiting = 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold the lock together with other readers."""
        with self._condition:
            self._condition.wait_for(lambda: not self._writing and not self._writers_waiting)
            self._readers += 1
        try:
            yield
        finally:
            with self._condition:
                self._readers -= 1
                self._condition.notify_all()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock alone."""
        with self._condition:
            self._writers_waiting += 1
            try:
                self._condition.wait_for(lambda: not self._writing and not self._readers)
            finally:
                self._writers_waiting -= 1
            self._writing = True
        try:
            yield
        finally:
            with self._condition:
                self._writing = False
                self._condition.notify_all()


class CollectionLocks:
    """One lock per collection, and one over the set of collections, always taken first."""

    def __init__(self) -> None:
        self._structure = ReadersWriterLock()
        self._guard = threading.Lock()
        self._by_name: dict[tuple[str, str], ReadersWriterLock] = {}

    @contextmanager
    def reading(self, names: Names) -> Iterator[None]:
        """Read the named collections; they cannot be dropped or written meanwhile."""
        with ExitStack() as stack:
            stack.enter_context(self._structure.reading())
            for lock in self._locks(names()):
                stack.enter_context(lock.reading())
            yield

    @contextmanager
    def writing(self, names: Names) -> Iterator[None]:
        """Write the named collections, alone on each."""
        with ExitStack() as stack:
            stack.enter_context(self._structure.reading())
            for lock in self._locks(names()):
                stack.enter_context(lock.writing())
            yield

    @contextmanager
    def restructuring(self) -> Iterator[None]:
        """Create, drop, rename or empty collections: nothing else runs."""
        with self._structure.writing():
            yield

    def _locks(self, names: list[tuple[str, str]]) -> list[ReadersWriterLock]:
        # Sorted, so that two calls over the same collections cannot wait for each other.
        with self._guard:
            return [self._by_name.setdefault(name, ReadersWriterLock()) for name in sorted(set(names))]
