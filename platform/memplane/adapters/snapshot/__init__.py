"""The refreshed control snapshot, with a file that bridges the time while ClickHouse is away."""

from memplane.adapters.snapshot.refreshed_view import RefreshedControlView

__all__ = ["RefreshedControlView"]
