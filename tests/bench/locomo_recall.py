"""Evidence recall per turn on LoCoMo, over HTTP, against a platform that holds the ten conversations.

    memplane import locomo10.json --format locomo --user locomo
    python -m tests.bench.locomo_recall --data DIR

DIR holds ``queries.jsonl`` and ``qrels.tsv`` (query, turn, 1). A question is asked inside its own conversation with
profile ``relevance``; its score is the share of its evidence turns among the first k. Printed: means over the questions
of categories 1-4 (the adversarial ones have no answer), by category, with latency percentiles of this run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import httpx

DEPTHS = (5, 10, 25)
ADVERSARIAL = "adversarial"


def read_questions(data: Path) -> list[dict[str, Any]]:
    """Questions with evidence: ``{text, group, category, evidence: set of turn ids}``."""
    evidence: dict[str, set[str]] = defaultdict(set)
    for line in (data / "qrels.tsv").read_text().splitlines():
        query, turn, _ = line.split("\t")
        evidence[query].add(turn.split("/", 1)[1])
    questions = [json.loads(line) for line in (data / "queries.jsonl").read_text().splitlines()]
    return [
        {**question, "evidence": evidence[question["_id"]]}
        for question in questions
        if question["category"] != ADVERSARIAL and evidence.get(question["_id"])
    ]


def scores(found: list[str], evidence: set[str]) -> list[float]:
    """Recall at each depth, then nDCG at 10."""
    hits = [turn in evidence for turn in found]
    gains = sum(hit / math.log2(place + 2) for place, hit in enumerate(hits[:10]))
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(evidence))))
    return [sum(hits[:depth]) / len(evidence) for depth in DEPTHS] + [gains / best]


async def ask(
    client: httpx.AsyncClient, question: dict[str, Any], arguments: argparse.Namespace
) -> tuple[list[str], float]:
    """The turns that a recall returns, best first, and its seconds."""
    body = {
        "user_id": f"{arguments.user}-{question['group']}",
        "query": question["text"],
        "top_k": max(DEPTHS),
        "profile": "relevance",
        "plan": arguments.plan,
    }
    began = time.perf_counter()
    answer = await client.post("/v1/recall", json=body)
    took = time.perf_counter() - began
    answer.raise_for_status()
    result = answer.json()
    if result["degraded"]:
        raise SystemExit(f"degraded: {result['degraded']}")
    return [turn for memory in result["memories"] for turn in memory["source_event_ids"]], took


async def main() -> None:
    """Asks all questions and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--key-file", type=Path, default=Path(".memplane/key.json"))
    parser.add_argument("--user", default="locomo")
    parser.add_argument("--plan", default="auto", choices=["auto", "exact", "index"])
    parser.add_argument("--callers", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0, help="only so many questions")
    arguments = parser.parse_args()
    key = json.loads(arguments.key_file.read_text())
    questions = read_questions(arguments.data)[: arguments.limit or None]
    rows: dict[str, list[list[float]]] = defaultdict(list)
    seconds: list[float] = []
    gate = asyncio.Semaphore(arguments.callers)
    headers = {"Authorization": f"Bearer {key['agent_key']}"}
    async with httpx.AsyncClient(base_url=key["url"], headers=headers, timeout=30) as client:

        async def one(question: dict[str, Any]) -> None:
            async with gate:
                found, took = await ask(client, question, arguments)
            seconds.append(took)
            for name in (question["category"], "all"):
                rows[name].append(scores(found, question["evidence"]))

        await asyncio.gather(*(one(question) for question in questions))
    print(f"{'category':<14}{'n':>6}" + "".join(f"{f'R@{depth}':>8}" for depth in DEPTHS) + f"{'nDCG@10':>9}")
    for name in sorted(rows):
        means = [sum(column) / len(column) for column in zip(*rows[name], strict=True)]
        print(
            f"{name:<14}{len(rows[name]):>6}" + "".join(f"{mean:>8.3f}" for mean in means[:-1]) + f"{means[-1]:>9.3f}"
        )
    seconds.sort()
    p50, p95 = (seconds[int(len(seconds) * share)] * 1000 for share in (0.5, 0.95))
    print(f"recall p50 {p50:.0f} ms, p95 {p95:.0f} ms with {arguments.callers} callers, plan {arguments.plan}")


if __name__ == "__main__":
    asyncio.run(main())
