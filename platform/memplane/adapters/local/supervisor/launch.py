"""Runs a command that ends with its parent: ``python -I -S launch.py PARENT_PID COMMAND…``.

Asks the kernel for SIGTERM at the parent's death (it survives ``exec``), then becomes the command: same pid, same
pipes. A file of its own, run by path with nothing imported, because doing this between fork and exec is not safe beside
threads.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Becomes the command; exits 1 at once when the parent has gone already."""
    parent_pid, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent_pid:
        sys.exit(1)
    os.execvp(command[0], command)  # noqa: S606  the command is ours, not a caller's


if __name__ == "__main__":
    main()
