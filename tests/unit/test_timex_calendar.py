"""Edges of the calendar: years, leap days, clocks that change, users in other zones; and the laws that always hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.timex import Prefer, expiry_of, find_times, lean_of, query_window

UTC_ZONE = ZoneInfo("UTC")


def _window(text: str, said: str, zone: str = "UTC", prefer: Prefer = "nearest") -> tuple[str, str]:
    where = ZoneInfo(zone)
    (mention,) = find_times(
        text, reference=datetime.fromisoformat(said).replace(tzinfo=where), zone=where, prefer=prefer
    )
    return (
        mention.from_time.astimezone(where).strftime("%Y-%m-%d %H:%M"),
        mention.to_time.astimezone(where).strftime("%Y-%m-%d %H:%M"),
    )


@pytest.mark.parametrize(
    ("text", "said", "start", "end"),
    [
        ("昨天", "2025-01-01T09:00", "2024-12-31 00:00", "2025-01-01 00:00"),
        ("tomorrow", "2024-12-31T09:00", "2025-01-01 00:00", "2025-01-02 00:00"),
        ("上周", "2025-01-01T09:00", "2024-12-23 00:00", "2024-12-30 00:00"),
        ("this week", "2025-01-01T09:00", "2024-12-30 00:00", "2025-01-06 00:00"),
        ("上个月", "2025-01-31T09:00", "2024-12-01 00:00", "2025-01-01 00:00"),
        ("next month", "2024-12-31T09:00", "2025-01-01 00:00", "2025-02-01 00:00"),
        ("一个月前", "2025-03-31T09:00", "2025-02-01 00:00", "2025-03-01 00:00"),
        ("two months ago", "2025-01-15T09:00", "2024-11-01 00:00", "2024-12-01 00:00"),
        ("上个季度", "2025-02-01T09:00", "2024-10-01 00:00", "2025-01-01 00:00"),
        ("last quarter", "2025-02-01T09:00", "2024-10-01 00:00", "2025-01-01 00:00"),
        ("后天", "2024-02-28T09:00", "2024-03-01 00:00", "2024-03-02 00:00"),
        ("tomorrow", "2024-02-28T09:00", "2024-02-29 00:00", "2024-03-01 00:00"),
        ("明天", "2025-02-28T09:00", "2025-03-01 00:00", "2025-03-02 00:00"),
        ("2024年2月29日", "2025-06-18T09:00", "2024-02-29 00:00", "2024-03-01 00:00"),
        ("February 29", "2025-06-18T09:00", "2024-02-29 00:00", "2024-03-01 00:00"),
        ("二月", "2024-06-18T09:00", "2024-02-01 00:00", "2024-03-01 00:00"),
        ("last winter", "2025-01-15T09:00", "2023-12-01 00:00", "2024-03-01 00:00"),
        ("this winter", "2025-01-15T09:00", "2024-12-01 00:00", "2025-03-01 00:00"),
        ("周一", "2025-06-22T09:00", "2025-06-23 00:00", "2025-06-24 00:00"),
        ("下周日", "2025-06-22T09:00", "2025-06-29 00:00", "2025-06-30 00:00"),
        ("last weekend", "2025-06-22T09:00", "2025-06-14 00:00", "2025-06-16 00:00"),
        ("最近一个月", "2025-03-31T09:00", "2025-02-28 00:00", "2025-04-01 00:00"),
    ],
)
def test_edges_of_month_and_year(text: str, said: str, start: str, end: str) -> None:
    assert _window(text, said) == (start, end)


def test_a_leap_day_without_its_year_is_the_next_one_that_exists() -> None:
    assert _window("2月29日", "2025-06-18T09:00", prefer="future") == ("2028-02-29 00:00", "2028-03-01 00:00")


@pytest.mark.parametrize(
    "text", ["February 30", "2月30日", "2025年2月29日", "June 31, 2025", "2025-02-29", "25点", "13月1日"]
)
def test_dates_that_do_not_exist_are_none(text: str) -> None:
    assert find_times(text, reference=datetime(2025, 6, 18, tzinfo=UTC), zone=UTC) == ()


@pytest.mark.parametrize(
    ("text", "hours"), [("tomorrow", 23), ("明天", 23), ("this week", 24 * 7 - 1), ("March 2025", 24 * 31 - 1)]
)
def test_a_day_on_which_clocks_go_forward_is_shorter(text: str, hours: int) -> None:
    zone = ZoneInfo("America/New_York")
    (mention,) = find_times(text, reference=datetime(2025, 3, 8, 12, tzinfo=zone), zone=zone)
    assert mention.to_time - mention.from_time == timedelta(hours=hours)


def test_a_day_on_which_clocks_go_back_is_longer() -> None:
    zone = ZoneInfo("Europe/Berlin")
    (mention,) = find_times("tomorrow", reference=datetime(2025, 10, 25, 12, tzinfo=zone), zone=zone)
    assert mention.to_time - mention.from_time == timedelta(hours=25)


def test_an_hour_that_is_skipped_is_still_a_window() -> None:
    zone = ZoneInfo("America/New_York")
    (mention,) = find_times("2:00 am tomorrow", reference=datetime(2025, 3, 8, 12, tzinfo=zone), zone=zone)
    assert mention.from_time < mention.to_time
    (hour,) = find_times("2 am tomorrow", reference=datetime(2025, 3, 8, 12, tzinfo=zone), zone=zone)
    assert hour.from_time < hour.to_time


def test_today_is_the_users_today() -> None:
    said = datetime(2025, 6, 18, 20, 0, tzinfo=UTC)
    (shanghai,) = find_times("今天", reference=said, zone=ZoneInfo("Asia/Shanghai"))
    (new_york,) = find_times("today", reference=said, zone=ZoneInfo("America/New_York"))
    assert shanghai.from_time == datetime(2025, 6, 18, 16, tzinfo=UTC)
    assert new_york.from_time == datetime(2025, 6, 18, 4, tzinfo=UTC)


def test_a_timestamp_keeps_its_own_offset() -> None:
    (mention,) = find_times(
        "2025-06-16T09:30:00+02:00", reference=datetime(2025, 6, 18, tzinfo=UTC), zone=ZoneInfo("Asia/Shanghai")
    )
    assert mention.from_time == datetime(2025, 6, 16, 7, 30, tzinfo=UTC)


def test_a_reference_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        find_times("今天", reference=datetime(2025, 6, 18), zone=UTC)  # noqa: DTZ001


WORDS = """
昨天 今天 明天 下周 上周 周三 周末 三天 前 后 个月 年 月 日 号 点 半 到 至 最近 近期 去年 早上 晚上 6月 16日 2025年
从 之间 每 十 一 yesterday tomorrow next last Friday June 16 2025 in two weeks
ago at 9:30 3 pm from to between and the month May 29 Feb 2025-02-29
2025-06-16 T09:30:00Z 99 00 31 - / : . , 's every morning past few days Q3
1990s winter 12/25 on by end of ９ ： 9999年 1900 一百
"""
PIECES = st.sampled_from([*WORDS.split(), " ", "\n", "\ud800"])
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.lists(PIECES, max_size=12).map(" ".join) | st.text()
MOMENTS = st.datetimes(timezones=st.just(UTC)) | st.sampled_from(
    [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), datetime(2024, 2, 29, 12, tzinfo=UTC)]
)
ZONES = st.sampled_from(
    [
        UTC,
        *map(ZoneInfo, ("Asia/Shanghai", "America/New_York", "America/Sao_Paulo", "Pacific/Apia")),
        timezone(timedelta(hours=-12)),
    ]
)


@given(text=TEXTS, said=MOMENTS, zone=ZONES, prefer=st.sampled_from(["past", "future", "nearest"]))
def test_mentions_are_ordered_windows_inside_the_text(
    text: str, said: datetime, zone: ZoneInfo, prefer: Prefer
) -> None:
    position = 0
    for mention in find_times(text, reference=said, zone=zone, prefer=prefer):
        assert position <= mention.start < mention.end <= len(text)
        assert mention.text == text[mention.start : mention.end]
        assert mention.from_time < mention.to_time
        assert mention.from_time.tzinfo is UTC
        assert mention.to_time.tzinfo is UTC
        position = mention.end


@given(text=TEXTS, said=MOMENTS, zone=ZONES)
def test_expiry_lies_ahead(text: str, said: datetime, zone: ZoneInfo) -> None:
    end = expiry_of(text, said, zone)
    assert end is None or end > said


@given(text=TEXTS, said=MOMENTS, zone=ZONES)
def test_query_windows_are_windows(text: str, said: datetime, zone: ZoneInfo) -> None:
    window = query_window(text, said, zone)
    if window is not None and window.from_time is not None and window.to_time is not None:
        assert window.from_time < window.to_time
    assert lean_of(text) in {"past", "future", "nearest"}


@pytest.mark.parametrize(
    "piece", ["1", "三", "9:", "2025-", "in a ", "周", "from ", "每", "June ", "the past ", "a", "月底", "at 9 "]
)
def test_long_texts_are_answered(piece: str) -> None:
    text = piece * 8_000
    assert all(
        mention.end <= len(text) for mention in find_times(text, reference=datetime(2025, 6, 18, tzinfo=UTC), zone=UTC)
    )
