"""The command line: ``memplane up``, ``status``, ``remember``, ``recall``, ``import``, …; one file per group.

Owns: what a person or a script sees. Talks to a running platform through `memplane.client` only; starts one through
`memplane.adapters.local.supervisor`, and sets stores up through `memplane.bootstrap`.
"""

import os

from memplane.cli.app import app
from memplane.cli.layout import OWNER_ONLY


def main() -> None:
    """Entry point of the ``memplane`` command.

    Exit codes: 0 done, 1 failed, 2 wrong usage or wrong settings, 3 the platform is stopped.

    What it writes, and what the processes write that it starts, is for its user alone.
    """
    os.umask(OWNER_ONLY)
    app()


__all__ = ["main"]
