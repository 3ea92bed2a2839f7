"""What the Milvus adapter puts on the wire, and how it reads what comes back as an error."""

from __future__ import annotations

import re
from collections.abc import Callable

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymilvus.exceptions import DataNotMatchException, MilvusException, ParamError

from memplane.adapters.milvus.errors import translate
from memplane.adapters.milvus.expressions import literal, of_ids, with_vector
from memplane.adapters.milvus.fields import MAX_TERMS_BYTES
from memplane.adapters.milvus.terms import encode_term, encode_terms
from memplane.domain.errors import DeadlineExceededError, MemplaneError, StoreRejectedError, StoreUnavailableError
from memplane.domain.ids import MemoryId, TenantId, UserId, scope_of

SCOPE = scope_of(tenant_id=TenantId("acme"), user_id=UserId('x" or scope != "'), tenant_secret=b"s")


@given(term=st.text(min_size=1))
def test_a_term_is_one_token_for_any_analyzer(term: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+", encode_term(term))


@given(one=st.text("abxyz0-中", min_size=1, max_size=4), other=st.text("abxyz0-中", min_size=1, max_size=4))
def test_different_terms_stay_different(one: str, other: str) -> None:
    assert (encode_term(one) == encode_term(other)) == (one == other)


def test_the_encoding_of_a_term_stands_for_nothing_else() -> None:
    encoded = encode_term("绿茶")
    assert encode_term(encoded) != encoded


@given(terms=st.lists(st.text(max_size=12), max_size=40), max_bytes=st.integers(0, 120))
def test_terms_are_cut_at_whole_tokens(terms: list[str], max_bytes: int) -> None:
    text = encode_terms(terms, max_bytes=max_bytes)
    assert len(text.encode()) <= max_bytes
    whole = [encode_term(term) for term in terms if term]
    assert text.split() == whole[: len(text.split())]
    if len(" ".join(whole)) <= max_bytes:
        assert text.split() == whole


def test_the_limit_is_that_of_milvus() -> None:
    assert len(encode_terms(["t"] * 100_000)) == MAX_TERMS_BYTES


def test_expressions_hold_the_scope_as_one_literal() -> None:
    quoted = r'"acme/x\" or scope != \""'
    assert with_vector(SCOPE) == f'scope == {quoted} and kind != "fact"'
    assert of_ids(SCOPE, [MemoryId("a"), MemoryId('"]')]) == rf'scope == {quoted} and memory_id in ["a", "\"]"]'


def test_half_of_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(StoreRejectedError):
        literal("\ud83e")


class StatusError(grpc.RpcError):
    """An error as gRPC raises it: ``code`` is a method."""

    def __init__(self, status: grpc.StatusCode) -> None:
        self._status = status

    def code(self) -> grpc.StatusCode:
        return self._status


def unexpected(cause: Exception) -> MilvusException:
    """As pymilvus wraps what it did not foresee."""
    error = MilvusException(message="Unexpected error")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda: StatusError(grpc.StatusCode.UNAVAILABLE), StoreUnavailableError),
        (lambda: StatusError(grpc.StatusCode.INTERNAL), StoreUnavailableError),
        (lambda: StatusError(grpc.StatusCode.UNAUTHENTICATED), StoreUnavailableError),
        (lambda: StatusError(grpc.StatusCode.RESOURCE_EXHAUSTED), StoreUnavailableError),
        (lambda: StatusError(grpc.StatusCode.INVALID_ARGUMENT), StoreRejectedError),
        (lambda: MilvusException(code=2, message="Fail connecting to server"), StoreUnavailableError),
        (lambda: MilvusException(code=8, message="rate limit"), StoreUnavailableError),
        (lambda: MilvusException(code=100, message="collection not found"), StoreUnavailableError),
        (lambda: MilvusException(code=grpc.StatusCode.UNAVAILABLE, message="retry run out"), StoreUnavailableError),
        (lambda: MilvusException(code=1100, message="invalid parameter"), StoreRejectedError),
        (lambda: MilvusException(code=6, message="illegal argument"), StoreRejectedError),
        (lambda: MilvusException(code=65535, message="?", is_input_error=True), StoreRejectedError),
        (lambda: ParamError(message="wrong"), StoreRejectedError),
        (lambda: DataNotMatchException(message="missed a field"), StoreRejectedError),
        (lambda: unexpected(ValueError("cannot encode")), StoreRejectedError),
        (lambda: unexpected(OSError("reset")), StoreUnavailableError),
    ],
)
def test_errors_are_told_by_what_a_caller_can_do(build: Callable[[], Exception], expected: type[MemplaneError]) -> None:
    error = translate(build(), operation="upsert", deadline_is_callers=False)
    assert type(error) is expected
    assert (error.data["component"], error.data["operation"]) == ("milvus", "upsert")


@pytest.mark.parametrize(("searching", "expected"), [(True, DeadlineExceededError), (False, StoreUnavailableError)])
def test_a_deadline_is_the_callers_only_in_searches(searching: bool, expected: type[MemplaneError]) -> None:
    late = StatusError(grpc.StatusCode.DEADLINE_EXCEEDED)
    assert type(translate(late, operation="search_dense", deadline_is_callers=searching)) is expected


def test_messages_do_not_quote_what_the_vendor_said() -> None:
    error = translate(
        MilvusException(code=1100, message="user_id acme/eve"), operation="upsert", deadline_is_callers=False
    )
    assert "eve" not in f"{error} {error.data}"
