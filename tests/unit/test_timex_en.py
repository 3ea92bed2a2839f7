"""English time expressions, said on Wednesday 2025-06-18 at 10:30 in New York."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memplane.domain.timex import Prefer, find_times

ZONE = ZoneInfo("America/New_York")
SAID = datetime(2025, 6, 18, 10, 30, tzinfo=ZONE)

# text | expression | from | to (local; a bare day ends with itself) | prefer
TABLE = """
I saw her yesterday | yesterday | 2025-06-17 |
Today is fine | Today | 2025-06-18 |
see you tomorrow | tomorrow | 2025-06-19 |
the day before yesterday | the day before yesterday | 2025-06-16 |
the day after tomorrow | the day after tomorrow | 2025-06-20 |
this morning I ran | this morning | 2025-06-18 05:00 | 2025-06-18 12:00
tonight works | tonight | 2025-06-18 18:00 | 2025-06-19 00:00
we met last night | last night | 2025-06-17 18:00 | 2025-06-18 00:00
earlier today | earlier today | 2025-06-18 00:00 | 2025-06-18 10:30
later today | later today | 2025-06-18 10:30 | 2025-06-19 00:00
tomorrow morning | tomorrow morning | 2025-06-19 05:00 | 2025-06-19 12:00
last week I flew | Last week | 2025-06-09 | 2025-06-16
this week only | this week | 2025-06-16 | 2025-06-23
next week | next week | 2025-06-23 | 2025-06-30
the week before last | the week before last | 2025-06-02 | 2025-06-09
the week after next | the week after next | 2025-06-30 | 2025-07-07
last weekend | last weekend | 2025-06-14 | 2025-06-16
this past weekend | this past weekend | 2025-06-14 | 2025-06-16
this weekend | this weekend | 2025-06-21 | 2025-06-23
next weekend | next weekend | 2025-06-28 | 2025-06-30
over the weekend | the weekend | 2025-06-21 | 2025-06-23 | future
over the weekend | the weekend | 2025-06-14 | 2025-06-16 | past
two weekends ago | two weekends ago | 2025-06-07 | 2025-06-09
next Friday | next Friday | 2025-06-27 |
this Friday | this Friday | 2025-06-20 |
last Tuesday | last Tuesday | 2025-06-17 |
last Friday | last Friday | 2025-06-13 |
last Fri | last Fri | 2025-06-13 |
last Wednesday | last Wednesday | 2025-06-11 |
this coming Monday | this coming Monday | 2025-06-23 |
Friday next week | Friday next week | 2025-06-27 |
next week on Friday | next week on Friday | 2025-06-27 |
the Friday after next | the Friday after next | 2025-07-04 |
on Monday | Monday | 2025-06-16 | | past
on Monday | Monday | 2025-06-23 | | future
on Wednesday | Wednesday | 2025-06-11 | | past
on Wednesday | Wednesday | 2025-06-25 | | future
on Sat | Sat | 2025-06-21 | | future
Friday's report | Friday | 2025-06-20 | | future
last month | last month | 2025-05-01 | 2025-06-01
this month | this month | 2025-06-01 | 2025-07-01
next month | next month | 2025-07-01 | 2025-08-01
early next month | early next month | 2025-07-01 | 2025-07-11
the end of the month | the end of the month | 2025-06-21 | 2025-07-01
last quarter | last quarter | 2025-01-01 | 2025-04-01
last year | last year | 2024-01-01 | 2025-01-01
next year | next year | 2026-01-01 | 2027-01-01
last summer | last summer | 2024-06-01 | 2024-09-01
this winter | this winter | 2025-12-01 | 2026-03-01
last winter | last winter | 2024-12-01 | 2025-03-01
in the fall | the fall | 2025-09-01 | 2025-12-01 | future
summer 2022 | summer 2022 | 2022-06-01 | 2022-09-01
3 days ago | 3 days ago | 2025-06-15 |
a week ago | a week ago | 2025-06-09 | 2025-06-16
two weeks ago | two weeks ago | 2025-06-02 | 2025-06-09
a couple of days ago | a couple of days ago | 2025-06-16 |
a few days ago | a few days ago | 2025-06-13 | 2025-06-17
six months ago | six months ago | 2024-12-01 | 2025-01-01
half a year ago | half a year ago | 2024-12-01 | 2025-01-01
ten years ago | ten years ago | 2015-01-01 | 2016-01-01
2 hours ago | 2 hours ago | 2025-06-18 08:00 | 2025-06-18 09:00
in two weeks | in two weeks | 2025-06-30 | 2025-07-07
in 3 days | in 3 days | 2025-06-21 |
in half an hour | in half an hour | 2025-06-18 11:00 | 2025-06-18 11:01
in a few weeks | in a few weeks | 2025-06-30 | 2025-07-28
five days from now | five days from now | 2025-06-23 |
within ten days | within ten days | 2025-06-18 | 2025-06-29 | future
the past three days | the past three days | 2025-06-15 | 2025-06-19
over the past month | the past month | 2025-05-18 | 2025-06-19
the last two weeks | the last two weeks | 2025-06-04 | 2025-06-19
the next 3 days | the next 3 days | 2025-06-18 | 2025-06-22
recently I took up chess | recently | 2025-05-19 | 2025-06-19
the other day | the other day | 2025-06-11 | 2025-06-19
on 2025-06-16 | 2025-06-16 | 2025-06-16 |
06/16/2025 | 06/16/2025 | 2025-06-16 |
16/06/2025 | 16/06/2025 | 2025-06-16 |
on 6/16 | 6/16 | 2025-06-16 |
June 16 2025 | June 16 2025 | 2025-06-16 |
June 16th, 2025 | June 16th, 2025 | 2025-06-16 |
16 June | 16 June | 2025-06-16 |
the 16th of June | the 16th of June | 2025-06-16 |
Dec 31 | Dec 31 | 2024-12-31 | | past
Dec 31 | Dec 31 | 2025-12-31 | | future
on the 11th | the 11th | 2025-06-11 | | past
by the 5th. | the 5th | 2025-07-05 | | future
Monday, June 16, 2025 | Monday, June 16, 2025 | 2025-06-16 |
in March | March | 2025-03-01 | 2025-04-01 | past
in March | March | 2026-03-01 | 2026-04-01 | future
in may | may | 2025-05-01 | 2025-06-01 | past
March 2024 | March 2024 | 2024-03-01 | 2024-04-01
mid-March | mid-March | 2025-03-11 | 2025-03-21 | past
last May | last May | 2025-05-01 | 2025-06-01
last June | last June | 2024-06-01 | 2024-07-01
next March | next March | 2026-03-01 | 2026-04-01
March last year | March last year | 2024-03-01 | 2024-04-01
September was cold | September | 2024-09-01 | 2024-10-01 | past
back in 2016 | 2016 | 2016-01-01 | 2017-01-01
since 2019 | 2019 | 2019-01-01 | 2020-01-01
from 2019 to 2021 | from 2019 to 2021 | 2019-01-01 | 2022-01-01
the 1990s | the 1990s | 1990-01-01 | 2000-01-01
Q3 2025 | Q3 2025 | 2025-07-01 | 2025-10-01
at 9:30 | 9:30 | 2025-06-18 09:30 | 2025-06-18 09:31
at 9:30 | 9:30 | 2025-06-19 09:30 | 2025-06-19 09:31 | future
at 3pm | 3pm | 2025-06-18 15:00 | 2025-06-18 16:00
at 3:15 p.m. today | 3:15 p.m. today | 2025-06-18 15:15 | 2025-06-18 15:16
tomorrow at 9:30 | tomorrow at 9:30 | 2025-06-19 09:30 | 2025-06-19 09:31
tonight at 8 | tonight at 8 | 2025-06-18 20:00 | 2025-06-18 21:00
Friday afternoon at 3 | Friday afternoon at 3 | 2025-06-20 15:00 | 2025-06-20 16:00 | future
3 pm on Friday | 3 pm on Friday | 2025-06-20 15:00 | 2025-06-20 16:00 | future
at 4 on Friday | 4 on Friday | 2025-06-20 16:00 | 2025-06-20 17:00 | future
6 o'clock in the morning | 6 o'clock in the morning | 2025-06-18 06:00 | 2025-06-18 07:00
noon tomorrow | noon tomorrow | 2025-06-19 12:00 | 2025-06-19 13:00
June 16th at 3pm | June 16th at 3pm | 2025-06-16 15:00 | 2025-06-16 16:00
from 3 to 5 pm on June 20 | 3 to 5 pm on June 20 | 2025-06-20 15:00 | 2025-06-20 17:00
from June 1 to June 5 | June 1 to June 5 | 2025-06-01 | 2025-06-06
between June 1 and June 5 | June 1 and June 5 | 2025-06-01 | 2025-06-06
June 1-5 | June 1-5 | 2025-06-01 | 2025-06-06
Dec 30 to Jan 2 | Dec 30 to Jan 2 | 2025-12-30 | 2026-01-03 | future
from Monday to Friday | Monday to Friday | 2025-06-23 | 2025-06-28 | future
March to May 2024 | March to May 2024 | 2024-03-01 | 2024-06-01
"""

NO_TIMES = """
for 3 years
I lived there for two weeks
2025 users signed up
in 2025 users we trust
12 items and 3 boxes
version 2.0 and order 20250611
order ORD-20250611-003 is paid
every Friday
on Mondays
most weekends
I may go and march on
the first time in 3 years
I learned it in two weeks
the ratio is 3:2
12/03/2025
1/2 of it
24/7 support
June said hello
Sun is shining
a second opinion
in the morning I drink coffee
call 212-555-0123
192.168.1.1
validator raised exception at line 42
room 2025
he is 45 years old
February 30 2025
the price is 2019
"""


def _local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def _cases() -> list[tuple[str, str, str, str, Prefer]]:
    cases: list[tuple[str, str, str, str, Prefer]] = []
    for line in TABLE.strip().splitlines():
        text, said, start, end, prefer = ([part.strip() for part in line.split("|")] + [""])[:5]
        cases.append((text, said, start, end, prefer or "nearest"))  # type: ignore[arg-type]
    return cases


@pytest.mark.parametrize(("text", "said", "start", "end", "prefer"), _cases())
def test_expression(text: str, said: str, start: str, end: str, prefer: Prefer) -> None:
    mentions = find_times(text, reference=SAID, zone=ZONE, prefer=prefer)
    assert [mention.text.lower() for mention in mentions] == [said.lower()]
    until = _local(end) if end else _local(start).replace(hour=0) + (_local("2025-01-02") - _local("2025-01-01"))
    assert (mentions[0].from_time, mentions[0].to_time) == (_local(start), until)


@pytest.mark.parametrize("text", NO_TIMES.strip().splitlines())
def test_no_time(text: str) -> None:
    assert find_times(text, reference=SAID, zone=ZONE) == ()


def test_several_expressions_stay_apart() -> None:
    text = "I booked it yesterday, fly next Wednesday and return on Friday"
    mentions = find_times(text, reference=SAID, zone=ZONE, prefer="future")
    assert [mention.text for mention in mentions] == ["yesterday", "next Wednesday", "Friday"]


def test_a_move_names_two_days() -> None:
    mentions = find_times("move it from Monday to Friday", reference=SAID, zone=ZONE, prefer="future")
    assert [mention.text for mention in mentions] == ["Monday", "Friday"]


@pytest.mark.parametrize(
    ("said", "expected"), [("2025-06-20", "2025-06-13"), ("2025-06-21", "2025-06-20"), ("2025-06-16", "2025-06-13")]
)
def test_last_friday_is_the_most_recent_one(said: str, expected: str) -> None:
    mentions = find_times("last Friday", reference=_local(said).replace(hour=9), zone=ZONE)
    assert [mention.from_time for mention in mentions] == [_local(expected)]
