"""The command line: ``memplane up``, ``status``, ``remember``, ``recall``, ``import``, …; one file per group.

Owns: what a person or a script sees. Talks to a running platform through `memplane.client` only; starts one through
`memplane.adapters.local.supervisor`, and sets stores up through `memplane.bootstrap`.
"""

from memplane.cli.app import app


def main() -> None:
    """Entry point of the ``memplane`` command.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the platform is stopped.
    """
    app()


__all__ = ["main"]
