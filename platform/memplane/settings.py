"""Every setting, read once.

Defaults < the file named by ``MEMPLANE_CONFIG_FILE`` < environment (``MEMPLANE_SECTION__KEY``). Nothing else reads the
environment. Unknown keys fail. Each key stands in ``docs/configuration.md`` as well (a test compares).
"""

# ruff: noqa: TID251  (this file is the one that reads os.environ)

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, JsonConfigSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings import SettingsError as UnreadableSettingsError

ENVIRONMENT_PREFIX = "MEMPLANE_"
CONFIG_FILE_VARIABLE = "MEMPLANE_CONFIG_FILE"


class SettingsError(ValueError):
    """The settings cannot be read, or name what does not exist. The message says which, and never a value."""


class Section(BaseModel):
    """A frozen group of settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ClickHouseSettings(Section):
    """The truth."""

    host: str = "127.0.0.1"
    port: int = 8123
    secure: bool = False
    database: str = "memplane"
    user: str = "memplane"
    password: SecretStr = SecretStr("")
    reader_user: str = Field("memplane_reader", description="Read-only user of the retrieval application.")
    reader_password: SecretStr = SecretStr("")
    cluster: str = Field("", description="Cluster name for ON CLUSTER and replicated engines; empty on a single node.")
    connect_timeout_s: float = 3.0
    timeout_s: float = Field(10.0, description="Longest wait for one statement.")
    connections: int = Field(16, description="Connections of one process.")


class MilvusSettings(Section):
    """The index."""

    uri: str = "http://127.0.0.1:19530"
    token: SecretStr = SecretStr("")
    server: Literal["lite", "milvus"] = Field(
        "lite", description="What answers at `uri`; Milvus Lite is searched only when `index` is asked for."
    )
    timeout_s: float = 10.0


class EmbeddingSettings(Section):
    """The embedding model."""

    engine: Literal["onnx"] = "onnx"
    model_dir: Path = Path(".memplane/models/multilingual-e5-small")
    threads: int = Field(1, ge=1, le=64)
    replicas: int = Field(1, ge=1)
    max_batch_tokens: int = Field(1024, ge=512)
    max_queued_texts: int = Field(20_000, ge=1)


class IngestSettings(Section):
    """The write path."""

    replicas: int = Field(1, ge=1)
    writers: int = Field(1, ge=1)
    group_wait_ms: float = Field(3.0, ge=0, description="How long a single write waits for company.")
    group_max_texts: int = Field(256, ge=1, description="Texts embedded and committed as one group.")
    max_queued_items: int = Field(8_000, ge=1, description="Items waiting in one Writer before 429 `overloaded`.")
    max_turns: int = Field(1_000, ge=1, description="Turns in one call.")
    max_body_bytes: int = Field(8 * 2**20, ge=1024)
    wait_deadline_s: float = Field(10.0, gt=0, description="Past this a wait answers 202 with `pending`.")
    sweep_interval_s: float = Field(10.0, gt=0)
    sweep_age_s: float = Field(30.0, gt=0, description="Events older than this without an outcome are driven again.")


class RetrievalSettings(Section):
    """The read path."""

    replicas: int = Field(1, ge=1)
    exact_max_rows: int = Field(20_000, ge=0, description="Scopes above this use the index plan on a Milvus server.")
    max_body_bytes: int = Field(2**20, ge=1024)


class LeaseSettings(Section):
    """Leases of shards."""

    duration_s: float = Field(10.0, gt=1)
    margin_s: float = Field(2.0, ge=0)


class HttpSettings(Section):
    """Where Serve listens."""

    host: str = "127.0.0.1"
    port: int = 8700


class RaySettings(Section):
    """The Ray node of the local shape. A cluster brings its own and ignores these."""

    num_cpus: int = Field(4, ge=1, description="Logical CPUs that the node offers.")
    object_store_bytes: int = Field(150 * 2**20, ge=75 * 2**20)
    temp_dir: Path = Field(
        Path("/tmp/memplane-ray"),  # noqa: S108  `memplane up` names one of its own, closed to others
        description="Sessions, sockets and logs of Ray; short, since paths of Unix sockets end at 107 bytes.",
    )


class TelemetrySettings(Section):
    """Traces."""

    traces: Literal["clickhouse", "off"] = "clickhouse"
    sampling_ratio: float = Field(1.0, ge=0, le=1)
    export_interval_s: float = Field(2.0, gt=0)


class Settings(BaseSettings):
    """All sections."""

    model_config = SettingsConfigDict(
        env_prefix="MEMPLANE_", env_nested_delimiter="__", frozen=True, extra="forbid", case_sensitive=False
    )

    data_dir: Path = Path(".memplane")
    clickhouse: ClickHouseSettings = ClickHouseSettings()
    milvus: MilvusSettings = MilvusSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    ingest: IngestSettings = IngestSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    leases: LeaseSettings = LeaseSettings()
    http: HttpSettings = HttpSettings()
    ray: RaySettings = RaySettings()
    telemetry: TelemetrySettings = TelemetrySettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003  the signature is pydantic's
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment over file over defaults; no other layer."""
        file = os.environ.get(CONFIG_FILE_VARIABLE)
        sources: list[PydanticBaseSettingsSource] = [init_settings, env_settings]
        if file:
            sources.append(JsonConfigSettingsSource(settings_cls, json_file=file))
        return tuple(sources)


def load_settings() -> Settings:
    """Reads the settings.

    Raises: ValueError naming every key that is wrong or unknown: pydantic.ValidationError for keys of a section,
    SettingsError for an unknown section and for what cannot be parsed at all.
    """
    sections = {name.upper() for name in Settings.model_fields}
    unknown = sorted(
        name
        for name in os.environ
        if name.startswith(ENVIRONMENT_PREFIX)
        and "__" in name
        and name.removeprefix(ENVIRONMENT_PREFIX).split("__")[0] not in sections
    )
    if unknown:
        known = ", ".join(sorted(section for section in sections if section != "DATA_DIR"))
        raise SettingsError(f"no section for {', '.join(unknown)} in the environment; there are {known}")
    try:
        return Settings()
    except json.JSONDecodeError as error:
        raise SettingsError(f"the file named by {CONFIG_FILE_VARIABLE} is not JSON: {error}") from error
    except UnreadableSettingsError as error:
        raise SettingsError(str(error)) from error


def read_settings_file(file: Path) -> Settings:
    """The settings of a platform that ``memplane up`` made, as its file says, whatever the environment says.

    Raises: FileNotFoundError; ValueError naming every key that is wrong or unknown.
    """
    return Settings(**json.loads(file.read_text(encoding="utf-8")))


def revealed(settings: Settings) -> dict[str, Any]:
    """The settings as JSON values, secrets in clear: for the 0600 file that the processes of one platform read."""

    def plain(value: object) -> Any:
        if isinstance(value, SecretStr):
            return value.get_secret_value()
        if isinstance(value, Path):
            return str(value)
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        return value

    return {key: plain(value) for key, value in settings.model_dump().items()}


def child_environment(config_file: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """The environment for a process that this one starts: ours, with the settings taken from ``config_file`` alone.

    Variables ``MEMPLANE_*`` are left out, since the file already holds what they said. ``extra`` wins.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ENVIRONMENT_PREFIX)}
    return {**inherited, CONFIG_FILE_VARIABLE: str(config_file), **extra}
