"""The duplicate threshold of a generation, from labelled pairs: the table behind ``domain/resolve/thresholds.py``.

    python -m tests.bench.calibrate_duplicates --model-dir DIR --pairs DIR [--sample 1500]

``--pairs`` names a folder with ``lcqmc_zh_test.tsv``, ``bustm_zh_test.jsonl`` (same meaning or not, zh) and
``msrp_en_test.tsv`` (en). The threshold is the cosine, in steps of 0.005, with the best F1 averaged over the sets: it
nominates. What a touch then needs besides (equal anchors, equal wording) is measured beside it.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memplane.adapters.models.onnx_engine import OnnxEmbeddingEngine
from memplane.domain.resolve.anchors import anchors
from memplane.domain.resolve.duplicates import may_be_same

STEPS = tuple(round(0.90 + 0.005 * step, 3) for step in range(19))
SEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two texts, whether people said they mean the same, and their cosine."""

    one: str
    other: str
    same: bool
    cosine: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How well "same" is told: precision and recall over labelled pairs."""

    hits: int
    told: int
    wanted: int

    @property
    def precision(self) -> float:
        """Share of the told that are the same; 1 for none told."""
        return self.hits / self.told if self.told else 1.0

    @property
    def recall(self) -> float:
        """Share of the same that were told."""
        return self.hits / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def read_sets(folder: Path) -> dict[str, list[Pair]]:
    """The labelled sets by name."""
    lcqmc = [line.split("\t") for line in (folder / "lcqmc_zh_test.tsv").read_text().splitlines()]
    bustm = [json.loads(line) for line in (folder / "bustm_zh_test.jsonl").read_text().splitlines()]
    msrp = [line.split("\t") for line in (folder / "msrp_en_test.tsv").read_text(encoding="utf-8-sig").splitlines()[1:]]
    return {
        "LCQMC (zh)": [Pair(one=one, other=other, same=label == "1") for one, other, label in lcqmc],
        "BUSTM (zh)": [Pair(one=r["sentence1"], other=r["sentence2"], same=r["label"] == "1") for r in bustm],
        "MSRP (en)": [Pair(one=row[3], other=row[4], same=row[0] == "1") for row in msrp],
    }


def with_cosines(engine: OnnxEmbeddingEngine, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with the cosine of their document vectors."""
    ones = engine.embed([pair.one for pair in pairs], kind="document")
    others = engine.embed([pair.other for pair in pairs], kind="document")
    cosines = (ones * others).sum(axis=1)
    return [
        Pair(one=pair.one, other=pair.other, same=pair.same, cosine=float(cosine))
        for pair, cosine in zip(pairs, cosines, strict=True)
    ]


def quality(pairs: Sequence[Pair], threshold: float, guards: int) -> Quality:
    """Quality of cosine alone (0), with equal anchors (1), with equal wording too (2)."""
    told = [pair for pair in pairs if pair.cosine > threshold]
    if guards:
        told = [pair for pair in told if anchors(pair.one) == anchors(pair.other)]
    if guards > 1:
        told = [pair for pair in told if may_be_same(pair.other, pair.one)]
    return Quality(hits=sum(pair.same for pair in told), told=len(told), wanted=sum(pair.same for pair in pairs))


def main() -> None:
    """Prints one table a set, and the threshold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model-dir", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=1500)
    arguments = parser.parse_args()
    engine = OnnxEmbeddingEngine.load(arguments.model_dir, threads=1)
    began = time.process_time()
    sets = {
        name: with_cosines(engine, random.Random(SEED).sample(pairs, min(arguments.sample, len(pairs))))
        for name, pairs in read_sets(arguments.pairs).items()
    }
    print(f"generation {engine.spec.generation_id}; embedded in {time.process_time() - began:.0f} s of CPU")
    for name, pairs in sets.items():
        print(f"\n{name}: {len(pairs)} pairs, {sum(pair.same for pair in pairs)} the same")
        print("| cosine > | alone P / R / F1 | + anchors P / R | + wording P / R |\n|---|---|---|---|")
        for step in STEPS:
            alone, anchored, worded = (quality(pairs, step, guards) for guards in (0, 1, 2))
            print(
                f"| {step:.3f} | {alone.precision:.3f} / {alone.recall:.3f} / {alone.f1:.3f} "
                f"| {anchored.precision:.3f} / {anchored.recall:.3f} | {worded.precision:.3f} / {worded.recall:.3f} |"
            )
    means = {step: sum(quality(pairs, step, 0).f1 for pairs in sets.values()) / len(sets) for step in STEPS}
    best = max(means, key=lambda step: (means[step], step))
    print("\nmean F1: " + ", ".join(f"{step:.3f}: {mean:.4f}" for step, mean in means.items()))
    print(f"threshold: {best:.3f}")


if __name__ == "__main__":
    main()
