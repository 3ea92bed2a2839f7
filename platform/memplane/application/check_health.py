"""Whether the platform can work, and which of its parts cannot."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memplane.domain.errors import MemplaneError

DEFAULT_PROBE_TIMEOUT_S: Final = 2.0
MAX_DETAIL_CHARACTERS: Final = 300


class Readiness(StrEnum):
    """``degraded``: answers, with something missing. ``down``: without a part that nothing can replace."""

    READY = "ready"
    DEGRADED = "degraded"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentHealth:
    """One part: ``status`` is ``ok`` or ``down``; ``detail`` is for operators."""

    status: str
    latency_ms: float | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """``GET /v1/health/ready``. ``generation`` is the serving embedding space, ``None`` before the first start."""

    status: Readiness
    components: Mapping[str, ComponentHealth]
    generation: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """How a part is asked. ``check`` returns a detail or ``None`` and raises when the part does not work.

    Without an ``essential`` part the platform is down; without any other it is degraded.
    """

    name: str
    check: Callable[[], Awaitable[str | None]]
    essential: bool = False


async def check_health(
    *, probes: tuple[Probe, ...], generation: Callable[[], str | None], timeout_s: float = DEFAULT_PROBE_TIMEOUT_S
) -> HealthReport:
    """Asks all parts at once, each for at most ``timeout_s``. Never raises for a part that fails."""
    async with asyncio.TaskGroup() as group:
        asked = {probe: group.create_task(_ask(probe, timeout_s)) for probe in probes}
    components = {probe.name: task.result() for probe, task in asked.items()}
    failing = [probe for probe in probes if components[probe.name].status != "ok"]
    status = Readiness.READY
    if failing:
        status = Readiness.DOWN if any(probe.essential for probe in failing) else Readiness.DEGRADED
    return HealthReport(status=status, components=components, generation=_serving(generation))


async def _ask(probe: Probe, timeout_s: float) -> ComponentHealth:
    began = time.perf_counter()
    try:
        async with asyncio.timeout(timeout_s):
            detail = await probe.check()
    except TimeoutError:
        return ComponentHealth(status="down", detail=f"no answer within {timeout_s:g} s")
    except (MemplaneError, OSError) as error:
        return ComponentHealth(status="down", detail=f"{type(error).__name__}: {error}"[:MAX_DETAIL_CHARACTERS])
    return ComponentHealth(status="ok", latency_ms=round((time.perf_counter() - began) * 1000, 2), detail=detail)


def _serving(generation: Callable[[], str | None]) -> str | None:
    try:
        return generation()
    except MemplaneError:  # no control data: the probe of its store says so
        return None
