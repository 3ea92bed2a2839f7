"""The Recorder of the platform."""

from __future__ import annotations

from collections.abc import Sequence

from memplane.adapters.clickhouse import ClickHouseRecallLog
from memplane.application.record import Recorder
from memplane.bootstrap.background import BackgroundLoops
from memplane.bootstrap.stores import clickhouse
from memplane.domain.recall_record import RecallRecord
from memplane.settings import Settings, load_settings
from memplane.telemetry import configure_logging


class RecorderRuntime:
    """Takes batches from every Retriever and writes them once a second."""

    def __init__(self, recorder: Recorder, loops: BackgroundLoops) -> None:
        self._recorder = recorder
        self._loops = loops

    @classmethod
    async def start(cls, settings: Settings | None = None) -> RecorderRuntime:
        """Builds and starts it."""
        configure_logging()
        recorder = Recorder(ClickHouseRecallLog(await clickhouse(settings or load_settings())))
        loops = BackgroundLoops()
        loops.start("recorder", recorder.run())
        return cls(recorder, loops)

    def record(self, records: Sequence[RecallRecord]) -> None:
        """Takes records; never waits."""
        self._recorder.record(records)

    def check_health(self) -> None:
        """Raises: UnavailableError when the loop died."""
        self._loops.check_health()

    async def close(self) -> None:
        """Writes what waits."""
        await self._loops.close()
        await self._recorder.close()
