"""A ``ControlView`` that reads all control data every second and keeps the last reading in a 0600 file.

The snapshot is good for one hour without ClickHouse: a replica that starts meanwhile begins from the file.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from memplane.domain.control import SNAPSHOT_GOOD_FOR_S, ControlSnapshot
from memplane.domain.errors import MemplaneError, UnavailableError
from memplane.ports.clock import Clock
from memplane.ports.control_store import ControlStore

REFRESH_EVERY_S = 1.0
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
logger = logging.getLogger(__name__)


class _SnapshotFile(BaseModel):
    """The file's form: the snapshot's own fields as JSON, secrets in base64."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    snapshot: ControlSnapshot


class RefreshedControlView:
    """Implements ``ports.control_view.ControlView``. :meth:`run` keeps it fresh."""

    def __init__(self, store: ControlStore, *, clock: Clock, file: Path | None) -> None:
        self._store = store
        self._clock = clock
        self._file = file
        self._snapshot: ControlSnapshot | None = None
        self._refreshing = asyncio.Lock()
        self._written: bytes = b""

    def current(self) -> ControlSnapshot:
        """The last reading. Raises: UnavailableError when there is none, or it is older than an hour."""
        snapshot = self._snapshot
        if snapshot is None:
            raise UnavailableError("control data has not been read yet", retry_after_s=1.0)
        if self._clock.now() - snapshot.taken_at > timedelta(seconds=SNAPSHOT_GOOD_FOR_S):
            raise UnavailableError("control data is over an hour old", retry_after_s=5.0)
        return snapshot

    async def refresh(self) -> ControlSnapshot:
        """Reads anew. Raises: StoreUnavailableError.

        One reading at a time: an older one must not end after a newer, and the file has one draft.
        """
        async with self._refreshing:
            self._snapshot = await self._store.snapshot()
            try:
                await asyncio.to_thread(self._save, self._snapshot)
            except OSError as error:
                # The file is for the next start without ClickHouse; a full disk must not end this process's refreshing.
                logger.warning("control_file_not_written", extra={"reason": str(error)})
            return self._snapshot

    async def start(self) -> None:
        """The first reading: from ClickHouse, else from the file; without either, requests are answered 503."""
        try:
            await self.refresh()
        except MemplaneError as error:
            logger.warning("control_data_from_file", extra={"reason": error.message})
            self._snapshot = await asyncio.to_thread(self._load)

    async def run(self) -> None:
        """Refreshes every second until cancelled."""
        while True:
            await asyncio.sleep(REFRESH_EVERY_S)
            try:
                await self.refresh()
            except MemplaneError as error:
                logger.warning("control_data_not_refreshed", extra={"reason": error.message})

    def _save(self, snapshot: ControlSnapshot) -> None:
        raw = _SnapshotFile(snapshot=replace(snapshot, taken_at=_ANY_TIME)).model_dump_json().encode()
        if self._file is None or (raw == self._written and self._is_fresh()):
            return
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(_SnapshotFile(snapshot=snapshot).model_dump_json().encode())
        draft.replace(self._file)
        self._written = raw

    def _is_fresh(self) -> bool:
        """Whether the file's time still says enough: it is renewed once a minute even without a change."""
        if self._file is None or not self._file.exists():
            return False
        return self._clock.now().timestamp() - self._file.stat().st_mtime < 60

    def _load(self) -> ControlSnapshot | None:
        if self._file is None or not self._file.exists():
            return None
        try:
            return _SnapshotFile.model_validate_json(self._file.read_bytes()).snapshot
        except (ValidationError, OSError):
            logger.warning("control_file_unreadable")
            return None
