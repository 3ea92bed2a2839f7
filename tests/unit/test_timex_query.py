"""The time that a question asks about, asked on Wednesday 2025-06-18 at 10:30 in Shanghai."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memplane.domain.timex import TimeWindow, lean_of, query_window

ZONE = ZoneInfo("Asia/Shanghai")
ASKED = datetime(2025, 6, 18, 10, 30, tzinfo=ZONE)


def _at(text: str) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE) if text else None


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("我上周收藏的那家店叫什么", "2025-06-09", "2025-06-16"),
        ("昨天说的方案是什么", "2025-06-17", "2025-06-18"),
        ("我周五说了什么", "2025-06-13", "2025-06-14"),
        ("我周五要去哪里", "2025-06-20", "2025-06-21"),
        ("最近有什么进展", "2025-05-19", "2025-06-19"),
        ("3月份的报价是多少", "2025-03-01", "2025-04-01"),
        ("6月1日到6月5日发生了什么", "2025-06-01", "2025-06-06"),
        ("对比上周和上上周的风险", "2025-06-02", "2025-06-16"),
        ("今年以来的投诉", "2025-01-01", ""),
        ("5月之前的订单", "", "2025-05-01"),
        ("自6月10日以来的变化", "2025-06-10", ""),
        ("截至昨天有多少单", "", "2025-06-18"),
        ("明天的会几点", "2025-06-19", "2025-06-20"),
        ("What did I do last week?", "2025-06-09", "2025-06-16"),
        ("Where did I go on Friday?", "2025-06-13", "2025-06-14"),
        ("Where am I going to eat on Friday?", "2025-06-20", "2025-06-21"),
        ("What has changed since June 10?", "2025-06-10", ""),
        ("orders before May", "", "2025-05-01"),
        ("What happened between June 1 and June 5?", "2025-06-01", "2025-06-06"),
        ("What did Ann say in March?", "2025-03-01", "2025-04-01"),
        ("Which books did I read two weeks ago", "2025-06-02", "2025-06-09"),
        ("anything new recently?", "2025-05-19", "2025-06-19"),
        ("What was the plan in 2022?", "2022-01-01", "2023-01-01"),
    ],
)
def test_window(query: str, start: str, end: str) -> None:
    assert query_window(query, ASKED, ZONE) == TimeWindow(from_time=_at(start), to_time=_at(end))


@pytest.mark.parametrize(
    "query",
    [
        "我喜欢吃什么",
        "订单ORD-20250611-003的状态",
        "版本 2.0 改了什么",
        "三点半的那个会",
        "谁的生日是3月3日",
        "What do I like to eat?",
        "validator raised exception at line 42",
        "Who has 2025 users?",
        "the call at 9:30",
        "When is Ann's birthday, July 3?",
        "",
    ],
)
def test_no_window(query: str) -> None:
    assert query_window(query, ASKED, ZONE) is None


@pytest.mark.parametrize(
    ("text", "lean"),
    [
        ("周五去了成都", "past"),
        ("我周五要去成都", "future"),
        ("打算周五去成都", "future"),
        ("周五", "nearest"),
        ("I went there on Friday", "past"),
        ("I will go there on Friday", "future"),
        ("How about Wednesday at 4?", "future"),
        ("Friday", "nearest"),
    ],
)
def test_lean(text: str, lean: str) -> None:
    assert lean_of(text) == lean
