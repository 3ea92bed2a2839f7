"""The data directory of a local platform: which file lies where."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

OWNER_ONLY = 0o077
"""The umask of every process of a local platform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataLayout:
    """Paths below ``root`` (absolute). Everything is closed to others: the command line and all that it starts run
    under the umask `OWNER_ONLY`.
    """

    root: Path

    @classmethod
    def at(cls, directory: Path) -> DataLayout:
        """The layout of ``directory``, which need not exist yet."""
        return cls(root=directory.expanduser().resolve())

    @property
    def run_id(self) -> str:
        """Names the directory in the environment of its processes."""
        return f"memplane-{sha256(str(self.root).encode()).hexdigest()[:16]}"

    @property
    def run(self) -> Path:
        """Files of the running platform."""
        return self.root / "run"

    @property
    def logs(self) -> Path:
        """One log for each process."""
        return self.root / "logs"

    @property
    def config_file(self) -> Path:
        """Settings of all processes, secrets included."""
        return self.run / "config.json"

    @property
    def state_file(self) -> Path:
        """What runs."""
        return self.run / "state.json"

    @property
    def lock_file(self) -> Path:
        """Held by the one supervisor."""
        return self.run / "up.lock"

    @property
    def clickhouse_credentials(self) -> Path:
        """Users of the embedded ClickHouse."""
        return self.run / "clickhouse.json"

    @property
    def milvus_token(self) -> Path:
        """Token of the Milvus Lite server."""
        return self.run / "milvus.token"

    @property
    def ray_token(self) -> Path:
        """Token of the Ray node."""
        return self.run / "ray.token"

    @property
    def supervisor_log(self) -> Path:
        """What a detached supervisor says."""
        return self.logs / "supervisor.log"

    @property
    def key_file(self) -> Path:
        """Address and keys for callers."""
        return self.root / "key.json"

    @property
    def keys_shown(self) -> Path:
        """There once the keys have been printed."""
        return self.run / "keys.shown"

    @property
    def model_dir(self) -> Path:
        """The embedding model, unless the settings name another place."""
        return self.root / "models" / "multilingual-e5-small"

    @property
    def ray_root(self) -> Path:
        """What closes Ray's directory to others. Not below ``root``: paths of Unix sockets end at 107 bytes."""
        return Path("/tmp") / self.run_id  # noqa: S108  made with mode 0700, and refused when another user made it

    @property
    def ray_temp_dir(self) -> Path:
        """Ray's own directory."""
        return self.ray_root / "ray"

    def create(self) -> None:
        """Makes the directories, closed to others."""
        for directory in (self.root, self.run, self.logs, self.root / "clickhouse", self.root / "milvus"):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.root.chmod(0o700)
