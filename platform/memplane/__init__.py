"""memplane: the memory plane for fleets of AI agents."""

__version__ = "0.1.0"
