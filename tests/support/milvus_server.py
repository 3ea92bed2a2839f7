"""The local Milvus as a child process of a test run."""

from __future__ import annotations

import secrets
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(kw_only=True)
class MilvusServer:
    """One server on one data directory. It may be killed, frozen, and started again on the same port."""

    home: Path
    port: int = 0
    token: str = field(default_factory=lambda: f"memplane:{secrets.token_urlsafe(24)}")
    process: subprocess.Popen[str] | None = None

    @property
    def uri(self) -> str:
        """Where it listens, once it has been started."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts the server and waits until it serves."""
        token_file = self.home / "token"
        token_file.write_text(self.token)
        token_file.chmod(0o600)
        command = [
            sys.executable, "-m", "memplane.adapters.local.milvus", "--data-dir", str(self.home / "data"),
            "--port", str(self.port), "--token-file", str(token_file),
        ]  # fmt: skip
        with (self.home / "server.log").open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("READY port="):
                self.port = int(line.removeprefix("READY port="))
                return
        raise RuntimeError(f"Milvus did not start:\n{(self.home / 'server.log').read_text()[-2000:]}")

    def freeze(self) -> None:
        """Keeps the connections open and answers nothing."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Goes on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends the server; SIGKILL gives it no chance to tidy up."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=60)
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None
