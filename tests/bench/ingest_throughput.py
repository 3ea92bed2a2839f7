"""Turns per second into a running platform, beside the bare embedder on the same texts in the same run.

    python -m tests.bench.ingest_throughput locomo10.json --data-dir .memplane

First the packaged model embeds the summaries of all turns in this process, with as many threads as the platform's
embedder has; then the same turns go in over HTTP, for users that are new to the platform; then every turn is counted
back. Printed: both rates, their ratio, what became of the turns, and the memory of the whole platform (PSS).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from memplane.adapters.models.onnx_engine import OnnxEmbeddingEngine
from memplane.cli.formats import Format, read_batches
from memplane.cli.loader import BatchLoader, LoadReport
from memplane.client import AsyncMemoryClient
from memplane.domain.text import summarise
from memplane.settings import read_settings_file

GROUP_TEXTS = 256


def bare_rate(texts: list[str], *, model_dir: Path, threads: int, batch_tokens: int) -> float:
    """Texts per second of the engine alone."""
    engine = OnnxEmbeddingEngine.load(model_dir, threads=threads, max_tokens_per_batch=batch_tokens)
    engine.embed(texts[:GROUP_TEXTS], kind="document")
    began = time.perf_counter()
    for start in range(0, len(texts), GROUP_TEXTS):
        engine.embed(texts[start : start + GROUP_TEXTS], kind="document")
    return len(texts) / (time.perf_counter() - began)


async def load(batches: list[Any], key: dict[str, str], *, in_flight: int) -> tuple[LoadReport, float]:
    """Sends all batches. Returns: the counts and the seconds it took."""
    async with AsyncMemoryClient(url=key["url"], key=key["agent_key"]) as client:
        loader = BatchLoader(client, in_flight=in_flight, advanced=lambda _: None)
        began = time.perf_counter()
        report = await loader.load(batches)
        return report, time.perf_counter() - began


async def count_events(users: set[str], key: dict[str, str]) -> int:
    """Events that the platform holds of these users, counted page by page."""
    total = 0
    headers = {"Authorization": f"Bearer {key['agent_key']}"}
    async with httpx.AsyncClient(base_url=key["url"], headers=headers, timeout=30) as client:
        for user in users:
            cursor: str | None = None
            while True:
                asked = {"user_id": user, "limit": 200} | ({"cursor": cursor} if cursor else {})
                page = (await client.get("/v1/events", params=asked)).raise_for_status().json()
                total += len(page["events"])
                cursor = page["next_cursor"]
                if cursor is None:
                    break
    return total


def platform_status(data_dir: Path) -> dict[str, Any]:
    """``memplane status --json``."""
    command = [sys.executable, "-m", "memplane.cli", "status", "--data-dir", str(data_dir), "--json"]
    status: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return status


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--format", default="locomo", choices=[item.value for item in Format])
    parser.add_argument("--data-dir", type=Path, default=Path(".memplane"))
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--in-flight", type=int, default=8)
    arguments = parser.parse_args()
    settings = read_settings_file(arguments.data_dir / "run" / "config.json")
    key = json.loads((arguments.data_dir / "key.json").read_text())
    user = f"bench-{secrets.token_hex(4)}"
    batches = list(
        read_batches(arguments.file, file_format=Format(arguments.format), user=user, batch_size=arguments.batch_size)
    )
    texts = [summarise(message["content"]) for batch in batches for message in batch.messages]
    section = settings.embedding
    bare = bare_rate(texts, model_dir=section.model_dir, threads=section.threads, batch_tokens=section.max_batch_tokens)
    report, took_s = asyncio.run(load(batches, key, in_flight=arguments.in_flight))
    held = asyncio.run(count_events({batch.user_id for batch in batches}, key))
    rate = report.turns / took_s
    print(f"bare embedder   {bare:8.0f} texts/s, {section.threads} thread(s)")
    print(f"over HTTP       {rate:8.0f} turns/s, {rate / bare:.2f} of it, {took_s:.1f} s for {report.turns} turns")
    print(f"outcomes        {dict(report.outcomes)}; events held {held} of {report.turns}")
    print(f"memory          {json.dumps(platform_status(arguments.data_dir).get('processes'))}")
    if held != report.turns:
        raise SystemExit("turns were lost")


if __name__ == "__main__":
    main()
