"""Time expressions in Chinese and English: what they mean, when a statement expires, what time a question asks about.

Pure: the reference and the zone are arguments; nothing here reads a clock.
"""

from memplane.domain.timex.expiry import expiry_of
from memplane.domain.timex.find import find_times
from memplane.domain.timex.lean import lean_of
from memplane.domain.timex.query_window import query_window
from memplane.domain.timex.values import Grain, Kind, Prefer, TimeMention, TimeWindow

__all__ = [
    "Grain",
    "Kind",
    "Prefer",
    "TimeMention",
    "TimeWindow",
    "expiry_of",
    "find_times",
    "lean_of",
    "query_window",
]
