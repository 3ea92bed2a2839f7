"""``POST /v1/recall/context``: a recall, handed over as a block for the prompt."""

from __future__ import annotations

from memplane.application.recall.ports import RecallPorts
from memplane.application.recall.recall import recall
from memplane.domain.context import CallContext
from memplane.domain.context_block import WINDOW_SHARE, advice, assemble
from memplane.domain.queries import ContextRequest
from memplane.domain.results import ContextBlock


async def build_context(ports: RecallPorts, request: ContextRequest, context: CallContext) -> ContextBlock:
    """Recalls and assembles. Raises: what :func:`recall` raises."""
    result = await recall(ports, request.recall, context)
    budget = request.window_tokens // WINDOW_SHARE
    if request.budget_tokens is not None:
        budget = min(budget, request.budget_tokens)
    block = assemble(
        (*result.facts, *result.memories),
        language=request.language,
        citation_style=request.citation_style,
        budget_tokens=budget,
    )
    window_used = (request.prompt_tokens + block.tokens) / request.window_tokens
    return ContextBlock(
        context=block.text,
        citations=block.citations,
        tokens=block.tokens,
        tokens_by_part={"memories": block.tokens, "knowledge": 0, "working": 0},
        window_used=window_used,
        advice=advice(window_used),
        degraded=result.degraded,
    )
