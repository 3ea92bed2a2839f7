"""What was recalled, for people. Memory text is printed as it is: nothing in it is taken for markup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from memplane.client import ContextBlock, RecalledMemory, RecallResult

PARTS = ("relevance", "importance", "recency", "frequency")


def print_recall(console: Console, found: RecallResult) -> None:
    """Prints memories and facts with the reasons why they were found."""
    for fact in found.get("facts") or []:
        console.print(_fact_line(fact), soft_wrap=True)
    if found["memories"]:
        console.print(_memory_table(found["memories"]))
    elif not found.get("facts"):
        console.print("nothing found")
    console.print(_footer(found), soft_wrap=True)


def print_context(console: Console, aside: Console, block: ContextBlock) -> None:
    """Prints the block on ``console``, so that it can be piped, and what is said about it on ``aside``."""
    console.print(Text(block["context"]), soft_wrap=True)
    for citation in block["citations"]:
        aside.print(
            Text(f"  {citation['ref']} = {citation['memory_id']}  score {citation['score']:.3f}"), soft_wrap=True
        )
    missing = f" · degraded: {', '.join(block['degraded'])}" if block["degraded"] else ""
    aside.print(Text(f"  {block['tokens']} tokens{missing} · trace {block['trace_id']}"), soft_wrap=True)


def _memory_table(memories: list[RecalledMemory]) -> Table:
    table = Table(show_lines=True, expand=False)
    table.add_column("score", no_wrap=True)
    table.add_column("memory", overflow="fold", ratio=1)
    for memory in memories:
        date = str(memory.get("event_time") or memory.get("valid_from") or "")[:10]
        about = f"{memory['kind']} · {date} · found by {' + '.join(memory['arms'])}"
        table.add_row(
            _score(memory["score"], memory["scores"]),
            Text.assemble(memory["content"], "\n", (about, "cyan"), "\n", (memory["memory_id"], "dim")),
        )
    return table


def _score(score: float, parts: Mapping[str, Any]) -> Text:
    lines: list[Text] = [Text(f"{score:.3f}", style="bold")]
    lines += [Text(f"{name:10} {parts[name]:.2f}", style="dim") for name in PARTS if name in parts]
    return Text("\n").join(lines)


def _fact_line(fact: Mapping[str, Any]) -> Text:
    name = "/".join(str(fact.get(part, "")) for part in ("entity_type", "entity", "attribute"))
    return Text(f"fact {name} = {fact.get('value')!r}  {fact.get('memory_id', '')}")


def _footer(found: RecallResult) -> Text:
    missing = f" · degraded: {', '.join(found['degraded'])}" if found["degraded"] else ""
    return Text(f"plan {found['plan']} · {found['took_ms']:.0f} ms{missing} · trace {found['trace_id']}")
