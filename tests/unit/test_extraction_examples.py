# ruff: noqa: E501 (tables of examples)
"""The worked examples of what is worth keeping, pinned; each in both languages where it is about talk."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from memplane.domain.extraction import extract, importance_of
from memplane.domain.gates import apply_gates
from memplane.domain.memory import Kind
from memplane.domain.statements import Statement
from tests.support.labelled_turns import SAID_AT, ZONE, event


def said(*turns: str, role: str = "user", metadata: Mapping[str, Any] | None = None) -> tuple[Statement, ...]:
    """What one batch of turns says."""
    events = [event(text, role=role, metadata=metadata, event_id=f"evt_{n}") for n, text in enumerate(turns)]
    return extract(events, zone=ZONE, language="zh")


def only(*turns: str, **kwargs: Any) -> Statement:
    """The one statement of a batch."""
    statements = said(*turns, **kwargs)
    assert len(statements) == 1, [statement.text for statement in statements]
    return statements[0]


def kept(text: str) -> bool:
    """Whether anything of a turn passes the gates, extraction and the threshold."""
    return apply_gates(text, "user").passed and any(importance_of(found).kept for found in said(text))


@pytest.mark.parametrize(
    ("turn", "slot"),
    [
        ("记住周报要抄送给王总", None),
        ("以后都用邮件汇报", "user/preference/report_channel"),
        ("From now on, report by email", "user/preference/report_channel"),
        ("Remember that the car is parked on level B2", None),
    ],
)
def test_explicit_instructions_reach_the_floor(turn: str, slot: str | None) -> None:
    statement = only(turn)
    assert "explicit" in statement.triggers
    assert importance_of(statement).value >= 0.8
    if slot:
        assert statement.slot == slot


@pytest.mark.parametrize(
    ("turns", "key", "value"),
    [
        (("云帆科技这个客户很重要", "这个客户的账期是45天"), "customer/云帆科技/payment_term_days", 45),
        (("Acme is our biggest customer", "The payment term for this customer is 45 days"), "customer/Acme/payment_term_days", 45),
        (("结算账号用尾号 8890",), "user/business/settlement_account_tail", "8890"),
        (("Use the settlement account ending in 8890",), "user/business/settlement_account_tail", "8890"),
        (("把报价调整为12000",), "user/business/quoted_price", "12000"),
        (("Change the quote to 12000",), "user/business/quoted_price", "12000"),
        (("发票抬头填错了,应该是上海云帆科技有限公司",), "user/business/invoice_title", "上海云帆科技有限公司"),
        (("The invoice title is wrong, it should be Northwind Trading Ltd",), "user/business/invoice_title", "Northwind Trading Ltd"),
    ],
)  # fmt: skip
def test_keyed_business_statements_become_facts_without_a_marker(
    turns: tuple[str, ...], key: str, value: object
) -> None:
    statement = only(*turns)
    assert (statement.kind, statement.fact_key, statement.fact_value) == (Kind.FACT, key, value)
    assert importance_of(statement).value == pytest.approx(0.8)


def test_a_named_customer_is_in_the_statement() -> None:
    assert only("云帆科技这个客户很重要", "这个客户的账期是45天").text == "客户云帆科技的账期是45天"


@pytest.mark.parametrize(
    ("content", "metadata", "facts"),
    [
        ("done", {"task_id": "T-1", "status": "succeeded"}, {"task/T-1/status": "succeeded"}),
        ("done", {"task_id": "T-1", "status": "failed", "error": "timeout"}, {"task/T-1/status": "failed", "task/T-1/error": "timeout"}),
        ("查询完成", {"order_id": "ORD-1", "status": "已付款", "amount": 12.5}, {"order/ORD-1/status": "已付款", "order/ORD-1/amount": 12.5}),
        ("step", {"task_id": "weekly", "step": 1, "result": 128000}, {"task/weekly/step_1_result": 128000}),
        ('{"order_id": "ORD-9", "result": {"status": "paid"}}', {}, {"order/ORD-9/status": "paid"}),
        ("订单ORD-1状态已变更为已付款", {}, {"order/ORD-1/status": "已付款"}),
        ("Order ORD-2 has been paid", {}, {"order/ORD-2/status": "paid"}),
    ],
)  # fmt: skip
def test_results_of_work_become_facts(content: str, metadata: Mapping[str, Any], facts: Mapping[str, object]) -> None:
    statements = said(content, role="tool", metadata=metadata)
    assert {statement.fact_key: statement.fact_value for statement in statements} == facts
    assert all(importance_of(statement).kept for statement in statements)


def test_the_steps_of_a_task_stay_apart() -> None:
    events = [
        event("ok", role="tool", metadata={"task_id": "weekly", "step": step, "result": result}, event_id=f"evt_{step}")
        for step, result in enumerate(("128000", "+4 %", "none"), start=1)
    ]
    found = extract(events, zone=ZONE, language="en")
    assert [statement.fact_key for statement in found] == [f"task/weekly/step_{step}_result" for step in (1, 2, 3)]


@pytest.mark.parametrize("turn", ["订单ORD-1已付款", "Order ORD-1 has been paid"])
def test_what_a_user_says_of_an_order_sets_no_status(turn: str) -> None:
    assert all(statement.fact_key is None for statement in said(turn))


@pytest.mark.parametrize(
    ("turns", "place"),
    [
        (("我要去成都", "算了不去了"), "成都"),
        (("周五去成都出差", "取消周五的行程"), "成都"),
        (("I'm going to Chengdu on Friday", "Never mind, I'm not going"), "Chengdu"),
    ],
)
def test_a_cancelled_trip_does_not_take_place_in_one_batch(turns: tuple[str, ...], place: str) -> None:
    statement = only(*turns)
    assert statement.slot == f"trip/{place.lower()}"
    assert statement.polarity == "negative"
    assert "取消" in statement.text or "cancelled" in statement.text
    assert statement.source_event_ids == ("evt_0", "evt_1")


def test_a_cancelled_trip_does_not_take_place_turn_by_turn() -> None:
    before = event("我要去成都", event_id="evt_0")
    alone = extract([event("算了不去了", event_id="evt_1")], zone=ZONE, language="zh")
    assert [statement.slot for statement in alone] == ["trip/*"]
    pointed = extract([event("算了不去了", event_id="evt_1")], zone=ZONE, language="zh", earlier=[before])
    assert [(statement.slot, statement.text) for statement in pointed] == [("trip/成都", "用户取消了去成都的行程")]


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        ("用户偏好简洁回答", True), ("The user prefers short answers", True), ("用户今天问了退货政策", False),
        ("The user asked about the return policy today", False), ("今天天气不错", False), ("嗯嗯好的", False), ("好的", False),
        ("谢谢", False), ("我再看看", False), ("帮我查下今天的天气", False), ("Check the weather today", False),
        ("我不喜欢辣的", True), ("就定这家吧", True), ("改成周一", True), ("帮我订那家火锅店", False),
    ],
)  # fmt: skip
def test_kept_and_not_kept(text: str, keeps: bool) -> None:
    assert kept(text) is keeps


@pytest.mark.parametrize(
    ("text", "value"),
    [("用户偏好简洁回答", 0.8), ("我不喜欢辣的", 0.8), ("用户决定采用方案B", 0.7), ("就定这家吧", 0.7)],
)
def test_importance(text: str, value: float) -> None:
    assert importance_of(only(text)).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ("以后都用邮件汇报", "最近用企业微信就行,邮件太慢了", "企业微信"),
        ("From now on report by email", "Slack is fine these days, email is too slow", "Slack"),
        ("偏好商务酒店", "上次的酒店太商务了,这次换民宿", "民宿"),
        (
            "I prefer business hotels",
            "The last hotel was too businesslike, let's do a guesthouse this time",
            "guesthouse",
        ),
        ("我能吃辣", "我不吃辣了", "不吃"),
        ("I live in Paris", "I moved to Rome", "Rome"),
        ("住在巴黎", "搬到罗马了", "罗马"),
    ],
)
def test_the_last_wording_of_a_slot_stays(first: str, second: str, value: str) -> None:
    statement = only(first, second)
    assert value in (statement.value or "")
    assert statement.slot == only(first).slot == only(second).slot


def test_a_new_channel_needs_no_word_of_change_and_does_not_run_out() -> None:
    statement = only("最近用企业微信就行,邮件太慢了")
    assert statement.change_words == ()
    assert statement.expires_at is None


def test_a_condition_joins_the_preference() -> None:
    statement = only("喜欢安静", "安静但不要太贵")
    assert (statement.slot, statement.polarity, statement.negated) == ("user/preference/安静", "positive", False)
    assert statement.conditions == ("但不要太贵",)
    assert statement.text == "用户喜欢安静但不要太贵"
    english = only("I like quiet hotels", "I like quiet hotels but not too expensive")
    assert (english.polarity, english.negated, english.conditions) == ("positive", False, ("but not too expensive",))


@pytest.mark.parametrize(
    ("turn", "slot"), [("我今天点了麻辣火锅", "user/diet/spicy"), ("I ordered spicy hotpot today", "user/diet/spicy")]
)
def test_behaviour_against_a_trait_is_told_but_weak(turn: str, slot: str) -> None:
    statement = only(turn)
    assert (statement.kind, statement.slot, statement.triggers) == (Kind.EPISODIC, slot, ("behaviour",))
    assert not importance_of(statement).kept


@pytest.mark.parametrize(
    ("turn", "expires"),
    [
        ("我近期在减肥", datetime(2025, 7, 16, 2, 0, tzinfo=UTC)),
        ("本周我只用微信联系", datetime(2025, 6, 22, 16, 0, tzinfo=UTC)),
        ("This week only, contact me by phone", datetime(2025, 6, 22, 16, 0, tzinfo=UTC)),
        ("周五去成都出差", datetime(2025, 6, 20, 16, 0, tzinfo=UTC)),
        ("I'm going to Chengdu on Friday", datetime(2025, 6, 20, 16, 0, tzinfo=UTC)),
    ],
)
def test_lifetimes(turn: str, expires: datetime) -> None:
    assert only(turn).expires_at == expires


@pytest.mark.parametrize(
    "turns",
    [
        ("周三下午三点和李总开会", "改成周四"),
        ("I have a meeting with Grace on Wednesday at 3 pm", "Change it to Thursday"),
    ],
)
def test_a_moved_meeting_keeps_its_hour(turns: tuple[str, ...]) -> None:
    statement = only(*turns)
    assert statement.event_time == datetime(2025, 6, 19, 7, 0, tzinfo=UTC)
    assert statement.expires_at == datetime(2025, 6, 19, 16, 0, tzinfo=UTC)
    assert "周三" not in statement.text
    assert "Wednesday" not in statement.text


def test_a_failure_is_kept_as_it_was_told() -> None:
    for role in ("tool", "user"):
        statement = only("validator raised exception at line 42", role=role)
        assert statement.text == "validator raised exception at line 42"
        assert importance_of(statement).kept


def test_chengdu_is_known_when_the_restaurant_is_booked() -> None:
    trip = only("周五去成都出差", "帮我订那家火锅店")
    assert (trip.slot, trip.value, trip.text) == ("trip/成都", "成都", "用户周五去成都出差")


def test_the_project_story() -> None:
    episode, status = said("本周开发进度延迟了,原因是第三方支付接口联调阻塞,预计下周才能恢复")
    assert episode.text == "2025-06-16 项目进度:支付联调阻塞导致延期,预计下周恢复"
    assert (episode.kind, episode.expires_at) == (Kind.EPISODIC, None)
    assert (status.fact_key, status.fact_value) == ("project/current/project_status", "延期")
    assert said("今天的风险项汇总发我看看") == ()
    wish = said("每日需要风险汇总日报,偏好条目式输出")
    assert "用户要求每日需要风险汇总日报" in [statement.text for statement in wish]
    recovered = said("项目已恢复正常状态,支付接口联调完成后未再出现阻塞")
    assert ("project/current/project_status", "恢复") in [(found.fact_key, found.fact_value) for found in recovered]


def test_the_project_story_in_english() -> None:
    episode, status = said(
        "Development is delayed this week because the payment integration is blocked, we expect to recover next week"
    )
    assert episode.text.startswith("2025-06-16 project progress: delayed, payment integration is blocked")
    assert (status.fact_key, status.fact_value) == ("project/current/project_status", "delayed")
    recovered = said("The project is back on track, the payment integration is done")
    assert ("project/current/project_status", "recovered") in [
        (found.fact_key, found.fact_value) for found in recovered
    ]


def test_a_named_project_has_its_own_status() -> None:
    assert "project/星云/project_status" in [found.fact_key for found in said("星云项目已经延期了")]


def test_times_are_told_in_the_users_zone() -> None:
    statement = only("明天下午三点和李总开会")
    assert statement.event_time == datetime(2025, 6, 17, 7, 0, tzinfo=UTC)
    assert SAID_AT.tzinfo is ZONE
