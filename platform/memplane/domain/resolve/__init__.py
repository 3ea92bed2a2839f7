"""Resolve: what becomes of a statement beside what is stored. Decisions are data; nothing here stores."""

from memplane.domain.resolve.anchors import Anchors, anchors
from memplane.domain.resolve.contradiction import Comparison, Relation, compare
from memplane.domain.resolve.instructions import InstructionOp, PairClass, UpdateInstruction, value_of
from memplane.domain.resolve.neighbours import Neighbour
from memplane.domain.resolve.resolve import resolve
from memplane.domain.resolve.temporal import Interval, MemoryTime, Row, relink
from memplane.domain.resolve.thresholds import CALIBRATED, UNCALIBRATED, Thresholds, thresholds_for

__all__ = [
    "CALIBRATED",
    "UNCALIBRATED",
    "Anchors",
    "Comparison",
    "InstructionOp",
    "Interval",
    "MemoryTime",
    "Neighbour",
    "PairClass",
    "Relation",
    "Row",
    "Thresholds",
    "UpdateInstruction",
    "anchors",
    "compare",
    "relink",
    "resolve",
    "thresholds_for",
    "value_of",
]
