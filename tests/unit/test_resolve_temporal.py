"""Intervals of a slot: the same whatever the order of arrival, in the pure function and through resolve."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memplane.domain.ids import EventId, MemoryId
from memplane.domain.memory import Kind, Status
from memplane.domain.resolve import InstructionOp, MemoryTime, Row, relink
from tests.support.resolve_store import ResolveStore, at, said

T0 = datetime(2026, 3, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return T0 + timedelta(days=number)


def row(name: str, text: str, *days: int) -> Row:
    times = tuple(MemoryTime(event_time=day(n), received_at=day(n), event_id=EventId(f"{name}{n}")) for n in days)
    return Row(memory_id=MemoryId(name), text=text, times=times)


def differs(newer: Row, older: Row) -> bool:
    return newer.text != older.text


def test_a_run_ends_where_the_next_begins() -> None:
    paris, rome = row("a", "Paris", 1), row("b", "Rome", 5)
    first, second = relink([rome, paris], conflict=differs)
    assert (first.row, first.ends, first.followed_by) == (1, day(5), 0)
    assert (second.row, second.ends, second.followed_by) == (0, None, None)


def test_a_value_that_comes_back_has_an_interval_of_its_own() -> None:
    intervals = relink([row("a", "Paris", 1), row("b", "Rome", 5), row("c", "Paris", 9)], conflict=differs)
    assert [(one.row, one.ends) for one in intervals] == [(0, day(5)), (1, day(9)), (2, None)]


def test_a_late_value_splits_a_row_that_was_confirmed_after_it() -> None:
    intervals = relink([row("a", "Paris", 1, 9), row("b", "Rome", 5)], conflict=differs)
    assert [(one.row, one.ends, one.split) for one in intervals] == [
        (0, day(5), False),
        (1, day(9), False),
        (0, None, True),
    ]


def test_no_rows_no_intervals() -> None:
    assert relink([], conflict=differs) == ()


SLOTS = {
    "residence en": ("The user lives in Paris", "The user moved to Rome", "The user lives in Oslo"),
    "residence zh": ("用户住在北京", "用户搬到了深圳", "用户住在杭州"),
    "attitude zh": ("用户喜欢香菜", "用户不喜欢香菜"),
    "attitude en": ("The user likes coriander", "The user doesn't like coriander"),
    "price": ("报价是10000元", "把报价调整为12000元", "报价改为9000元"),
    "state": ("The payment integration is blocked", "The payment integration has recovered"),
    "channel": ("以后都用邮件汇报", "最近用企业微信就行,邮件太慢了", "用户要用钉钉汇报"),
    "number": ("The user has two cats", "The user has three cats"),
}


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[tuple[str, int]], list[int]]:
    texts = SLOTS[draw(st.sampled_from(sorted(SLOTS)))]
    said_at = [(draw(st.sampled_from(texts)), index) for index in range(draw(st.integers(2, 6)))]
    return said_at, draw(st.permutations(range(len(said_at))))


def tell(history: list[tuple[str, int]], order: list[int]) -> ResolveStore:
    store = ResolveStore()
    for index in order:
        text, number = history[index]
        store.say(said(text), at(day(number)), now=day(100))
    return store


@settings(max_examples=300, deadline=None)
@given(histories())
def test_any_order_of_arrival_gives_the_same_state(drawn: tuple[list[tuple[str, int]], list[int]]) -> None:
    history, order = drawn
    in_order, shuffled = tell(history, list(range(len(history)))), tell(history, order)
    assert shuffled.intervals() == in_order.intervals()
    assert shuffled.active() == in_order.active() == [history[-1][0]]


@pytest.mark.parametrize("name", sorted(SLOTS))
def test_every_order_of_three_with_a_return(name: str) -> None:
    first, second = SLOTS[name][:2]
    history = [(first, 0), (second, 1), (first, 2)]
    states = {frozenset(tell(history, list(order)).intervals()) for order in itertools.permutations(range(3))}
    assert states == {
        frozenset(
            {
                (first, day(0), day(1), Status.SUPERSEDED),
                (second, day(1), day(2), Status.SUPERSEDED),
                (first, day(2), None, Status.ACTIVE),
            }
        )
    }


@settings(max_examples=60, deadline=None)
@given(histories())
def test_intervals_neither_overlap_nor_leave_gaps(drawn: tuple[list[tuple[str, int]], list[int]]) -> None:
    history, order = drawn
    spans = sorted((begins, ends) for _, begins, ends, _ in tell(history, order).intervals())
    assert spans[0][0] == day(0)
    assert [ends for _, ends in spans[:-1]] == [begins for begins, _ in spans[1:]]
    assert spans[-1][1] is None


@settings(max_examples=60, deadline=None)
@given(histories())
def test_superseded_rows_name_what_took_their_place(drawn: tuple[list[tuple[str, int]], list[int]]) -> None:
    store = tell(*drawn)
    for memory in store.memories.values():
        if memory.status is Status.SUPERSEDED:
            assert memory.superseded_by is not None
            assert store.memories[memory.superseded_by].valid_from == memory.valid_to


@settings(max_examples=60, deadline=None)
@given(histories())
def test_a_replay_changes_nothing(drawn: tuple[list[tuple[str, int]], list[int]]) -> None:
    history, order = drawn
    store = tell(history, order)
    before = store.intervals()
    text, number = history[-1]
    instructions = store.say(said(text), at(day(number), "again"), now=day(100))
    assert [one.op for one in instructions] == [InstructionOp.TOUCH]
    assert store.intervals() == before


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(4)))
def test_versions_of_a_fact_do_not_depend_on_order(order: list[int]) -> None:
    values = [45, 60, 60, 30]
    store = ResolveStore()
    for index in order:
        statement = said(
            f"账期{values[index]}天", kind=Kind.FACT, fact_key="customer/A/payment_term_days", fact_value=values[index]
        )
        store.say(statement, at(day(index)), now=day(100))
    (fact,) = store.memories.values()
    assert (fact.fact_value, fact.valid_from) == (30, day(3))


def test_the_newer_of_one_moment_is_by_receipt_then_by_event() -> None:
    early = MemoryTime(event_time=day(1), received_at=day(2), event_id=EventId("z"))
    later = MemoryTime(event_time=day(1), received_at=day(3), event_id=EventId("a"))
    last = MemoryTime(event_time=day(1), received_at=day(3), event_id=EventId("b"))
    assert early < later < last
