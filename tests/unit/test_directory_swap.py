"""A finished directory takes its place whole, whatever is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from memplane.adapters.models.directory_swap import move_into_place


def directory(path: Path, content: str) -> Path:
    path.mkdir()
    (path / "file").write_text(content)
    return path


def refuse(_: Path) -> bool:
    return False


def test_takes_an_absent_place(tmp_path: Path) -> None:
    move_into_place(directory(tmp_path / "built", "new"), tmp_path / "place", keep=refuse)
    assert (tmp_path / "place" / "file").read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["place"]


def test_replaces_what_is_not_kept(tmp_path: Path) -> None:
    place = directory(tmp_path / "place", "old")
    (place / "left over").write_text("x")
    move_into_place(directory(tmp_path / "built", "new"), place, keep=refuse)
    assert [entry.name for entry in place.iterdir()] == ["file"]
    assert (place / "file").read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["place"]


def test_keeps_what_another_finished_first(tmp_path: Path) -> None:
    place = directory(tmp_path / "place", "theirs")
    built = directory(tmp_path / "built", "ours")
    move_into_place(built, place, keep=lambda found: (found / "file").read_text() == "theirs")
    assert (place / "file").read_text() == "theirs"
    assert built.is_dir()


def test_a_file_in_the_way_is_an_error_and_stays(tmp_path: Path) -> None:
    (tmp_path / "place").write_text("precious")
    with pytest.raises(OSError, match="place"):
        move_into_place(directory(tmp_path / "built", "new"), tmp_path / "place", keep=refuse)
    assert (tmp_path / "place").read_text() == "precious"
