"""Resolve, rule by rule: the worked examples of the requirements, in both languages."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memplane.domain.ids import EventId
from memplane.domain.memory import Kind, Memory, Status
from memplane.domain.resolve import (
    InstructionOp,
    Neighbour,
    PairClass,
    Thresholds,
    UpdateInstruction,
    resolve,
)
from memplane.domain.statements import Statement
from tests.support.memory_samples import fresh_scope, make_memory
from tests.support.resolve_store import ResolveStore, at, said

T1 = datetime(2026, 3, 1, 9, tzinfo=UTC)
T2 = T1 + timedelta(days=3)
T3 = T1 + timedelta(days=6)
SCOPE = fresh_scope()


def stored(text: str, **changes: object) -> Memory:
    fields: dict[str, object] = {"kind": Kind.SEMANTIC, "event_time": T1, "valid_from": T1, "recorded_at": T1} | changes
    return make_memory(SCOPE, content=text, **fields)


def decide(
    new: str | Statement,
    *old: Memory | Neighbour,
    similarity: float | None = None,
    time: datetime = T2,
    **options: object,
) -> tuple[UpdateInstruction, ...]:
    statement = said(new) if isinstance(new, str) else new
    neighbours = [one if isinstance(one, Neighbour) else Neighbour(memory=one, similarity=similarity) for one in old]
    return resolve(
        statement, memory_time=at(time), neighbours=neighbours, thresholds=Thresholds(), now=T3, **options  # type: ignore[arg-type]
    )  # fmt: skip


def ops(instructions: tuple[UpdateInstruction, ...]) -> list[str]:
    return [one.op.value for one in instructions]


# -- touch (requirements 1.14 and 9.5) ---------------------------------------------------------------------------------

NEAR = [("用户偏好简洁回答", "用户喜欢简短的回复"), ("The user prefers short answers", "The user likes brief replies")]


@pytest.mark.parametrize(("old", "new"), NEAR)
def test_strictly_above_the_threshold_is_a_touch(old: str, new: str) -> None:
    memory = stored(old)
    (touch,) = decide(new, memory, similarity=0.9201)
    assert (touch.op, touch.target, touch.before, touch.after) == (InstructionOp.TOUCH, memory.memory_id, old, old)
    assert ops(decide(new, memory, similarity=0.9200)) == ["add"]


@pytest.mark.parametrize(("old", "new"), NEAR)
def test_another_kind_is_a_new_row(old: str, new: str) -> None:
    assert ops(decide(said(new, kind=Kind.EPISODIC), stored(old), similarity=0.95)) == ["add"]


@pytest.mark.parametrize(
    ("old", "new"), [("用户喜欢喝茶。", "用户喜欢喝茶"), ("The user likes tea", "the user likes  tea.")]
)
def test_the_same_normalised_text_is_a_touch_without_vectors(old: str, new: str) -> None:
    assert ops(decide(new, stored(old))) == ["touch"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("订单ORD-1已付款", "订单ORD-2已付款"),
        ("The user ran 2 marathons", "The user ran 5 marathons"),
        ("用户喜欢苹果", "用户喜欢橙子"),
        ("The user likes apples", "The user likes oranges"),
        ("Anna plays on Monday", "Bob plays on Monday"),
        ("客户A不接受电话沟通", "客户B不接受电话沟通"),
        ("Anna gave Bob a book", "Bob gave Anna a book"),
    ],
)
def test_no_similarity_makes_different_things_one(old: str, new: str) -> None:
    assert ops(decide(new, stored(old), similarity=0.999)) == ["add"]


# -- supersede (1.9, scenario 16) --------------------------------------------------------------------------------------

REPLACED = [
    ("The user lives in Paris", "The user moved to Rome"),
    ("用户住在巴黎", "用户搬到了罗马"),
    ("用户喜欢香菜", "用户不喜欢香菜"),
    ("The user likes coriander", "The user doesn't like coriander"),
    ("以后都用邮件汇报", "最近用企业微信就行,邮件太慢了"),
    ("Send reports by email from now on", "Slack is fine for reports lately, email is too slow"),
    ("能吃辣", "不吃辣"),
    ("报价是10000", "把报价调整为12000"),
    ("The quote is 10000", "The quote was changed to 12000"),
    ("支付接口联调阻塞", "支付接口联调已恢复正常"),
    ("用户要去成都", "算了不去了"),
    ("The user is going to Berlin", "never mind, cancel that"),
]


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_the_newer_takes_the_place_of_the_older(old: str, new: str) -> None:
    memory = stored(old)
    add, supersede = decide(new, memory)
    assert (add.op, add.status, add.after, add.valid_from, add.valid_to) == ("add", Status.ACTIVE, new, T2, None)
    assert (supersede.op, supersede.target, supersede.before) == ("supersede", memory.memory_id, old)
    assert (supersede.status, supersede.valid_to, supersede.superseded_by) == (Status.SUPERSEDED, T2, None)


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_a_late_older_statement_is_stored_superseded(old: str, new: str) -> None:
    memory = stored(new, event_time=T2, valid_from=T2)
    (add,) = decide(old, memory, time=T1)
    assert (add.op, add.status, add.reason) == ("add", Status.SUPERSEDED, "late")
    assert (add.valid_from, add.valid_to, add.superseded_by) == (T1, T2, memory.memory_id)


@pytest.mark.parametrize(
    ("first", "second"), [("The user lives in Paris", "The user moved to Rome"), ("用户喜欢香菜", "用户不喜欢香菜")]
)
def test_scenario_16_in_both_orders(first: str, second: str) -> None:
    for order in ((0, 1), (1, 0)):
        store = ResolveStore()
        for index in order:
            store.say(said((first, second)[index]), at((T1, T2)[index]), now=T3)
        assert store.active() == [second]
        assert (first, T1, T2, Status.SUPERSEDED) in store.intervals()


def test_a_slot_of_extraction_decides_where_words_do_not() -> None:
    old, new = (
        said("住民宿", slot="user/preference/lodging", value="民宿"),
        said("住酒店", slot="user/preference/lodging", value="酒店"),
    )
    neighbour = Neighbour(memory=stored(old.text), statement=old)
    assert ops(decide(new, neighbour)) == ["add", "supersede"]
    assert ops(decide(replace(new, text="也住酒店"), neighbour)) == ["add"]


def test_a_correction_names_itself() -> None:
    _, supersede = decide(said("更正:报价是12000", triggers=("correction",)), stored("报价是10000"))
    assert supersede.reason == "corrected"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("用户喜欢狗", "用户不喜欢猫"),
        ("The user likes dogs", "The user doesn't like cats"),
        ("用户喜欢电影", "用户不喜欢恐怖电影"),
        ("用户的妹妹喜欢香菜", "用户不喜欢香菜"),
        ("Anna's sister likes olives", "Anna doesn't like olives"),
        ("用户昨天没吃早饭", "用户今天吃了早饭"),
        ("The user lives in Italy", "The user lives in Rome"),
        ("用户住在北京", "用户住在海淀"),
    ],
)
def test_a_negation_or_another_word_alone_never_supersedes(old: str, new: str) -> None:
    assert "supersede" not in ops(decide(new, stored(old), similarity=0.97))


def test_an_elliptic_cancellation_of_two_plans_cancels_none() -> None:
    instructions = decide("算了不去了", stored("用户要去成都"), stored("用户要去北京"))
    assert ops(instructions) == ["add"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("用户下周要去成都", "用户取消了行程"), ("The user is going to Rome next week", "The user cancelled the trip")],
)
def test_a_cancelled_trip_is_found_by_its_slot(old: str, new: str) -> None:
    plan = said(
        old, kind=Kind.EPISODIC, slot="trip/x", value="x", polarity="positive", expires_at=T3 + timedelta(days=9)
    )
    memory = stored(old, kind=Kind.EPISODIC, expires_at=plan.expires_at)
    cancel = said(new, kind=Kind.EPISODIC, slot="trip/*", polarity="negative")
    assert ops(decide(cancel, Neighbour(memory=memory, statement=plan))) == ["add", "supersede"]


def test_what_holds_for_a_while_replaces_nothing() -> None:
    new = said("本周用电话汇报", expires_at=T3 + timedelta(days=2))
    assert ops(decide(new, stored("以后都用邮件汇报"))) == ["add"]


# -- merge (1.9) -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        ("喜欢安静", "安静但不要太贵", "喜欢安静,但不要太贵"),
        ("用户喜欢安静", "用户喜欢安静,但不要太贵", "用户喜欢安静,但不要太贵"),
        (
            "The user likes quiet places",
            "quiet places, but not too expensive",
            "The user likes quiet places, but not too expensive",
        ),
        ("The user lives in Paris", "The user lives in Paris with two cats", "The user lives in Paris with two cats"),
    ],
)
def test_compatible_statements_become_one(old: str, new: str, merged: str) -> None:
    memory = stored(old)
    (merge,) = decide(new, memory)
    assert (merge.op, merge.target, merge.before, merge.after) == (InstructionOp.MERGE, memory.memory_id, old, merged)


def test_a_merge_twice_is_a_fixed_point() -> None:
    store = ResolveStore(similarity=lambda _one, _other: 0.97)
    for hour in range(4):
        store.say(said("用户喜欢安静" if hour % 2 == 0 else "安静但不要太贵"), at(T1 + timedelta(hours=hour)))
    assert store.active() == ["用户喜欢安静,但不要太贵"]


# -- undecided (1.10) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "pair_class"),
    [
        ("不吃辣", "点了麻辣火锅", PairClass.UNKNOWN),
        ("The user doesn't eat spicy food", "The user ordered a spicy hotpot", PairClass.UNKNOWN),
        ("用户不吃辣", "用户最近总是点麻辣火锅,又点了麻辣火锅", PairClass.PREFERENCE_CHANGE),
        ("The user doesn't eat meat", "The user ate meat again", PairClass.PREFERENCE_CHANGE),
    ],
)
def test_the_older_of_an_undecided_pair_waits_for_review(old: str, new: str, pair_class: PairClass) -> None:
    memory = stored(old)
    add, review = decide(new, memory)
    assert (add.op, add.status, add.pair_class) == (InstructionOp.ADD, Status.ACTIVE, pair_class)
    assert (review.op, review.target, review.status) == (InstructionOp.REVIEW, memory.memory_id, Status.PENDING_REVIEW)
    assert review.pair_class is pair_class


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("用户不吃辣", "用户今天陪客户点了麻辣火锅"),
        ("The user doesn't eat spicy food", "The user ordered a spicy hotpot just this once"),
    ],
)
def test_an_exception_keeps_the_trait_and_is_episodic(old: str, new: str) -> None:
    store = ResolveStore()
    store.say(said(old), at(T1))
    add, review = store.say(said(new), at(T2))
    assert (add.kind, add.pair_class, review.status) == (Kind.EPISODIC, PairClass.EXCEPTION, None)
    assert store.active() == [old, new]


def test_one_event_that_says_both_is_an_extraction_error() -> None:
    event = (EventId("e1"),)
    _, review = decide(said("用户不喜欢香菜", source_event_ids=event), stored("用户喜欢香菜", source_event_ids=event))
    assert review.pair_class is PairClass.EXTRACTION_ERROR


def test_a_tenant_may_show_both() -> None:
    _, review = decide("点了麻辣火锅", stored("不吃辣"), show_both=True)
    assert (review.op, review.status) == (InstructionOp.REVIEW, None)


def test_a_happening_before_the_trait_contradicts_nothing() -> None:
    assert ops(decide("用户不吃辣", stored("用户点了麻辣火锅"))) == ["add"]


# -- behaviour correction (1.11) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("偏好商务酒店", "上次的酒店太商务了,这次换民宿", "民宿"),
        (
            "The user prefers business hotels",
            "the last hotel was too business-like, book a guesthouse this time",
            "guesthouse",
        ),
    ],
)
def test_turning_a_suggestion_down_revises_its_memory(old: str, new: str, wanted: str) -> None:
    memory, other = stored(old), stored("用户喜欢爬山")
    add, supersede = decide(new, memory, other, cited=[memory.memory_id])
    assert wanted in str(add.after)
    assert add.status is Status.ACTIVE
    assert (supersede.target, supersede.reason) == (memory.memory_id, "behaviour_correction")
    assert (supersede.status, supersede.valid_to) == (Status.SUPERSEDED, T2)


@pytest.mark.parametrize(
    ("old", "turn", "statement"),
    [
        ("用户偏好商务酒店", "上次的酒店太商务了,这次换民宿", "用户偏好民宿"),
        (
            "The user prefers business hotels",
            "The last hotel was too business-like, let's book a guesthouse this time",
            "The user decided to book a guesthouse this time",
        ),
    ],
)
def test_the_turn_shows_a_correction_that_its_statement_does_not(old: str, turn: str, statement: str) -> None:
    add, supersede = decide(statement, stored(old), turn=turn)
    assert (add.after, supersede.reason) == (statement, "behaviour_correction")


def test_a_memory_that_was_not_cited_is_not_revised() -> None:
    other = stored("用户喜欢爬山")
    assert ops(decide("上次的酒店太商务了,这次换民宿", stored("偏好商务酒店"), other, cited=[other.memory_id])) == [
        "add"
    ]


# -- facts (1.13) ------------------------------------------------------------------------------------------------------


def fact(value: object, text: str = "fact") -> Statement:
    return said(text, kind=Kind.FACT, fact_key="user/preference/spicy", fact_value=value)


def test_a_fact_overwrites_its_key_whatever_is_similar() -> None:
    memory = stored("能吃辣", kind=Kind.FACT, fact_key="user/preference/spicy", fact_value="能吃辣")
    (one,) = decide(fact("不吃辣"), memory)
    assert (one.op, one.before, one.after, one.decided_by) == (
        InstructionOp.OVERWRITE,
        "能吃辣",
        "不吃辣",
        "rule:fact_key",
    )
    assert one.holds(memory)
    assert not one.holds(replace(memory, fact_value="微辣"))
    assert not one.holds(None)


def test_a_late_fact_is_a_superseded_version() -> None:
    memory = stored("x", kind=Kind.FACT, fact_key="user/preference/spicy", fact_value="a", valid_from=T2)
    (one,) = decide(fact("b"), memory, time=T1)
    assert (one.op, one.status, one.valid_from, one.valid_to) == (InstructionOp.OVERWRITE, Status.SUPERSEDED, T1, T2)


@pytest.mark.parametrize(
    ("old", "new", "op"), [(1, 1, "touch"), (1, True, "overwrite"), (0, False, "overwrite"), ([1], [1], "touch")]
)
def test_facts_are_equal_as_json(old: object, new: object, op: str) -> None:
    memory = stored("x", kind=Kind.FACT, fact_key="user/preference/spicy", fact_value=old)
    assert ops(decide(fact(new), memory, time=T1)) == [op]


def test_a_new_key_is_a_new_fact() -> None:
    other = stored("x", kind=Kind.FACT, fact_key="user/preference/colour", fact_value="a")
    assert ops(decide(fact("b"), other)) == ["add"]


# -- time --------------------------------------------------------------------------------------------------------------


def test_what_has_expired_is_expired_and_contradicts_nothing() -> None:
    gone = stored("用户住在北京", expires_at=T2)
    add, expire = decide("用户住在上海", gone)
    assert (add.op, add.status) == (InstructionOp.ADD, Status.ACTIVE)
    assert (expire.op, expire.target, expire.status, expire.valid_to) == ("expire", gone.memory_id, Status.EXPIRED, T2)


def test_a_statement_that_is_over_is_stored_expired() -> None:
    (add,) = decide(said("用户周一去北京", expires_at=T1))
    assert (add.op, add.status) == (InstructionOp.ADD, Status.EXPIRED)


@pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.EXPIRED, Status.ARCHIVED])
def test_what_is_gone_is_neither_touched_nor_superseded(status: Status) -> None:
    assert ops(decide("用户喜欢香菜", stored("用户喜欢香菜", status=status), similarity=1.0)) == ["add"]


@pytest.mark.parametrize("kind", [Kind.FACT, Kind.CHUNK, Kind.SUMMARY])
def test_facts_documents_and_summaries_are_not_retired_by_statements(kind: Kind) -> None:
    assert ops(decide("用户住在上海", stored("用户住在北京", kind=kind))) == ["add"]


# -- whose words -------------------------------------------------------------------------------------------------------


def test_what_another_speaker_said_is_neither_touched_nor_superseded() -> None:
    memory = stored("I like jazz", speaker="anna")
    assert ops(decide("I like jazz", memory, speaker="anna")) == ["touch"]
    assert ops(decide("I don't like jazz", memory, speaker="anna")) == ["add", "supersede"]
    assert ops(decide("I like jazz", memory, speaker="bob", similarity=1.0)) == ["add"]
    assert ops(decide("I don't like jazz", memory, speaker="bob")) == ["add"]


@pytest.mark.parametrize(
    "text", ["用户住在上海吗?", "Does the user live in Rome?", "如果用户搬到上海,就换工作", "If the user moved to Rome"]
)
def test_questions_and_suppositions_claim_nothing(text: str) -> None:
    assert ops(decide(text, stored("用户住在北京"), stored("The user lives in Paris"))) == ["add"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我表哥38岁了", "我叔叔今年51岁"),
        ("我同事的老家在苏州", "我上司的老家在郑州"),
        ("新品发布会的时间是周三", "新品发布会的持续时间是两天"),
        ("Bob's friend lives in Oslo", "Bob's friend lives in Rome"),
        ("My friend is 30 years old", "My friend is 41 years old"),
    ],
)
def test_other_people_and_other_parts_are_other_slots(old: str, new: str) -> None:
    assert ops(decide(new, stored(old), similarity=0.97)) == ["add"]


def test_what_another_rule_ended_keeps_its_end() -> None:
    old = stored("用户喜欢香菜", status=Status.SUPERSEDED, valid_to=T2, status_reason="behaviour_correction")
    assert ops(decide("用户不喜欢香菜", old, time=T3)) == ["add"]
