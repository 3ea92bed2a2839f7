"""Filter expressions, made in this file only.

Milvus Lite ignores filter templates (``filter_params``), so values are written into the expression as literals, on a
server too: one path, one escaping function. Every expression that touches rows holds the scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memplane.adapters.milvus import fields
from memplane.domain.errors import StoreRejectedError
from memplane.domain.ids import MemoryId, Scope
from memplane.domain.memory import Kind

_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def literal(value: str) -> str:
    """``value`` as a double-quoted string literal that reads back as exactly ``value``, on Milvus and on Milvus Lite.

    The escapes are those that both grammars share; everything else stands for itself. Raises: StoreRejectedError for
    half of a surrogate pair, which UTF-8 cannot carry.
    """
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise StoreRejectedError(
            f"{value[:64]!a} holds half of a surrogate pair", data={"component": "milvus"}
        ) from error
    return f'"{value.translate(_ESCAPES)}"'


def of_scope(scope: Scope) -> str:
    """All rows of a scope."""
    return f"{fields.SCOPE} == {literal(scope.partition)}"


def with_vector(scope: Scope) -> str:
    """The rows of a scope that the dense arm may find: all but facts."""
    return f"{of_scope(scope)} and {fields.KIND} != {literal(Kind.FACT)}"


def of_ids(scope: Scope, memory_ids: Sequence[MemoryId]) -> str:
    """Given rows of a scope, as long as they are of that scope."""
    return f"{of_scope(scope)} and {fields.MEMORY_ID} in [{', '.join(literal(item) for item in memory_ids)}]"


def after_id(memory_id: MemoryId | None) -> str:
    """Rows behind ``memory_id`` in the order of ids, whatever their scope (drift checks read whole collections)."""
    return f"{fields.MEMORY_ID} > {literal(memory_id or '')}"
