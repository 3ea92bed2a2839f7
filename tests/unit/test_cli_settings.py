"""Settings of the local platform: secrets, ports and paths that last; nothing readable by others."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from memplane.adapters.local.supervisor import ProcessSpec, TaskSpec
from memplane.cli.errors import CliError
from memplane.cli.layout import DataLayout
from memplane.cli.local_plan import build_plan
from memplane.cli.local_settings import write_local_settings
from memplane.cli.preparation import refresh_key_file
from memplane.cli.private_files import write_private_json
from memplane.cli.ray_directory import open_ray_directory, remove_ray_directory
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
    socket_of_ray = first.ray.temp_dir / "session_2026-11-30_17-50-02_105183_4194304" / "sockets" / "plasma_store.sock"
    assert len(str(socket_of_ray)) <= 107, "paths of Unix sockets end there"
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


@pytest.fixture
def ray_layout(layout: DataLayout) -> Iterator[DataLayout]:
    yield layout
    shutil.rmtree(layout.ray_root, ignore_errors=True)


def test_the_directory_of_ray_is_closed_whatever_ray_does_to_its_own(ray_layout: DataLayout) -> None:
    settings = write_local_settings(ray_layout, Settings(), http_port=None)
    assert settings.ray.temp_dir == ray_layout.ray_temp_dir
    ray_layout.ray_root.mkdir(mode=0o777)
    ray_layout.ray_root.chmod(0o777)
    (ray_layout.ray_root / "session_of_an_earlier_run").mkdir()
    open_ray_directory(ray_layout)
    ray_layout.ray_temp_dir.chmod(0o777)  # as Ray does
    assert ray_layout.ray_temp_dir.parent == ray_layout.ray_root
    assert mode(ray_layout.ray_root) == 0o700
    assert [entry.name for entry in ray_layout.ray_root.iterdir()] == ["ray"]
    (ray_layout.ray_temp_dir / "session_1").mkdir()
    remove_ray_directory(ray_layout)
    assert not ray_layout.ray_root.exists()
    remove_ray_directory(ray_layout)


def test_a_link_in_place_of_the_directory_of_ray_is_refused(ray_layout: DataLayout, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "file").touch()
    ray_layout.ray_root.symlink_to(tmp_path / "theirs")
    try:
        with pytest.raises(CliError, match="somebody else"):
            open_ray_directory(ray_layout)
        remove_ray_directory(ray_layout)
        assert (tmp_path / "theirs" / "file").exists()
    finally:
        ray_layout.ray_root.unlink()


def test_the_command_line_writes_for_its_user_alone(tmp_path: Path) -> None:
    code = """
        import os, subprocess, sys
        os.umask(0o022)
        from memplane.cli import main
        sys.argv = ["memplane", "--version"]
        try:
            main()
        except SystemExit:
            open("own", "w").close()
            child = "import os; open('child', 'w').close(); os.mkdir('made')"
            subprocess.run([sys.executable, "-c", child], check=True)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path, check=True)
    assert {entry.name: mode(entry) for entry in tmp_path.iterdir()} == {"own": 0o600, "child": 0o600, "made": 0o700}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_port_comes_from_the_flag_then_the_settings_then_the_last_run(
    layout: DataLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, asked = free_port(), free_port()
    monkeypatch.setenv("MEMPLANE_HTTP__PORT", str(said))
    assert write_local_settings(layout, load_settings(), http_port=asked).http.port == asked
    assert write_local_settings(layout, load_settings(), http_port=None).http.port == said
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", said))
        taken.listen()
        with pytest.raises(CliError, match=f"{said} is taken"):
            write_local_settings(layout, load_settings(), http_port=None)
    monkeypatch.delenv("MEMPLANE_HTTP__PORT")
    assert write_local_settings(layout, load_settings(), http_port=None).http.port == said


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
