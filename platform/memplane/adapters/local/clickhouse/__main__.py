"""Entry point of the embedded ClickHouse process: one owner of one data directory, until SIGTERM."""

import argparse
import os
import signal
import socket
import sys
from pathlib import Path

import uvicorn

from memplane.adapters.local.clickhouse.app import ClickHouseApp
from memplane.adapters.local.clickhouse.config import write_config
from memplane.adapters.local.clickhouse.credentials import load_credentials
from memplane.adapters.local.clickhouse.engine import EnginePool
from memplane.adapters.local.clickhouse.errors import StatementError
from memplane.adapters.local.events import capture_logging, emit

HOST = "127.0.0.1"
MAX_BODY_BYTES = 128 * 1024 * 1024
MAX_WAITING = 256
DRAIN_SECONDS = 20


class _Server(uvicorn.Server):
    """uvicorn's server that says when it serves, in the one line that a supervisor waits for."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for bound in sockets or []:
            emit("start", engine="clickhouse", port=bound.getsockname()[1])
            print(f"READY port={bound.getsockname()[1]}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; return the exit code: 0 after a clean stop, 1 when the start fails."""
    parser = argparse.ArgumentParser(prog="memplane.adapters.local.clickhouse")
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True, help="0 takes a free port, named in the READY line")
    parser.add_argument("--credentials-file", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=4, help="engine connections that work at one time")
    parser.add_argument("--max-waiting", type=int, default=MAX_WAITING, help="requests that may wait for one")
    parser.add_argument("--max-body-bytes", type=int, default=MAX_BODY_BYTES)
    options = parser.parse_args(arguments)
    capture_logging()
    # The engine takes its time zone from the environment, once, when it opens. This process is the engine's own, so
    # setting it here reaches nobody else.
    os.environ["TZ"] = "UTC"  # noqa: TID251
    try:
        return _serve(options)
    except (OSError, ValueError, StatementError) as error:
        emit("error", engine="clickhouse", stage="start", error=type(error).__name__, detail=_explain(error))
        return 1


def _serve(options: argparse.Namespace) -> int:
    credentials = load_credentials(options.credentials_file)
    data_dir: Path = options.data_dir.resolve()
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with socket.create_server((HOST, options.port)) as listener:
        pool = EnginePool(write_config(data_dir), threads=options.threads, max_waiting=options.max_waiting)
        app = ClickHouseApp(pool, credentials, max_body_bytes=options.max_body_bytes)
        config = uvicorn.Config(
            app,
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=DRAIN_SECONDS,
        )
        # uvicorn raises the signal that stopped it once more when it has drained; these keep that from ending the
        # process before the engine is closed.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        try:
            _Server(config).run(sockets=[listener])
        finally:
            pool.close()
            emit("stop", engine="clickhouse")
    return 0


def _explain(error: Exception) -> str:
    """Start errors hold paths and engine codes, never data: the only texts that reach the log."""
    return (error.detail if isinstance(error, StatementError) else str(error))[:400]


if __name__ == "__main__":
    sys.exit(main())
