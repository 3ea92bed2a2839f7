"""When a call is sent again, and after which wait."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
import tenacity

from memplane.client.calls import Call
from memplane.client.errors import ClientError, DeadlineError, PlatformUnreachableError, ProblemError


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How patient a client is. Only calls that are safe to repeat are ever sent twice."""

    attempts: int = 5
    """Most times that a call is sent."""
    first_wait_s: float = 0.1
    """Doubled each time, with jitter; a longer ``Retry-After`` wins."""
    longest_wait_s: float = 5.0
    attempt_timeout_s: float = 60.0
    """Longest time for one sending."""
    statuses: frozenset[int] = field(default_factory=lambda: frozenset({429, 503}))
    """Answers after which a repeat may help."""
    through_restart: bool = False
    """Also repeat after 500, 502, 504 and after answers that are not the platform's own (it is starting)."""

    def allows(self, call: Call, error: BaseException) -> bool:
        """Whether ``call`` may be sent again after ``error``."""
        if not call.repeatable:
            return False
        if isinstance(error, httpx.TransportError):
            return True
        if not isinstance(error, ProblemError):
            return False
        restarting = error.status >= 500 or not error.code
        return error.status in self.statuses or (self.through_restart and restarting)

    def wait_s(self, attempt: int, error: BaseException | None) -> float:
        """The wait after the ``attempt``-th sending (1-based) ended with ``error``."""
        longest = min(self.longest_wait_s, self.first_wait_s * 2 ** min(attempt - 1, 30))
        drawn = longest * random.uniform(0.5, 1.0)  # noqa: S311  spreads callers, guards nothing
        asked = error.retry_after_s if isinstance(error, ProblemError) else None
        return float(max(drawn, asked or 0.0))


class CallClock:
    """What holds over all sendings of one call: its deadline, and whether one of them may have been carried out."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self.outcome_unknown = False
        self._until = time.monotonic() + timeout_s

    def left_s(self) -> float:
        """Seconds left. Raises: DeadlineError when there are none."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise DeadlineError(f"no answer within {self.timeout_s:g} s")
        return left

    def note_failure(self, error: BaseException) -> None:
        """Takes the end of a sending that is followed by another. Nothing was done if it never arrived or was refused
        with 4xx."""
        never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        refused = isinstance(error, ProblemError) and error.status < 500
        self.outcome_unknown = self.outcome_unknown or not (never_sent or refused)

    def has(self, seconds: float) -> bool:
        """Whether more than ``seconds`` are left."""
        return self._until - time.monotonic() > seconds


def retry_arguments(policy: RetryPolicy, call: Call, clock: CallClock) -> dict[str, Any]:
    """Arguments for tenacity's ``Retrying`` and ``AsyncRetrying`` alike."""

    def wait(state: tenacity.RetryCallState) -> float:
        return policy.wait_s(state.attempt_number, state.outcome.exception() if state.outcome else None)

    def stop(state: tenacity.RetryCallState) -> bool:
        return state.attempt_number >= policy.attempts or not clock.has(state.upcoming_sleep)

    def before_sleep(state: tenacity.RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if error is not None:
            clock.note_failure(error)

    return {
        "before_sleep": before_sleep,
        "retry": tenacity.retry_if_exception(lambda error: policy.allows(call, error)),
        "wait": wait,
        "stop": stop,
        "reraise": True,
    }


def final_error(error: httpx.TransportError, call: Call, url: str) -> ClientError:
    """The SDK's error for a transport error that ends a call."""
    if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
        return DeadlineError(f"{call.method} {call.path}: no answer in time")
    return PlatformUnreachableError(f"{call.method} {url}{call.path}: {str(error) or type(error).__name__}")
