"""Entry point of the local Milvus process: one owner of one data directory, until SIGTERM."""

import argparse
import os
import signal
import sys
import threading
from pathlib import Path

from memplane.adapters.local.events import capture_logging, emit
from memplane.adapters.local.milvus.auth import load_token

MEMTABLE_BYTES = 4_000_000
DRAIN_SECONDS = 20.0


def main(arguments: list[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; return the exit code: 0 after a clean stop, 1 when the start fails."""
    parser = argparse.ArgumentParser(prog="memplane.adapters.local.milvus")
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True, help="0 takes a free port, named in the READY line")
    parser.add_argument("--token-file", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=16, help="calls that run or wait for a lock at one time")
    parser.add_argument("--memtable-bytes", type=int, default=MEMTABLE_BYTES)
    options = parser.parse_args(arguments)
    capture_logging()
    # milvus_lite reads this once, when it is imported. This process is the engine's own, so setting it here reaches
    # nobody else. Rows in the memtable are scanned one by one in Python: a small one keeps searches fast.
    os.environ["MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES"] = str(options.memtable_bytes)  # noqa: TID251
    try:
        _serve(options)
    except (OSError, ValueError, RuntimeError) as error:
        emit("error", engine="milvus", stage="start", error=type(error).__name__, detail=str(error)[:400])
        return 1
    return 0


def _serve(options: argparse.Namespace) -> None:
    from memplane.adapters.local.milvus.server import LocalMilvus  # noqa: PLC0415  after the limit is set

    token = load_token(options.token_file)
    data_dir: Path = options.data_dir.resolve()
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    milvus = LocalMilvus(data_dir, port=options.port, token=token, workers=options.workers)
    try:
        milvus.start()
        emit("start", engine="milvus", port=milvus.port, collections=milvus.loaded)
        print(f"READY port={milvus.port}", flush=True)
        stopping.wait()
    finally:
        milvus.stop(DRAIN_SECONDS)
        emit("stop", engine="milvus")


if __name__ == "__main__":
    sys.exit(main())
