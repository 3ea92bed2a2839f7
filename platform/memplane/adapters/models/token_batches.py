"""Puts texts of similar length together, so that little of a batch is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def plan_batches(lengths: Sequence[int], max_tokens: int) -> Iterator[list[int]]:
    """Positions of texts, batch by batch, longest texts first.

    Args:
        lengths: tokens of each text.
        max_tokens: the most that a batch may hold, padding included; a longer text is a batch of its own.
    """
    order = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    start = 0
    while start < len(order):
        count = max(1, max_tokens // max(1, lengths[order[start]]))
        yield order[start : start + count]
        start += count


def pad_tokens(token_ids: Sequence[Sequence[int]], pad_id: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Token ids and attention mask, both (texts, longest), of texts that are at least one token long."""
    longest = max(map(len, token_ids))
    ids = np.full((len(token_ids), longest), pad_id, np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(token_ids):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask
