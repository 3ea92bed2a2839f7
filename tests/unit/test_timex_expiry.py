"""Until when a statement holds, said on Wednesday 2025-06-18 at 10:30 in Shanghai or New York."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memplane.domain.timex import expiry_of

SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")


def _at(text: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


ZH = [
    ("周五去成都出差", "2025-06-21"),
    ("明天下午三点开会", "2025-06-20"),
    ("今天开会", "2025-06-19"),
    ("今晚12点截止", "2025-06-20"),
    ("下周三交报告", "2025-06-26"),
    ("6月20日到6月25日出差", "2025-06-26"),
    ("本周开发进度延迟了", "2025-06-23"),
    ("本周只吃素", "2025-06-23"),
    ("预计下周才能恢复", "2025-06-30"),
    ("本周联调阻塞,预计下周才能恢复", "2025-06-30"),
    ("这周末去爬山", "2025-06-23"),
    ("下个月结婚", "2025-08-01"),
    ("三天后到期", "2025-06-22"),
    ("月底前交", "2025-07-01"),
    ("周五之前要提交", "2025-06-21"),
]
EN = [
    ("He flies to Chengdu on Friday", "2025-06-21"),
    ("The meeting is tomorrow at 3pm", "2025-06-20"),
    ("The user is vegetarian this week only", "2025-06-23"),
    ("The report is due next Wednesday", "2025-06-26"),
    ("The release was delayed this week", "2025-06-23"),
    ("Away from June 20 to June 25", "2025-06-26"),
    ("They will be back next week", "2025-06-30"),
    ("hiking this weekend", "2025-06-23"),
    ("The wedding is next month", "2025-08-01"),
    ("It expires in 3 days", "2025-06-22"),
    ("Must be submitted by Friday", "2025-06-21"),
]
NEVER = [
    "用户偏好简洁回答",
    "昨天去了医院",
    "上周五去了成都",
    "周五去了成都",
    "今年三月入职了",
    "生日是7月3日",
    "以后都用邮件汇报",
    "从下周起改用飞书",
    "下周一开始改用飞书",
    "每周五开例会",
    "用户结算账号尾号为 8890",
    "The user prefers short answers",
    "He went to Chengdu on Friday",
    "She joined in March",
    "His birthday is July 3",
    "From next week on, report by mail",
    "Starting next Monday use chat",
    "They meet every Friday",
    "I lived there for three years",
    "The payment term is 45 days",
]


@pytest.mark.parametrize(("text", "end"), ZH)
def test_chinese_statement(text: str, end: str) -> None:
    assert expiry_of(text, _at("2025-06-18T10:30", SHANGHAI), SHANGHAI) == _at(end, SHANGHAI)


@pytest.mark.parametrize(("text", "end"), EN)
def test_english_statement(text: str, end: str) -> None:
    assert expiry_of(text, _at("2025-06-18T10:30", NEW_YORK), NEW_YORK) == _at(end, NEW_YORK)


@pytest.mark.parametrize("text", NEVER)
def test_statement_without_an_end(text: str) -> None:
    assert expiry_of(text, _at("2025-06-18T10:30", SHANGHAI), SHANGHAI) is None


@pytest.mark.parametrize(
    "text", ["近期打算换车", "最近用企业微信就行", "最近在学日语", "I have been busy recently", "Lately he runs a lot"]
)
def test_recently_is_thirty_days(text: str) -> None:
    said = _at("2025-06-18T10:30", SHANGHAI)
    assert expiry_of(text, said, SHANGHAI) == (said + timedelta(days=30)).astimezone(UTC)


def test_the_end_of_a_day_is_the_users() -> None:
    said = datetime(2025, 6, 18, 20, 0, tzinfo=UTC)  # Thursday already in Shanghai, still Wednesday in New York
    assert expiry_of("明天开会", said, SHANGHAI) == _at("2025-06-21", SHANGHAI)
    assert expiry_of("the meeting is tomorrow", said, NEW_YORK) == _at("2025-06-20", NEW_YORK)
