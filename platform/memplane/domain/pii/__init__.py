"""Secrets and personal data in text: found by shape and checksum, replaced by a readable, stable placeholder.

Pure. Owns what counts as personal data and how its masked form looks; whether a value is kept elsewhere, encrypted,
is policy and lives above.
"""

from memplane.domain.pii.mask import mask
from memplane.domain.pii.spans import MaskedText, PiiKind, PiiSpan

__all__ = ["MaskedText", "PiiKind", "PiiSpan", "mask"]
