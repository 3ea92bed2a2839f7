"""Settings of the local platform: secrets, ports and paths that last; nothing readable by others."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from memplane.adapters.local.supervisor import ProcessSpec, TaskSpec
from memplane.cli.errors import CliError
from memplane.cli.layout import DataLayout
from memplane.cli.local_plan import build_plan
from memplane.cli.local_settings import write_local_settings
from memplane.cli.preparation import refresh_key_file
from memplane.cli.private_files import write_private_json
from memplane.settings import Settings, child_environment, load_settings, read_settings_file, revealed


@pytest.fixture
def layout(tmp_path: Path) -> DataLayout:
    layout = DataLayout.at(tmp_path / "data")
    layout.create()
    return layout


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_everything_is_generated_once_and_kept(layout: DataLayout) -> None:
    first = write_local_settings(layout, Settings(), http_port=None)
    again = write_local_settings(layout, Settings(), http_port=None)
    assert revealed(first) == revealed(again)
    assert read_settings_file(layout.config_file) == first
    secrets = {
        first.clickhouse.password.get_secret_value(),
        first.clickhouse.reader_password.get_secret_value(),
        first.milvus.token.get_secret_value(),
        layout.ray_token.read_text(),
    }
    assert len(secrets) == 4
    assert all(len(secret) >= 40 for secret in secrets)
    for file in (layout.config_file, layout.clickhouse_credentials, layout.milvus_token, layout.ray_token):
        assert mode(file) == 0o600, file
    assert mode(layout.root) == 0o700
    assert not first.ray.temp_dir.exists(), "made by a start, not by settings"
    assert len(str(first.ray.temp_dir)) < 40, "paths of sockets below it end at 107 bytes"
    assert first.embedding.model_dir == layout.model_dir
    assert "password" not in repr(first).replace("password=SecretStr('**********')", "").replace("reader_", "")


def test_a_taken_port_is_replaced_unless_it_was_asked_for(layout: DataLayout) -> None:
    first = write_local_settings(layout, Settings(), http_port=None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first.http.port))
        taken.listen()
        other = write_local_settings(layout, Settings(), http_port=None)
        assert other.http.port != first.http.port
        assert other.clickhouse.port == first.clickhouse.port
        with pytest.raises(CliError, match="is taken"):
            write_local_settings(layout, Settings(), http_port=first.http.port)


def test_what_the_caller_set_stays(layout: DataLayout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMPLANE_EMBEDDING__MODEL_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("MEMPLANE_CLICKHOUSE__PASSWORD", "given")
    monkeypatch.setenv("MEMPLANE_INGEST__WRITERS", "2")
    settings = write_local_settings(layout, load_settings(), http_port=None)
    assert settings.embedding.model_dir == tmp_path / "models"
    assert settings.clickhouse.password.get_secret_value() == "given"
    assert settings.ingest.writers == 2


def test_children_read_the_file_alone(layout: DataLayout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMPLANE_HTTP__PORT", "1")
    monkeypatch.setenv("SOME_PROXY", "kept")
    environment = child_environment(layout.config_file, {"OMP_NUM_THREADS": "1"})
    assert {name for name in environment if name.startswith("MEMPLANE_")} == {"MEMPLANE_CONFIG_FILE"}
    assert environment["SOME_PROXY"] == "kept"
    assert environment["OMP_NUM_THREADS"] == "1"
    monkeypatch.delenv("MEMPLANE_HTTP__PORT")
    settings = write_local_settings(layout, Settings(), http_port=None)
    monkeypatch.setenv("MEMPLANE_CONFIG_FILE", str(layout.config_file))
    assert load_settings() == settings


@pytest.mark.parametrize("name", ["MEMPLANE_CLICKHOUSE__HOTS", "MEMPLANE_CLICKHOSE__HOST"])
def test_unknown_variables_fail(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "x")
    with pytest.raises(ValueError, match=r"(?i)hots|clickhose"):
        load_settings()


def test_the_plan_starts_stores_before_serve_and_shows_no_secret(layout: DataLayout) -> None:
    settings = write_local_settings(layout, Settings(), http_port=None)
    plan = build_plan(layout, settings)
    assert [[member.name for member in stage.members] for stage in plan.stages] == [
        ["clickhouse", "milvus", "model"],
        ["database"],
        ["serve"],
    ]
    secrets = [settings.clickhouse.password.get_secret_value(), settings.milvus.token.get_secret_value()]
    secrets.append(layout.ray_token.read_text())
    members = [member for stage in plan.stages for member in stage.members]
    assert all(isinstance(member, ProcessSpec | TaskSpec) for member in members)
    for member in members:
        shown = " ".join([*member.argv, *member.environment.values()])
        assert not any(secret in shown for secret in secrets)
        assert member.environment["MEMPLANE_CONFIG_FILE"] == str(layout.config_file)
        assert member.environment["OMP_NUM_THREADS"] == "1"
    serve = members[-1]
    assert serve.environment["RAY_AUTH_MODE"] == "token"
    assert serve.environment["RAY_AUTH_TOKEN_PATH"] == str(layout.ray_token)
    assert "RAY_AUTH_MODE" not in members[0].environment


def test_the_key_file(layout: DataLayout) -> None:
    with pytest.raises(CliError, match=r"key\.json"):
        refresh_key_file(layout, "http://127.0.0.1:1")
    made = {"tenant_id": "default", "agent_key": "ak", "operator_key": "ok"}
    write_private_json(layout.key_file, {"url": "http://127.0.0.1:1", **made})
    refresh_key_file(layout, "http://127.0.0.1:2")
    assert json.loads(layout.key_file.read_text()) == {"url": "http://127.0.0.1:2", **made}
    assert mode(layout.key_file) == 0o600
