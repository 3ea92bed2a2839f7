"""How rows of one table are written: its name, and the columns of an insert with their types, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from memplane.adapters.clickhouse.client import ClickHouseClient
from memplane.adapters.clickhouse.errors import COMPONENT
from memplane.domain.canonical import canonical_json
from memplane.domain.errors import InvalidError, StoreRejectedError

TIME: Final = "DateTime64(3, 'UTC')"
OPTIONAL_TIME: Final = "Nullable(DateTime64(3, 'UTC'))"
NAME: Final = "LowCardinality(String)"
OPTIONAL_NAME: Final = "LowCardinality(Nullable(String))"
TEXT: Final = "String"
OPTIONAL_TEXT: Final = "Nullable(String)"
TEXTS: Final = "Array(String)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as its store writes it. ``columns`` maps name to type and gives the order of values in a row."""

    name: str
    columns: dict[str, str]
    durable: bool

    async def insert(self, client: ClickHouseClient, rows: Sequence[Sequence[Any]]) -> None:
        """Writes ``rows`` as one block. Empty input does nothing."""
        await client.insert(
            self.name,
            columns=tuple(self.columns),
            column_types=tuple(self.columns.values()),
            rows=rows,
            durable=self.durable,
        )


def json_text(value: Any) -> str:
    """``value`` as the canonical JSON that String columns hold. Raises: StoreRejectedError for what is no JSON."""
    try:
        return canonical_json(value)
    except InvalidError as error:
        raise StoreRejectedError(f"a value is {error.message}", data={"component": COMPONENT}) from error
