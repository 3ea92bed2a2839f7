"""Versions: strictly growing, inside the lease, above what they replace."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.clock import (
    VersionClock,
    from_millis,
    rank_of,
    to_millis,
    truncate_to_millis,
    version_floor,
    version_millis,
)
from memplane.domain.errors import WriterMovedError

NOW = 1_750_000_000_000


@given(st.lists(st.integers(NOW - 5_000, NOW + 5_000), min_size=2, max_size=50))
def test_versions_grow_even_when_the_clock_steps_back(times: list[int]) -> None:
    clock = VersionClock()
    drawn = [clock.draw(now_ms=now, lease_until_ms=NOW + 60_000) for now in times]
    assert drawn == sorted(set(drawn))


def test_a_version_is_above_the_one_it_replaces() -> None:
    above = version_floor(NOW + 1_000)
    assert VersionClock().draw(now_ms=NOW, above=above, lease_until_ms=NOW + 60_000) == above + 1


def test_no_version_is_drawn_at_or_past_the_lease_end() -> None:
    clock = VersionClock()
    with pytest.raises(WriterMovedError):
        clock.draw(now_ms=NOW, lease_until_ms=NOW)
    with pytest.raises(WriterMovedError):
        clock.draw(now_ms=NOW, above=version_floor(NOW + 10), lease_until_ms=NOW + 10)
    assert version_millis(clock.draw(now_ms=NOW, lease_until_ms=NOW + 1)) == NOW


def test_facts_rank_by_when_they_became_true_and_others_by_version() -> None:
    early, late = datetime(2025, 6, 1, tzinfo=UTC), datetime(2025, 6, 2, tzinfo=UTC)
    assert rank_of(version=2, valid_from=early) < rank_of(version=1, valid_from=late)
    assert rank_of(version=1, valid_from=late) < rank_of(version=2, valid_from=late)
    assert rank_of(version=7, valid_from=None) == 7
    assert rank_of(version=7, valid_from=datetime(1900, 1, 1, tzinfo=UTC)) == 7


@given(st.datetimes(timezones=st.just(UTC)))
def test_milliseconds_there_and_back(moment: datetime) -> None:
    assert from_millis(to_millis(moment)) == truncate_to_millis(moment)


def test_truncation_keeps_the_instant_and_turns_to_utc() -> None:
    shanghai = timezone(timedelta(hours=8))
    moment = truncate_to_millis(datetime(2025, 6, 12, 8, 0, 0, 123_999, tzinfo=shanghai))
    assert moment == datetime(2025, 6, 12, 0, 0, 0, 123_000, tzinfo=UTC)
    assert moment.utcoffset() == timedelta(0)
