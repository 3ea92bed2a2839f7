"""Ray's directory: sockets, sessions and logs of one platform, below a directory that only its owner may enter.

Ray opens its own directory to everybody (0777) at every start, so the closed one is its parent.
"""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

from memplane.cli.errors import CliError
from memplane.cli.layout import DataLayout


def open_ray_directory(layout: DataLayout) -> None:
    """Makes the closed directory, empty but for Ray's own inside. Raises: CliError when another user's is there."""
    root = layout.ray_root
    if root.is_symlink() or root.exists():
        _check_ours(layout, root)
        shutil.rmtree(root)
    try:
        root.mkdir(mode=0o700)
    except FileExistsError as error:
        raise _foreign(root) from error
    layout.ray_temp_dir.mkdir(mode=0o700)


def remove_ray_directory(layout: DataLayout) -> None:
    """Removes what `open_ray_directory` made; another user's directory is left alone."""
    root = layout.ray_root
    try:
        _check_ours(layout, root)
    except (FileNotFoundError, CliError):
        return
    shutil.rmtree(root, ignore_errors=True)


def _check_ours(layout: DataLayout, directory: Path) -> None:
    status = directory.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != layout.root.stat().st_uid:
        raise _foreign(directory)


def _foreign(directory: Path) -> CliError:
    return CliError(f"{str(directory)!r} belongs to somebody else; remove it, or use another --data-dir")
