"""The Writer: one per shard by lease, serving many scopes, each in order, with group commit."""

from memplane.application.write.group_writer import GroupWriter, WriterLimits
from memplane.application.write.index_feed import IndexFeed
from memplane.application.write.lease_keeper import LeaseKeeper
from memplane.application.write.ports import WriterPorts
from memplane.application.write.sweeper import Sweeper

__all__ = ["GroupWriter", "IndexFeed", "LeaseKeeper", "Sweeper", "WriterLimits", "WriterPorts"]
