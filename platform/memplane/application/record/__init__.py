"""The Recorder: one bounded queue for what reads leave behind."""

from memplane.application.record.batches import BoundedBatches
from memplane.application.record.recorder import Recorder

__all__ = ["BoundedBatches", "Recorder"]
