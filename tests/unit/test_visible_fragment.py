"""What a reader may see is written once, and every query that answers a reader says exactly that."""

from __future__ import annotations

from importlib.resources import files

import pytest

from memplane.adapters.clickhouse.sql_files import query_names, query_text

FRAGMENT = (files("memplane.adapters.clickhouse") / "sql" / "fragments" / "visible.sql").read_text()
READER_QUERIES = [name for name in query_names() if name.startswith("search_")]


def one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", READER_QUERIES)
def test_reads_of_memories_carry_the_fragment(name: str) -> None:
    text = one_line(query_text(name))
    assert text.count("FROM memories") == text.count(f"FROM memories FINAL WHERE {one_line(FRAGMENT)}") == 1
    assert " OR " not in text.replace(one_line(FRAGMENT), "")


def test_there_are_such_queries() -> None:
    assert len(READER_QUERIES) >= 5
