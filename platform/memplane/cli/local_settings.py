"""Settings of a local platform: the caller's, with ports, secrets and paths filled in and kept over restarts."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from memplane.adapters.local.supervisor import choose_ports, port_is_free
from memplane.cli.errors import CliError
from memplane.cli.layout import DataLayout
from memplane.cli.private_files import read_json_object, write_private, write_private_json
from memplane.settings import Settings, revealed

USUAL_PORTS = {"http": 8700, "clickhouse": 8701, "milvus": 8702}


def write_local_settings(layout: DataLayout, base: Settings, *, http_port: int | None) -> Settings:
    """Writes the settings file and the secret files of the platform in ``layout``; returns the settings.

    Ports: the asked one (``http_port``, else ``http.port`` of ``base`` if the caller set it), else those of the last
    run, else the usual ones; a taken one is replaced by a free one, unless it was asked for. Raises: CliError when the
    asked one is taken.
    """
    earlier = read_json_object(layout.config_file)
    said = base.http.port if "port" in base.http.model_fields_set else None
    ports = _ports(earlier, http_port or said)
    settings = base.model_copy(
        update={
            "data_dir": layout.root,
            "clickhouse": base.clickhouse.model_copy(
                update={
                    "host": "127.0.0.1",
                    "port": ports["clickhouse"],
                    "secure": False,
                    "cluster": "",
                    "password": _secret(base.clickhouse.password, earlier, "clickhouse", "password"),
                    "reader_password": _secret(
                        base.clickhouse.reader_password, earlier, "clickhouse", "reader_password"
                    ),
                }
            ),
            "milvus": base.milvus.model_copy(
                update={
                    "uri": f"http://127.0.0.1:{ports['milvus']}",
                    "token": _secret(base.milvus.token, earlier, "milvus", "token", prefix="memplane:"),
                    "server": "lite",
                }
            ),
            "embedding": base.embedding.model_copy(update={"model_dir": _model_dir(layout, base)}),
            "http": base.http.model_copy(update={"port": ports["http"]}),
            "ray": base.ray.model_copy(update={"temp_dir": layout.ray_temp_dir}),
        }
    )
    write_private_json(layout.config_file, revealed(settings))
    _write_secret_files(layout, settings)
    return settings


def platform_url(settings: Settings) -> str:
    """Where the platform of these settings is called."""
    host = "127.0.0.1" if settings.http.host in {"", "0.0.0.0"} else settings.http.host  # noqa: S104  compared only
    return f"http://{host}:{settings.http.port}"


def _ports(earlier: Mapping[str, Any], asked: int | None) -> dict[str, int]:
    wanted = {
        "http": asked or _earlier_port(earlier, "http") or USUAL_PORTS["http"],
        "clickhouse": _earlier_port(earlier, "clickhouse") or USUAL_PORTS["clickhouse"],
        "milvus": _milvus_port(earlier) or USUAL_PORTS["milvus"],
    }
    if asked is not None and not port_is_free(asked):
        raise CliError(
            f"port {asked} is taken; choose another with --port, or leave it out (the setting http.port too) and a free"
            " one is found"
        )
    return choose_ports(wanted)


def _earlier_port(earlier: Mapping[str, Any], section: str) -> int | None:
    port = (earlier.get(section) or {}).get("port")
    return port if isinstance(port, int) else None


def _milvus_port(earlier: Mapping[str, Any]) -> int | None:
    port = str((earlier.get("milvus") or {}).get("uri", "")).rpartition(":")[2]
    return int(port) if port.isdigit() else None


def _secret(given: SecretStr, earlier: Mapping[str, Any], section: str, name: str, *, prefix: str = "") -> SecretStr:
    """As given by the caller, else as in the last run, else a fresh one."""
    if given.get_secret_value():
        return given
    return SecretStr((earlier.get(section) or {}).get(name) or prefix + secrets.token_urlsafe(32))


def _model_dir(layout: DataLayout, base: Settings) -> Path:
    said = "model_dir" in base.embedding.model_fields_set
    return base.embedding.model_dir.expanduser().resolve() if said else layout.model_dir


def _write_secret_files(layout: DataLayout, settings: Settings) -> None:
    clickhouse = settings.clickhouse
    write_private_json(
        layout.clickhouse_credentials,
        {
            "writer": {"user": clickhouse.user, "password": clickhouse.password.get_secret_value()},
            "reader": {"user": clickhouse.reader_user, "password": clickhouse.reader_password.get_secret_value()},
        },
    )
    write_private(layout.milvus_token, settings.milvus.token.get_secret_value())
    if not layout.ray_token.exists():
        write_private(layout.ray_token, secrets.token_hex(32))
