"""The read path: understand, find, fuse, verify, score, assemble."""

from memplane.application.recall.build_context import build_context
from memplane.application.recall.planner import Planner
from memplane.application.recall.ports import RecallPorts
from memplane.application.recall.recall import recall

__all__ = ["Planner", "RecallPorts", "build_context", "recall"]
