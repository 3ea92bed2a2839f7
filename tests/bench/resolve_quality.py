"""What resolve does to unrelated statements, to labelled pairs, and to public contradiction sets.

    python -m tests.bench.resolve_quality [--pairs DIR] [--model-dir DIR] [--errors]

Without arguments: the 200 unrelated statements and the labelled pairs of ``tests/data``. ``--pairs`` names a folder
with ``sick_en_test.tsv`` and ``ocnli_zh_dev.tsv``. ``--model-dir`` gives cosines; without it every pair counts as
nominated (similarity 0.97), which is harder.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memplane.adapters.models.onnx_engine import OnnxEmbeddingEngine
from memplane.domain.memory import Status
from memplane.domain.resolve import InstructionOp, Relation, Thresholds, UpdateInstruction, compare, thresholds_for
from tests.support.resolve_store import ResolveStore, Similarity, at, said

DATA = Path(__file__).parents[1] / "data"
START = datetime(2026, 3, 1, tzinfo=UTC)
NOMINATED = 0.97
CONFLICTS = {Relation.OPPOSITE, Relation.OTHER_VALUE}


def read(name: str) -> list[dict[str, str]]:
    """The rows of a file of ``tests/data``."""
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def outcome(instructions: tuple[UpdateInstruction, ...]) -> str:
    """One word for what a decision does: supersede, touch, merge, review or add."""
    ops = {one.op for one in instructions}
    for op in (InstructionOp.SUPERSEDE, InstructionOp.REVIEW, InstructionOp.MERGE, InstructionOp.TOUCH):
        if op in ops:
            return op.value
    return "add"


def decide(older: str, newer: str, similarity: Similarity, thresholds: Thresholds) -> str:
    """The outcome of ``newer`` beside ``older``, a day apart."""
    store = ResolveStore(similarity=similarity, thresholds=thresholds)
    store.say(said(older), at(START))
    return outcome(store.say(said(newer), at(START + timedelta(days=1))))


def unrelated(similarity: Similarity, thresholds: Thresholds) -> dict[str, list[str]]:
    """What happened to the unrelated statements, each resolved against all before it: outcome -> texts."""
    store = ResolveStore(similarity=similarity, thresholds=thresholds)
    done: dict[str, list[str]] = defaultdict(list)
    for index, row in enumerate(read("unrelated_statements.jsonl")):
        instructions = store.say(said(row["text"]), at(START + timedelta(hours=index)))
        targets = [str(one.before) for one in instructions if one.target is not None]
        done[outcome(instructions)].append(f"{row['text']} <- {targets}")
    retired = [one for one in store.memories.values() if one.status is not Status.ACTIVE]
    print(f"unrelated statements: {len(retired)} of {len(read('unrelated_statements.jsonl'))} retired;", end=" ")
    print({name: len(texts) for name, texts in done.items()})
    return done


def labelled(similarity: Similarity, thresholds: Thresholds, *, errors: bool) -> None:
    """Precision and recall of every outcome on the labelled pairs, by split and language."""
    groups: dict[tuple[str, str], list[tuple[str, str, dict[str, str]]]] = defaultdict(list)
    for row in read("resolve_pairs.jsonl"):
        got = decide(row["older"], row["newer"], similarity, thresholds)
        for key in {(row["split"], row["lang"]), ("all", row["lang"]), (row["split"], "all"), ("all", "all")}:
            groups[key].append((row["expected"], got, row))
        if errors and got != row["expected"]:
            print(f"  {row['split']}: expected {row['expected']}, got {got}: {row['older']} | {row['newer']}")
    for key, rows in sorted(groups.items()):
        print(*key, f"n={len(rows)}", *(_quality(rows, name) for name in ("supersede", "touch", "merge", "review")))


def _quality(rows: list[tuple[str, str, dict[str, str]]], name: str) -> str:
    hits = sum(wanted == got == name for wanted, got, _ in rows)
    decided, wanted = sum(got == name for _, got, _ in rows), sum(want == name for want, _, _ in rows)
    return f"{name} P={hits}/{decided} R={hits}/{wanted}"


def public_sets(folder: Path) -> None:
    """The share of pairs of each label that would be taken for a contradiction."""
    sick = [line.split("\t") for line in (folder / "sick_en_test.tsv").read_text().splitlines()[1:]]
    ocnli = [line.split("\t") for line in (folder / "ocnli_zh_dev.tsv").read_text().splitlines()]
    sets = {"SICK": [(r[1], r[2], r[4].lower()) for r in sick], "OCNLI": [(r[0], r[1], r[2]) for r in ocnli]}
    for name, rows in sets.items():
        total: Counter[str] = Counter(label for _, _, label in rows)
        taken: Counter[str] = Counter(label for a, b, label in rows if compare(b, a).relation in CONFLICTS)
        print(
            name,
            {label: f"{taken[label]}/{total[label]} = {taken[label] / total[label]:.4f}" for label in sorted(total)},
        )


def cosines(model_dir: Path) -> tuple[Similarity, Thresholds]:
    """A similarity by the model, for the texts of ``tests/data``, and its thresholds."""
    engine = OnnxEmbeddingEngine.load(model_dir, threads=1)
    texts = {row["text"] for row in read("unrelated_statements.jsonl")}
    texts |= {text for row in read("resolve_pairs.jsonl") for text in (row["older"], row["newer"])}
    ordered = sorted(texts)
    vectors = dict(zip(ordered, engine.embed(ordered, kind="document"), strict=True))

    def similarity(one: str, other: str) -> float | None:
        return float(vectors[one] @ vectors[other]) if one in vectors and other in vectors else None

    return similarity, thresholds_for(engine.spec.generation_id)


def main() -> None:
    """Prints the three measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--model-dir", type=Path)
    parser.add_argument("--errors", action="store_true")
    arguments = parser.parse_args()
    similarity: Similarity = lambda _one, _other: NOMINATED  # noqa: E731
    thresholds = Thresholds()
    if arguments.model_dir:
        similarity, thresholds = cosines(arguments.model_dir)
    done = unrelated(similarity, thresholds)
    if arguments.errors:
        for name in ("supersede", "review", "merge", "touch"):
            for text in done.get(name, []):
                print(f"  {name}: {text}")
    labelled(similarity, thresholds, errors=arguments.errors)
    if arguments.pairs:
        public_sets(arguments.pairs)


if __name__ == "__main__":
    main()
