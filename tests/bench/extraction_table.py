"""The table of ``docs/extraction.md``: what every rule does on the labelled turns. Prints Markdown.

python -m tests.bench.extraction_table
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for source_root in (str(ROOT / "platform"), str(ROOT)):
    if source_root not in sys.path:
        sys.path.insert(0, source_root)

from memplane.domain.extraction import extract  # noqa: E402
from memplane.domain.statements import Statement  # noqa: E402
from tests.support.labelled_turns import (  # noqa: E402
    ZONE,
    LabelledTurn,
    differences,
    event,
    labelled_turns,
    statements_of,
)

Outcome = tuple[LabelledTurn, list[Statement]]


def main() -> None:
    """Prints the figures per split, language and wave, the table per rule, and every error by name."""
    outcomes = [(turn, statements_of(turn)) for turn in labelled_turns()]
    print("| turns | n | kept as labelled | precision | recall | fields right |\n|---|---|---|---|---|---|")
    for name, chosen in _groups(outcomes):
        print(f"| {name} | {len(chosen)} | {_figures(chosen)} |")
    print(
        "\n| rule | statements | right | precision | labelled turns | found | recall |\n|---|---|---|---|---|---|---|"
    )
    for line in _per_rule(outcomes):
        print(line)
    print("\nErrors:\n")
    for turn, statements in outcomes:
        _print_errors(turn, statements)
    _print_speed([turn for turn, _ in outcomes])


def _groups(outcomes: Sequence[Outcome]) -> Iterable[tuple[str, list[Outcome]]]:
    for split in ("dev", "heldout"):
        yield split, [item for item in outcomes if item[0].split == split]
        for lang in ("zh", "en"):
            yield f"{split}, {lang}", [item for item in outcomes if item[0].split == split and item[0].lang == lang]
    held = [item for item in outcomes if item[0].split == "heldout"]
    for wave in sorted({turn.wave for turn, _ in outcomes}):
        yield (
            f"heldout, wave {wave}",
            [item for item in held if item[0].wave == wave],
        )


def _figures(outcomes: Sequence[Outcome]) -> str:
    right = sum(1 for turn, found in outcomes if turn.kept and found)
    found = sum(1 for _, statements in outcomes if statements)
    wanted = sum(1 for turn, _ in outcomes if turn.kept)
    fields = sum(1 for turn, statements in outcomes if turn.kept and statements and not differences(turn, statements))
    return f"{right}/{wanted} | {_ratio(right, found)} | {_ratio(right, wanted)} | {_ratio(fields, right)}"


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def _per_rule(outcomes: Sequence[Outcome]) -> list[str]:
    """Per trigger, how many of its statements are right (turn to be kept, no field differs); per category, recall."""
    made: Counter[str] = Counter()
    right: Counter[str] = Counter()
    labelled: dict[str, list[bool]] = defaultdict(list)
    for turn, statements in outcomes:
        for statement in statements:
            for trigger in statement.triggers:
                made[trigger] += 1
                right[trigger] += turn.kept and not differences(turn, statements)
        if turn.kept:
            labelled[turn.category or "any"].append(bool(statements) and not differences(turn, statements))
    lines = [f"| {name} | {n} | {right[name]} | {_ratio(right[name], n)} | | | |" for name, n in sorted(made.items())]
    for category, hits in sorted(labelled.items()):
        lines.append(f"| category {category} | | | | {len(hits)} | {sum(hits)} | {_ratio(sum(hits), len(hits))} |")
    return lines


def _print_errors(turn: LabelledTurn, statements: list[Statement]) -> None:
    said = "; ".join(statement.text for statement in statements)
    if turn.kept and not statements:
        print(f"- {turn.turn_id} ({turn.split}) missed: {turn.text}")
    elif statements and not turn.kept:
        print(f"- {turn.turn_id} ({turn.split}) wrongly kept: {turn.text} → {said}")
    elif differing := differences(turn, statements):
        print(f"- {turn.turn_id} ({turn.split}) {', '.join(differing)}: {turn.text} → {said}")


def _print_speed(turns: Sequence[LabelledTurn]) -> None:
    events = [event(turn.text, role=turn.role, metadata=turn.metadata) for turn in turns]
    started = time.process_time()
    for one in events:
        extract([one], zone=ZONE, language="en")
    print(f"\n{len(events) / (time.process_time() - started):,.0f} turns a second of processor time, one thread")


if __name__ == "__main__":
    main()
