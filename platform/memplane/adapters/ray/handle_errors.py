"""Ray's errors of a call between deployments, as ours."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, NoReturn

from ray.exceptions import RayActorError, RayError, RayTaskError
from ray.serve.exceptions import (
    BackPressureError,
    DeploymentUnavailableError,
    RayServeException,
    ReplicaUnavailableError,
)

from memplane.domain.errors import DeadlineExceededError, MemplaneError, OverloadedError, UnavailableError


async def answer_of(call: Awaitable[Any], *, component: str, timeout_s: float) -> Any:
    """Awaits a handle call for at most ``timeout_s``.

    Raises: what the callee raised if it is a MemplaneError; OverloadedError when its queue is full;
    DeadlineExceededError; else UnavailableError naming ``component``.
    """
    try:
        async with asyncio.timeout(timeout_s):
            return await call
    except TimeoutError as error:
        raise DeadlineExceededError(
            f"the {component} did not answer in time", retry_after_s=1.0, data={"component": component}
        ) from error
    except MemplaneError as error:
        _raise_cause(error, component)
    except (RayError, RayServeException) as error:
        _raise_cause(error, component)


def _raise_cause(error: BaseException, component: str) -> NoReturn:
    cause = getattr(error, "cause", None) if isinstance(error, RayTaskError) else None
    if isinstance(cause, MemplaneError):
        raise cause
    if isinstance(error, BackPressureError):
        raise OverloadedError(f"the {component} is busy; nothing was done", retry_after_s=1.0) from error
    if isinstance(error, RayActorError | DeploymentUnavailableError | ReplicaUnavailableError):
        raise UnavailableError(
            f"the {component} is being replaced", retry_after_s=1.0, data={"component": component}
        ) from error
    if isinstance(error, MemplaneError):
        raise error
    raise UnavailableError(
        f"the {component} failed", retry_after_s=1.0, data={"component": component, "error": type(error).__name__}
    ) from error
