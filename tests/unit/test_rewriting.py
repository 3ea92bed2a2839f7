"""Rewriting: what a query that points gets, and which queries are left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memplane.domain.mentions import EntityKind, entities_of, kind_of
from memplane.domain.rewriting import MAX_ADDED_CHARACTERS, SessionContext, rewrite

ZH = SessionContext(
    topic="成都出差的安排",
    entities=("张总", "《三体》", "ORD-20250611-003", "陈麻婆豆腐店", "小米手环9"),
    last_turns=(
        "张总推荐了《三体》，订单ORD-20250611-003也发货了",
        "成都有家陈麻婆豆腐店，火锅店里数它最近",
        "跑报表的时候遇到一个报错，validator第42行",
        "小米手环9正在打折",
    ),
    last_action="预订了靠窗座位",
    intent="订餐厅",
)
EN = SessionContext(
    topic="a business trip to Chengdu",
    entities=("Mr. Chen", "《Dune》", "ORD-20250611-003", "Blue Lotus Restaurant", "Xiaomi Band 9"),
    last_turns=(
        "Mr. Chen suggested the novel 《Dune》, and order ORD-20250611-003 was shipped",
        "the nearest one is the Blue Lotus Restaurant",
        "my report job hit an error in the validator on line 42",
        "the Xiaomi Band 9 is on sale",
    ),
    last_action="booked a window seat",
    intent="book a restaurant",
)
SHOP, BOOK, ORDER, MAN, WATCH = "陈麻婆豆腐店", "《三体》", "ORD-20250611-003", "张总", "小米手环9"
ERROR = "跑报表的时候遇到一个报错，validator第42行"
TOPIC, ACTION = "成都出差的安排", "预订了靠窗座位"

CASES_ZH: list[tuple[str, str | None]] = [
    # The stock of phrases, as they stand in the requirements.
    ("那个呢", WATCH),
    ("上次说的", TOPIC),
    ("上次那个", TOPIC),
    ("那家", SHOP),
    ("它", WATCH),
    ("刚才的", TOPIC),
    ("还是老样子", ACTION),
    # Demonstratives with what they ask for.
    ("那家呢？", SHOP),
    ("那家几点关门", SHOP),
    ("那家店的电话是多少", SHOP),
    ("帮我订那家火锅店", SHOP),
    ("那家好吃吗", SHOP),
    ("那本写的是什么", BOOK),
    ("那本书叫什么", BOOK),
    ("那部怎么样", BOOK),
    ("那单到哪了", ORDER),
    ("那笔退了吗", ORDER),
    ("那位怎么说的", MAN),
    ("那款多少钱", WATCH),
    ("那个多少钱", WATCH),
    ("那个还有货吗", WATCH),
    ("那边天气怎么样", SHOP),
    ("那里怎么走", SHOP),
    ("这个呢", WATCH),
    ("这个多少钱", WATCH),
    ("这家怎么样", SHOP),
    ("那个报错解决了吗", ERROR),
    # Pronouns.
    ("它多少钱", WATCH),
    ("它防水吗", WATCH),
    ("它支持微信支付吗", WATCH),
    ("请问它有几种颜色", WATCH),
    ("他怎么说", MAN),
    ("他的电话是多少", MAN),
    ("她什么时候来", MAN),
    # What was said, the usual.
    ("上次说的是什么来着", TOPIC),
    ("上次说的那个", TOPIC),
    ("上回那个呢", TOPIC),
    ("刚才说的再说一遍", TOPIC),
    ("刚才那个多少钱", WATCH),
    ("之前推荐的那家", SHOP),
    ("上次那个报错", ERROR),
    ("老样子", ACTION),
    ("跟上次一样", ACTION),
    ("和以前一样就行", ACTION),
    ("照旧", ACTION),
    ("老规矩", ACTION),
    ("老地方见", TOPIC),
    # Questions that lean on the last one.
    ("多少钱", TOPIC),
    ("几点？", TOPIC),
    ("为什么", TOPIC),
    ("怎么走", TOPIC),
    ("地址呢", TOPIC),
    ("电话？", TOPIC),
    ("然后呢", TOPIC),
    ("还有呢？", TOPIC),
    ("那上海呢", TOPIC),
    ("周五呢？", TOPIC),
    ("继续", TOPIC),
    # Left alone.
    ("成都太古里有什么好逛的", None),
    ("我上周收藏的那家店叫什么", None),
    ("结合我之前说的预算,推荐一家川菜馆", None),
    ("订单ORD-20250611-003到哪了", None),
    ("那个ORD-88888的订单到哪了", None),
    ("《流浪地球》那本书怎么样", None),
    ("我的收货地址是哪里", None),
    ("退货政策是什么", None),
    ("小米手环它能防水吗", None),
    ("我买的手机它怎么充不了电", None),
    ("那个,我想问一下退货政策", None),
    ("那个当老师的今年多大年纪了", None),
    ("那时候我们在哪里", None),
    ("那么多菜怎么吃得完", None),
    ("他们公司的报销制度是什么", None),
    ("吉他怎么调音", None),
    ("其他城市的配送费是多少", None),
    ("上次说的预算上限一共是多少钱", None),
    ("上次的体检结果里哪些指标偏高", None),
    ("我和小李上次吃饭的那家店叫什么", None),
    ("你呢", None),
    ("您呢？", None),
    ("为什么数据库连接会超时", None),
    ("多少钱可以办企业版会员", None),
    ("我喜欢喝什么咖啡", None),
    ("川菜", None),
    ("发票抬头", None),
    ("项目延期的原因你还记得吗", None),
    ("好的", None),
    ("上司的名字叫什么呢？", None),
    ("那个我路过的景区怎么样", None),
    ("那个45岁的人叫什么名字", None),
    ("我那篇论文投的是哪个期刊", None),
    ("", None),
    ("？？", None),
]

SHOP_EN, BOOK_EN, MAN_EN, WATCH_EN = "Blue Lotus Restaurant", "《Dune》", "Mr. Chen", "Xiaomi Band 9"
ERROR_EN = "my report job hit an error in the validator on line 42"
TOPIC_EN, ACTION_EN = "a business trip to Chengdu", "booked a window seat"
CASES_EN: list[tuple[str, str | None]] = [
    ("that one", WATCH_EN),
    ("the usual", ACTION_EN),
    ("last time", TOPIC_EN),
    ("same as before", ACTION_EN),
    ("what about that one?", WATCH_EN),
    # Demonstratives with what they ask for.
    ("And that one?", WATCH_EN),
    ("How much is that one?", WATCH_EN),
    ("Is that one still available?", WATCH_EN),
    ("that place", SHOP_EN),
    ("When does that place close?", SHOP_EN),
    ("Book that restaurant", SHOP_EN),
    ("What's the phone number of that restaurant?", SHOP_EN),
    ("Where is that hotel?", SHOP_EN),
    ("Who wrote that book?", BOOK_EN),
    ("what's that book about", BOOK_EN),
    ("where is that order", ORDER),
    ("cancel that order", ORDER),
    ("what did that guy say", MAN_EN),
    ("that error again", ERROR_EN),
    ("Did that error get fixed?", ERROR_EN),
    ("this one?", WATCH_EN),
    ("How do I get there?", SHOP_EN),
    # Pronouns.
    ("it", WATCH_EN),
    ("How much is it?", WATCH_EN),
    ("how much does it cost", WATCH_EN),
    ("Is it waterproof?", WATCH_EN),
    ("Does it come in black?", WATCH_EN),
    ("Where did I buy it?", WATCH_EN),
    ("What color is it", WATCH_EN),
    ("Where can I get it?", WATCH_EN),
    ("Can you order it again?", WATCH_EN),
    ("When was it made?", WATCH_EN),
    ("what's its price?", WATCH_EN),
    ("What did he say?", MAN_EN),
    ("what's his number", MAN_EN),
    ("When is she coming?", MAN_EN),
    # What was said, the usual.
    ("What was it last time?", TOPIC_EN),
    ("the last one", TOPIC_EN),
    ("what we talked about", TOPIC_EN),
    ("What did you say just now?", TOPIC_EN),
    ("the one from before", TOPIC_EN),
    ("the error from earlier", ERROR_EN),
    ("The usual, please", ACTION_EN),
    ("same as last time", ACTION_EN),
    ("same as always", ACTION_EN),
    ("Same again", ACTION_EN),
    ("as usual", ACTION_EN),
    ("just like last time", ACTION_EN),
    ("my usual seat", ACTION_EN),
    # Questions that lean on the last one.
    ("how much?", TOPIC_EN),
    ("When?", TOPIC_EN),
    ("why", TOPIC_EN),
    ("And where?", TOPIC_EN),
    ("and then?", TOPIC_EN),
    ("what else?", TOPIC_EN),
    ("The price?", TOPIC_EN),
    ("what about the address?", TOPIC_EN),
    ("What about Shanghai?", TOPIC_EN),
    ("and on Friday?", TOPIC_EN),
    ("tell me more", TOPIC_EN),
    # Left alone.
    ("What is the return policy?", None),
    ("What's the name of the store I bookmarked last week?", None),
    ("Given the budget I mentioned earlier, recommend a Sichuan restaurant", None),
    ("What time is it?", None),
    ("Is it going to rain tomorrow?", None),
    ("Is it safe to travel to Peru?", None),
    ("How far is it from Paris to Lyon?", None),
    ("How long does it take to get a visa?", None),
    ("How much does it cost to change a flight?", None),
    ("Is it true that cats sleep all day?", None),
    ("It is raining in Paris, will my flight be late?", None),
    ("Tell me whether the phone has a charger in it", None),
    ("When I bought my phone, did it come with a charger?", None),
    ("If the order is late, can I cancel it?", None),
    ("Does my dentist have parking near it?", None),
    ("Where did Tom park his car?", None),
    ("What did Caroline say about her trip?", None),
    ("I think that prices will rise", None),
    ("that restaurant I went to in May", None),
    ("What's that place from the film with the dog?", None),
    ("What is the usual dosage of ibuprofen for adults?", None),
    ("When was the last time I changed the oil?", None),
    ("What did I order last time at Tesco?", None),
    ("Is there a dark mode?", None),
    ("where is order ORD-20250611-003", None),
    ("status of that order #88213", None),
    ("How about you?", None),
    ("What about me?", None),
    ("Why does the database connection time out?", None),
    ("How much is the enterprise edition?", None),
    ("when is my flight", None),
    ("Sichuan food", None),
    ("IT department budget for next year", None),
    ("Do you remember my daughter's birthday?", None),
    ("What coffee do I like?", None),
    ("ok", None),
    ("Is it likely that Nate has friends?", None),
]


def _check(query: str, expected: str | None, context: SessionContext) -> None:
    rewritten = rewrite(query, context=context)
    assert rewritten.text.startswith(query)
    if expected is None:
        assert (rewritten.text, rewritten.changed) == (query, False), rewritten
        return
    assert rewritten.changed, rewritten
    assert rewritten.reason
    assert expected in rewritten.text[len(query) :], rewritten


@pytest.mark.parametrize(("query", "expected"), CASES_ZH)
def test_chinese(query: str, expected: str | None) -> None:
    _check(query, expected, ZH)


@pytest.mark.parametrize(("query", "expected"), CASES_EN)
def test_english(query: str, expected: str | None) -> None:
    _check(query, expected, EN)


def test_the_tables_are_large_and_even() -> None:
    for cases in (CASES_ZH, CASES_EN):
        assert len(cases) >= 60
        assert sum(expected is None for _, expected in cases) >= 25
        assert len({query for query, _ in cases}) == len(cases)


@pytest.mark.parametrize(
    ("query", "context"),
    [
        ("帮我订那家火锅店", SessionContext(topic="周五去成都出差")),
        ("帮我订那家火锅店", SessionContext(last_turns=("周五去成都出差",))),
        ("Book that restaurant", SessionContext(topic="on Friday I travel to 成都")),
    ],
)
def test_a_place_that_nobody_named_gets_the_topic(query: str, context: SessionContext) -> None:
    assert "成都" in rewrite(query, context=context).text


def test_a_follow_up_with_a_name_of_its_own_gets_the_question_and_not_another_name() -> None:
    context = SessionContext(entities=("张总",), last_turns=("成都明天会下雨吗",))
    assert rewrite("那上海呢", context=context).text == "那上海呢（成都明天会下雨吗）"
    context = SessionContext(entities=("Tom",), last_turns=("Will it rain in Chengdu tomorrow?",))
    assert rewrite("what about Shanghai?", context=context).text == (
        "what about Shanghai? (Will it rain in Chengdu tomorrow?)"
    )


@pytest.mark.parametrize(
    ("query", "entities"),
    [("他怎么说", ("《三体》", "小米手环9")), ("What did he say?", ("Blue Lotus Restaurant", "ORD-2025-11"))],
)
def test_a_person_is_never_a_thing(query: str, entities: tuple[str, ...]) -> None:
    rewritten = rewrite(query, context=SessionContext(entities=entities))
    assert not rewritten.changed
    assert rewritten.reason
    assert "does not say what" in rewritten.reason


@pytest.mark.parametrize(("query", "person"), [("它多少钱", "张总"), ("How much is it?", "Mr. Chen")])
def test_it_is_never_a_person(query: str, person: str) -> None:
    assert not rewrite(query, context=SessionContext(entities=(person,))).changed


def test_entities_are_read_from_the_turns_when_none_are_given() -> None:
    turns = ("昨天去了陈麻婆豆腐店", "味道不错")
    assert rewrite("那家几点关门", context=SessionContext(last_turns=turns)).text == "那家几点关门（陈麻婆豆腐店）"
    turns = ("I had lunch at Blue Lotus Restaurant", "it was good")
    rewritten = rewrite("When does that place close?", context=SessionContext(last_turns=turns))
    assert rewritten.text == "When does that place close? (Blue Lotus Restaurant)"


@pytest.mark.parametrize("query", ["那个呢", "还是老样子", "it", "the usual", "how much?"])
def test_an_empty_session_changes_nothing(query: str) -> None:
    rewritten = rewrite(query, context=SessionContext())
    assert (rewritten.text, rewritten.changed) == (query, False)
    assert rewritten.reason


def test_the_present_query_among_the_last_turns_is_no_context() -> None:
    assert not rewrite("那个呢", context=SessionContext(last_turns=("那个呢",))).changed


@pytest.mark.parametrize(("query", "phrase"), [("一号位怎么样", "一号位"), ("is my go-to open?", "My Go-To")])
def test_a_tenant_adds_words_that_point(query: str, phrase: str) -> None:
    context = SessionContext(entities=("陈麻婆豆腐店",))
    assert not rewrite(query, context=context).changed
    rewritten = rewrite(query, context=context, pointing_words=(phrase,))
    assert rewritten.changed
    assert "陈麻婆豆腐店" in rewritten.text
    assert not rewrite("my go-tos are many", context=context, pointing_words=("my go-to",)).changed


def test_what_is_added_is_bounded_and_says_nothing_twice() -> None:
    context = SessionContext(
        topic="成都出差" * 50, entities=("成都出差" * 50, "那家"), last_action="x" * 500, intent="y " * 300
    )
    for query in ("那个呢", "还是老样子", "the usual"):
        rewritten = rewrite(query, context=context)
        assert rewritten.changed
        assert len(rewritten.text) <= len(query) + MAX_ADDED_CHARACTERS + 3
    once = rewrite("多少钱", context=SessionContext(topic="小米手环9", entities=("小米手环9",)))
    assert once.text == "多少钱（小米手环9）"


_TEXT = st.text(max_size=60) | st.sampled_from([query for query, _ in CASES_ZH + CASES_EN])


@settings(max_examples=200, deadline=None)
@given(query=_TEXT, topic=st.none() | _TEXT, entities=st.lists(_TEXT, max_size=4), turns=st.lists(_TEXT, max_size=4))
def test_the_typed_words_always_stay(query: str, topic: str | None, entities: list[str], turns: list[str]) -> None:
    context = SessionContext(topic=topic, entities=tuple(entities), last_turns=tuple(turns))
    rewritten = rewrite(query, context=context)
    assert rewritten.text.startswith(query)
    assert rewritten.changed == (rewritten.text != query)
    assert len(rewritten.text) <= len(query) + MAX_ADDED_CHARACTERS + 3
    assert rewritten == rewrite(query, context=context)


@pytest.mark.parametrize(
    ("turns", "entities"),
    [
        (("昨天去了陈麻婆豆腐店吃饭",), ("陈麻婆豆腐店",)),
        (("我在读《三体》",), ("《三体》",)),
        (("他说“太古里”不错",), ("太古里",)),
        (("订单ORD-20250611-003已付款",), ("ORD-20250611-003",)),
        (("张总和李姐都同意了",), ("张总", "李姐")),
        (("小李负责这个模块",), ("小李",)),
        (("帮我订附近的全季酒店",), ("全季酒店",)),
        (("这家餐厅不错",), ()),
        (("今天天气不错",), ()),
        (("I had lunch at Blue Lotus Restaurant",), ("Blue Lotus Restaurant",)),
        (("Mr. Chen called about ORD-20250611-003",), ("Mr. Chen", "ORD-20250611-003")),
        (("My friend Caroline moved to New York on Monday",), ("Caroline", "New York")),
        (('she wrote "Green Light" last week',), ("Green Light",)),
        (("We use ClickHouse and Milvus",), ("ClickHouse", "Milvus")),
        (("The weather is nice",), ()),
        (("Thanks, I will think about it",), ()),
        (("first 《三体》", "then 《流浪地球》", "again 《三体》"), ("《流浪地球》", "《三体》")),
        ((), ()),
    ],
)
def test_entities_of_turns(turns: tuple[str, ...], entities: tuple[str, ...]) -> None:
    assert entities_of(turns) == entities


@pytest.mark.parametrize(
    ("entity", "kind"),
    [
        ("《三体》", EntityKind.TITLE),
        ("ORD-20250611-003", EntityKind.RECORD),
        ("#88213", EntityKind.RECORD),
        ("全季酒店", EntityKind.PLACE),
        ("Blue Lotus Restaurant", EntityKind.PLACE),
        ("张总", EntityKind.PERSON),
        ("小李", EntityKind.PERSON),
        ("Mr. Chen", EntityKind.PERSON),
        ("太古里", None),
        ("Caroline", None),
        ("方案", None),
    ],
)
def test_kind_of_a_name(entity: str, kind: EntityKind | None) -> None:
    assert kind_of(entity) is kind


@settings(max_examples=100, deadline=None)
@given(turns=st.lists(st.text(max_size=200), max_size=5))
def test_entities_of_anything(turns: list[str]) -> None:
    entities = entities_of(turns)
    assert len(entities) <= 16
    assert all(entity.strip() for entity in entities)
