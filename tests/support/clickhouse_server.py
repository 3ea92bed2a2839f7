"""The local ClickHouse as a child process of a test run."""

from __future__ import annotations

import json
import secrets
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from memplane.adapters.clickhouse.client import ClickHouseClient


@dataclass(kw_only=True)
class ClickHouseServer:
    """One server on one data directory. It may be killed and started again on the same port."""

    home: Path
    port: int = 0
    user: str = "memplane"
    password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    reader_user: str = "memplane_reader"
    reader_password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Starts the server and waits until it serves."""
        credentials = self.home / "credentials.json"
        writer = {"user": self.user, "password": self.password}
        reader = {"user": self.reader_user, "password": self.reader_password}
        credentials.write_text(json.dumps({"writer": writer, "reader": reader}))
        credentials.chmod(0o600)
        command = [
            sys.executable, "-m", "memplane.adapters.local.clickhouse", "--data-dir", str(self.home / "data"),
            "--port", str(self.port), "--credentials-file", str(credentials),
        ]  # fmt: skip
        with (self.home / "server.log").open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("READY port="):
                self.port = int(line.removeprefix("READY port="))
                return
        raise RuntimeError(f"ClickHouse did not start:\n{(self.home / 'server.log').read_text()[-2000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends the server; SIGKILL gives it no chance to tidy up."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=30)
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None

    async def client(self, database: str, *, timeout_s: float = 10.0, reader: bool = False) -> ClickHouseClient:
        """A client of this server."""
        return await ClickHouseClient.connect(
            host="127.0.0.1",
            port=self.port,
            user=self.reader_user if reader else self.user,
            password=self.reader_password if reader else self.password,
            database=database,
            timeout_s=timeout_s,
        )
