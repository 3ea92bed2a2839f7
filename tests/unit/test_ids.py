"""Ids: derivation, shape, shards, and the rules for those that callers choose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memplane.domain.errors import InvalidError
from memplane.domain.ids import (
    SHARD_COUNT,
    EventId,
    TenantId,
    UserId,
    check_tenant_id,
    derive_event_id,
    derive_fact_memory_id,
    derive_memory_id,
    derive_operation_id,
    draw_event_id,
    draw_operation_id,
    hash_parts,
    id_problem,
    scope_of,
    shard_of,
    tag_of,
)

SECRET = b"s" * 32
SCOPE = scope_of(tenant_id=TenantId("t1"), user_id=UserId("张三"), tenant_secret=SECRET)


def test_a_scope_tag_is_48_bits_of_an_hmac_and_differs_by_secret_and_user() -> None:
    assert len(SCOPE.tag) == 10
    other_secret = scope_of(tenant_id=TenantId("t1"), user_id=UserId("张三"), tenant_secret=b"x" * 32)
    other_user = scope_of(tenant_id=TenantId("t1"), user_id=UserId("李四"), tenant_secret=SECRET)
    assert len({SCOPE.tag, other_secret.tag, other_user.tag}) == 3


def test_scopes_spread_over_all_shards() -> None:
    shards = {
        scope_of(tenant_id=TenantId("t"), user_id=UserId(f"u{n}"), tenant_secret=SECRET).shard for n in range(2_000)
    }
    assert shards == set(range(SHARD_COUNT))


def test_own_ids_lead_with_the_tag_and_are_stable() -> None:
    memory_id = derive_memory_id(SCOPE, event_id=EventId("D1:3"), index=0)
    assert memory_id == derive_memory_id(SCOPE, event_id=EventId("D1:3"), index=0)
    assert memory_id != derive_memory_id(SCOPE, event_id=EventId("D1:3"), index=1)
    for own in (
        memory_id,
        derive_fact_memory_id(SCOPE, fact_key="order/ORD-1/status"),
        derive_event_id(SCOPE, idempotency_key="k", index=0),
        derive_operation_id(SCOPE, route="events", idempotency_key="k"),
        draw_event_id(SCOPE),
        draw_operation_id(SCOPE),
    ):
        assert tag_of(own) == SCOPE.tag
    assert shard_of(SCOPE.tag) == SCOPE.shard


@pytest.mark.parametrize(
    "foreign", ["", "mem_x_y", "mem_ABCDEFGHIJ_" + "a" * 24, "D1:3", "mem_" + "a" * 10 + "_" + "1" * 24]
)
def test_what_is_not_of_our_making_has_no_tag(foreign: str) -> None:
    assert tag_of(foreign) is None


def test_the_same_words_cut_differently_never_meet() -> None:
    assert hash_parts("ab", "c") != hash_parts("a", "bc")


@pytest.mark.parametrize("good", ["u", "a@b.c", "用户 1", "x" * 128, "a:b|c", 'x" or user_id != "', "  "])
def test_opaque_ids_are_taken_as_they_are(good: str) -> None:
    assert id_problem(good) is None


@pytest.mark.parametrize("bad", ["", "x" * 129, "a/b", ".", "..", "_system", "a\x00b", "a\nb", "\ud800", "\x7f"])
def test_ids_that_could_harm_are_refused(bad: str) -> None:
    assert id_problem(bad)


@given(st.text(max_size=140))
def test_any_text_gets_a_verdict(text: str) -> None:
    assert id_problem(text) is None or isinstance(id_problem(text), str)


@pytest.mark.parametrize("bad", ["", "-a", "A", "a_b", "a" * 64, "a/b", "a b"])
def test_bad_tenant_ids_are_named(bad: str) -> None:
    with pytest.raises(InvalidError) as caught:
        check_tenant_id(bad)
    assert caught.value.issues[0].path == "tenant_id"
