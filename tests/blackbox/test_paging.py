"""Listings in pages: every row once, newest first, each cursor for its own query."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http_api import Api, assert_problem, fresh
from tests.support.platform import Platform

ROWS = 23
TEXT = {"zh": "用户的第{n}次体检结果正常。", "en": "Check-up {n} of the user was fine."}


def pages(api: Api, **query: Any) -> list[list[dict[str, Any]]]:
    found, cursor = [], None
    while True:
        answer = api.listing(**query, **({"cursor": cursor} if cursor else {}))
        assert answer.status_code == 200, answer.text
        found.append(answer.json()["memories"])
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return found


@pytest.fixture(scope="module")
def user(platform: Platform) -> str:
    """Somebody with rows in both languages, some of them of the very same moment."""
    name = fresh()
    for language, text in TEXT.items():
        turns = [
            {"role": "user", "content": text.format(n=n), "at": f"2025-05-{1 + n // 3:02}T10:00:00Z"}
            for n in range(ROWS)
        ]
        kept = platform.agent.events(name, turns, session_id=language)
        assert kept.status_code == 200
    return name


@pytest.mark.parametrize("limit", [1, 7, 46, 200])
def test_pages_hold_every_row_once_newest_first(platform: Platform, user: str, limit: int) -> None:
    found = pages(platform.agent, user_id=user, limit=limit)
    assert [len(page) for page in found[:-1]] == [limit] * (len(found) - 1)
    assert 0 < len(found[-1]) <= limit
    rows = [row for page in found for row in page]
    assert sorted(row["content"] for row in rows) == sorted(
        text.format(n=n) for text in TEXT.values() for n in range(ROWS)
    )
    times = [row["event_time"] for row in rows]
    assert times == sorted(times, reverse=True)


def test_the_default_page_has_fifty(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    api.events(user, [TEXT["zh"].format(n=n) for n in range(51)])
    answer = api.listing(user_id=user).json()
    assert len(answer["memories"]) == 50
    assert answer["next_cursor"]


def test_a_page_does_not_move_when_rows_arrive_or_go(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    api.events(user, [{"role": "user", "content": TEXT["en"].format(n=n), "at": f"2025-05-{n + 1:02}T00:00:00Z"}
                      for n in range(10)])  # fmt: skip
    first = api.listing(user_id=user, limit=4).json()
    api.events(user, [{"role": "user", "content": TEXT["en"].format(n=99), "at": "2025-06-01T00:00:00Z"}])
    api.forget(first["memories"][3]["memory_id"])
    second = api.listing(user_id=user, limit=4, cursor=first["next_cursor"]).json()
    assert [row["content"] for row in second["memories"]] == [TEXT["en"].format(n=n) for n in (5, 4, 3, 2)]


def test_a_cursor_serves_only_the_query_that_made_it(platform: Platform, user: str) -> None:
    api, other = platform.agent, fresh()
    api.events(other, [TEXT["zh"].format(n=n) for n in range(5)])
    cursor = api.listing(user_id=user, limit=5).json()["next_cursor"]
    for query in (
        {"user_id": other},
        {"user_id": user, "kind": "semantic"},
        {"user_id": user, "status": "archived"},
        {"user_id": user, "from": "2025-01-01T00:00:00Z"},
        {"user_id": user, "agent_id": "a"},
    ):
        assert_problem(api.listing(**query, limit=5, cursor=cursor), 422, "bad_cursor")
    assert_problem(platform.new_tenant().listing(user_id=user, limit=5, cursor=cursor), 422, "bad_cursor")
    for broken in (cursor[:-1], cursor + "A", cursor.swapcase(), "A" * 40, "====", "5", "很", "x" * 5_000):
        assert_problem(api.listing(user_id=user, limit=5, cursor=broken), 422, "bad_cursor")
    assert api.listing(user_id=user, limit=9, cursor=cursor).status_code == 200


def test_filters_select(platform: Platform) -> None:
    api, user = platform.agent, fresh()
    api.remembered(user, "用户偏好靠窗座位。", kind="semantic", category="preference")
    api.remembered(user, "The user works as a nurse.", kind="semantic", category="attribute")
    api.remembered(user, "用户昨天搬了家。", kind="episodic", category="event")
    assert len(api.all_memories(user, kind="semantic")) == 2
    assert [row["category"] for row in api.all_memories(user, category="preference")] == ["preference"]
    assert len(api.all_memories(user, kind=["semantic", "episodic"])) == 3
    assert api.all_memories(user, kind="semantic", category="event") == []
    assert {row["kind"] for row in api.recalled(user, "用户 user", kinds=["episodic"])} == {"episodic"}
    assert {row["category"] for row in api.recalled(user, "用户 user", categories=["attribute"])} == {"attribute"}
