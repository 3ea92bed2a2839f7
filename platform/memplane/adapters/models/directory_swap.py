"""Puts a finished directory in its place, so that a reader sees all of it or none."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path


def move_into_place(built: Path, target: Path, *, keep: Callable[[Path], bool]) -> None:
    """Rename a directory to its final path on the same file system.

    Args:
        built: the finished directory. It still exists afterwards where the one at `target` is kept.
        target: its place. An empty or absent place is simply taken.
        keep: asked about a directory that is there already, such as one that another process finished first; one that
            is not kept is replaced and removed.

    Raises:
        OSError: the rename failed for another reason than a directory in the way.
    """
    try:
        built.rename(target)
    except OSError:
        if not target.is_dir():
            raise
    else:
        return
    if keep(target):
        return
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.old.", dir=target.parent))
    try:
        target.rename(aside / target.name)
        built.rename(target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
