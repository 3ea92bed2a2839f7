"""Ids in paths, held to the same rules as those in bodies."""

from __future__ import annotations

from memplane.domain.errors import InvalidError
from memplane.domain.ids import UserId, id_problem


def user_in_path(value: str) -> UserId:
    """The user that a path names. Raises: InvalidError."""
    problem = id_problem(value)
    if problem is not None:
        raise InvalidError.field("user_id", "bad_id", problem)
    return UserId(value)
