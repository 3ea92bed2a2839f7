"""``python -m memplane.cli``: the same as ``memplane``."""

from memplane.cli import main

main()
