"""Errors cross processes whole, and their messages stay bounded."""

import pickle

import pytest

from memplane.domain import errors
from memplane.domain.errors import FieldIssue, InvalidError, MemplaneError


def _subclasses(kind: type[MemplaneError]) -> list[type[MemplaneError]]:
    return [kind, *(deeper for child in kind.__subclasses__() for deeper in _subclasses(child))]


@pytest.mark.parametrize("kind", _subclasses(MemplaneError))
def test_every_error_pickles(kind: type[MemplaneError]) -> None:
    error = kind("what, which, and what next")
    error.retry_after_s = 2.5
    error.data["component"] = "milvus"
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert (copy.message, copy.retry_after_s, copy.data["component"]) == (error.message, 2.5, "milvus")


def test_issues_survive_pickling() -> None:
    issue = FieldIssue(path="messages.0.content", code="blank", message="must not be blank")
    copy = pickle.loads(pickle.dumps(InvalidError("one field is wrong", issues=(issue,))))
    assert copy.issues == (issue,)


def test_messages_are_bounded() -> None:
    assert len(str(MemplaneError("x" * 10_000))) == errors.MAX_MESSAGE_CHARACTERS


def test_codes_are_unique_where_a_caller_must_tell_them_apart() -> None:
    public = [kind for kind in _subclasses(MemplaneError) if "code" in vars(kind)]
    assert len({kind.code for kind in public}) == len(public)
